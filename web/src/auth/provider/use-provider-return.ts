import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isTransient } from '../../api/api-error.ts'
import { clearSignInAttempt, readSignInAttempt, type SignInAttempt } from '../../api/sign-in-attempt.ts'
import { call } from '../../api/transport.ts'
import { t } from '../../i18n/translate.ts'
import { pathAfterSignIn } from '../../session/login-state.ts'
import { openSession, useSession } from '../../session/session.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { signInMessageOf } from '../offline.ts'
import { errorOfFragment } from './use-provider-error.ts'

interface Failure {
  message: string
  /** Whether the same return may succeed later. */
  canRetry: boolean
}

/**
 * Finishes what this device has started with a provider, with the code that the provider's page led back with. The code and
 * errors are removed from the address at once. A code that this device has not asked for changes nothing.
 */
export function useProviderReturn() {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const { clearError } = useSession()
  const { showNotice } = useSnackbar()
  const [code, setCode] = useState(() => codeOf(hash))
  const [attempt, setAttempt] = useState(readSignInAttempt)
  const [failure, setFailure] = useState<Failure | null>(null)
  const isLink = attempt?.intent === 'link'

  const receive = useEffectEvent((fragment: string) => {
    const received = codeOf(fragment)
    const pending = readSignInAttempt()
    setCode(received)
    setAttempt(pending)
    setFailure(null)
    if (received !== null && pending !== null) void finish(received, pending)
    else setFailure({ message: errorOfFragment(fragment) ?? interrupted, canRetry: false })
  })

  const hasReceived = useRef(false)

  useEffect(() => {
    // The fragment was just removed.
    if (hash === '' && hasReceived.current) return
    hasReceived.current = true
    if (hash !== '') void navigate('/signed-in', { replace: true })
    receive(hash)
  }, [hash, navigate])

  async function finish(code: string, attempt: SignInAttempt) {
    const { verifier, intent, return_to, invitation, friend_code } = attempt
    const admission = {
      ...(invitation !== undefined && { invitation }),
      ...(friend_code !== undefined && { friend_code }),
    }
    const findPath = () => (intent === 'link' ? '/profile' : pathAfterSignIn({ from: return_to }))
    const signIn = async () => {
      const session = await call('POST /auth/oidc/finish', { body: { code, verifier, ...admission } }, { auth: 'none' })
      // Opening the session may leave the page.
      clearSignInAttempt()
      return session
    }
    setFailure(null)
    try {
      if (intent === 'link') {
        await call('POST /auth/oidc/link', { body: { code, verifier } })
        clearSignInAttempt()
      } else await openSession(signIn, findPath)
      showNotice(intent === 'link' ? t('auth.provider.linked') : t('auth.provider.signedIn'))
      await navigate(findPath(), { replace: true })
    } catch (error) {
      // This screen shows the error.
      clearError()
      setFailure({ message: signInMessageOf(error, t('auth.provider.failed')), canRetry: isTransient(error) })
    }
  }

  function retry() {
    if (code !== null && attempt !== null) void finish(code, attempt)
  }

  return { isLink, failure, retry }
}

const interrupted = t('errors.sign_in_attempt_invalid')

function codeOf(hash: string): string | null {
  return new URLSearchParams(hash.slice(1)).get('code')
}
