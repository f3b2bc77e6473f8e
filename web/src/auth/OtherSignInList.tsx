import { useState } from 'react'
import { useLocation } from 'react-router'
import { t } from '../i18n/translate.ts'
import { returnPath } from '../session/login-state.ts'
import type { Admission } from '../session/session.ts'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { lazyModule } from '../ui/lazy.tsx'
import { GoogleSignIn } from './google/GoogleSignIn.tsx'
import { OrLine } from './OrLine.tsx'
import { signInMessageOf } from './offline.ts'
import { usePasskeySignIn } from './passkeys/use-passkey-sign-in.ts'

const loadProvider = lazyModule(() => import('./provider/provider-sign-in.ts'))

interface Props {
  passkeys: boolean
  /** The OpenID Connect provider of the server. */
  provider: { name: string } | null
  googleClientId: string | null
  /** For a new account. */
  admission: Admission
  onFailure: (message: string | null) => void
}

const look = { variant: 'outlined', size: 'large', fullWidth: true, sx: { borderColor: 'divider' } } as const

export function OtherSignInList({ passkeys, provider, googleClientId, admission, onFailure }: Props) {
  const { state } = useLocation()
  const passkey = usePasskeySignIn(passkeys, onFailure)
  const [isLeaving, setIsLeaving] = useState(false)
  const isOnlyGoogle = !passkeys && provider === null

  async function handleProvider() {
    setIsLeaving(true)
    onFailure(null)
    try {
      const { startWithProvider } = await loadProvider()
      await startWithProvider({ intent: 'sign_in', return_to: returnPath(state), ...admission })
    } catch (error) {
      onFailure(signInMessageOf(error, t('errors.sign_in_provider_unreachable')))
    }
    setIsLeaving(false)
  }

  return (
    <>
      {!isOnlyGoogle && <OrLine />}
      {passkeys && (
        <LoadingButton {...look} isWorking={passkey.isWorking} onClick={() => void passkey.signIn()}>
          {t('auth.otherSignIn.passkey')}
        </LoadingButton>
      )}
      {provider !== null && (
        <LoadingButton {...look} isWorking={isLeaving} onClick={() => void handleProvider()}>
          {t('auth.otherSignIn.provider', { name: provider.name })}
        </LoadingButton>
      )}
      {googleClientId !== null && (
        <GoogleSignIn clientId={googleClientId} isFirst={isOnlyGoogle} admission={admission} onFailure={onFailure} />
      )}
    </>
  )
}
