import type { PendingConfirmation } from '@hither/contract/auth/auth.ts'
import type { Input } from '@hither/contract/operation.ts'
import type { OperationAt } from '@hither/contract/operations.ts'
import {
  forgotPassword,
  getPendingConfirmation,
  resendConfirmation,
  resetPassword,
} from '@hither/contract/runtime/auth/auth.ts'
import { recover } from '@hither/contract/runtime/auth/recovery.ts'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { call } from '../api/transport.ts'
import { signupSecret } from '../session/device-secrets.ts'

export function useResendConfirmation() {
  return useMutation({ mutationFn: (email: string) => call(resendConfirmation, { body: { email } }) })
}

export function useForgotPassword() {
  return useMutation({ mutationFn: (email: string) => call(forgotPassword, { body: { email } }) })
}

export function useResetPassword() {
  return useMutation({
    mutationFn: (input: Input<OperationAt<typeof resetPassword>>['body']) => call(resetPassword, { body: input }),
  })
}

/** Exchanges a recovery code for a reset token. */
export function useRecover() {
  return useMutation({
    mutationFn: (input: Input<OperationAt<typeof recover>>['body']) => call(recover, { body: input }),
  })
}

type PendingConfirmationState =
  | { status: 'loading' }
  | { status: 'failed'; error: unknown }
  | { status: 'ready'; pending: PendingConfirmation }

/** The account of a confirmation link. It is not in the query cache, because a sign-in clears the cache. */
export function usePendingConfirmation(token: string): { state: PendingConfirmationState; retry: () => void } {
  const [state, setState] = useState<PendingConfirmationState>({ status: 'loading' })
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt repeats the same call
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
