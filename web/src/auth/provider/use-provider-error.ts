import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { loadTexts } from '../../i18n/texts.ts'
import { textOf } from '../../i18n/translate.ts'

/** Returns the sentence of an error code of the way back, such as `#error=sign_in_denied`; null if there is none. */
export function errorOfFragment(hash: string): string | null {
  const code = /^#error=(sign_in_\w+)$/.exec(hash)?.[1]
  return code === undefined ? null : textOf(`errors.${code}`)
}

/**
 * Removes the error with which the provider's page led back to this screen from the address, and calls back with it. Its text may
 * arrive after the screen is drawn.
 */
export function useProviderError(onError: (error: string) => void) {
  const { hash, state } = useLocation()
  const navigate = useNavigate()

  useEffect(() => {
    if (!hash.startsWith('#error=')) return
    void navigate('/login', { replace: true, state })
    loadTexts('rest').then(
      () => {
        const error = errorOfFragment(hash)
        if (error !== null) onError(error)
      },
      () => undefined,
    )
  }, [hash, navigate, state, onError])
}
