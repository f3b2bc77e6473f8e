import {
  forgotPassword,
  getPendingConfirmation,
  type PendingConfirmation,
  resendConfirmation,
  resetPassword,
} from '@hither/contract/auth.ts'
import { type Input } from '@hither/contract/operation.ts'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { call } from '../api/transport.ts'
import { signupSecret } from './device-secrets.ts'

export function useResendConfirmation() {
  return useMutation({ mutationFn: (email: string) => call(resendConfirmation, { body: { email } }) })
}

export function useForgotPassword() {
  return useMutation({ mutationFn: (email: string) => call(forgotPassword, { body: { email } }) })
}

export function useResetPassword() {
  return useMutation({
    mutationFn: (input: Input<typeof resetPassword>['body']) => call(resetPassword, { body: input }),
  })
}

export type PendingConfirmationState =
  | { status: 'loading' }
  | { status: 'failed'; error: unknown }
  | { status: 'ready'; pending: PendingConfirmation }

/** The account that a confirmation link is for. Outside the query cache, which is emptied as somebody signs in. */
export function usePendingConfirmation(token: string): { state: PendingConfirmationState; retry: () => void } {
  const [state, setState] = useState<PendingConfirmationState>({ status: 'loading' })
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is the same call again
  useEffect(() => {
    if (token === '') return
    const abort = new AbortController()
    const secret = signupSecret()
    const body = { token, ...(secret !== undefined && { signup_secret: secret }) }
    setState({ status: 'loading' })
    call(getPendingConfirmation, { body }, { signal: abort.signal }).then(
      (pending) => setState({ status: 'ready', pending }),
      (error: unknown) => {
        if (!abort.signal.aborted) setState({ status: 'failed', error })
      },
    )
    return () => abort.abort()
  }, [token, attempt])

  const retry = useCallback(() => setAttempt((count) => count + 1), [])
  return { state, retry }
}
