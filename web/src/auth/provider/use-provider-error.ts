import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { textOf } from '../../i18n/translate.ts'

/** Returns the sentence of an error code of the way back, such as `#error=sign_in_denied`; null if there is none. */
export function errorOfFragment(hash: string): string | null {
  const code = /^#error=(sign_in_\w+)$/.exec(hash)?.[1]
  return code === undefined ? null : textOf(`errors.${code}`)
}

/** Returns the error with which the provider's page led back to this screen, and removes it from the address. */
export function useProviderError(): string | null {
  const { hash, state } = useLocation()
  const navigate = useNavigate()
  const error = errorOfFragment(hash)

  useEffect(() => {
    if (error !== null) void navigate('/login', { replace: true, state })
  }, [error, navigate, state])

  return error
}
