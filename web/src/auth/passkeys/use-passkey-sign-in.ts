import { useEffect, useEffectEvent, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { useSession } from '../../session/session.ts'
import { lazyModule } from '../../ui/lazy.tsx'
import { loadOnce } from '../../ui/load-module.ts'
import { signInMessageOf } from '../offline.ts'

const loadClient = lazyModule(() => import('./passkey-client.ts'))

/**
 * Signs in with a passkey: with one from the autofill of the email field, or from the list of the device. Its code is loaded
 * after the first paint.
 */
export function usePasskeySignIn(isAvailable: boolean, onFailure: (message: string | null) => void) {
  const { clearError } = useSession()
  const [isWorking, setIsWorking] = useState(false)

  function showFailure(error: unknown) {
    // The form shows the error, so it is not that of the session.
    clearError()
    onFailure(signInMessageOf(error, t('errors.passkey_invalid')))
  }
  const handleFailure = useEffectEvent(showFailure)

  useEffect(() => {
    // A browser shows one list of passkeys at a time.
    if (!isAvailable || isWorking) return
    let isCanceled = false
    let stop = () => {}
    // Without this code, the button still works or shows why it does not.
    loadOnce(() => import('./passkey-client.ts')).then(
      ({ offerPasskeysAsAutofill }) => {
        if (!isCanceled) stop = offerPasskeysAsAutofill(handleFailure)
      },
      () => undefined,
    )
    return () => {
      isCanceled = true
      stop()
    }
  }, [isAvailable, isWorking])

  async function signIn() {
    setIsWorking(true)
    onFailure(null)
    try {
      await (await loadClient()).signInWithPasskey()
    } catch (error) {
      showFailure(error)
    }
    setIsWorking(false)
  }

  return { isWorking, signIn }
}
