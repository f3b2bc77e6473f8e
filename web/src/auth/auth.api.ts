import type { PendingConfirmation } from '@hither/contract/auth/auth.ts'
import type { Input } from '@hither/contract/operation.ts'
import type { OperationAt } from '@hither/contract/operations.ts'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { call } from '../api/transport.ts'
import { signupSecret } from '../session/device-secrets.ts'

export function useResendConfirmation() {
  return useMutation({
    mutationFn: (email: string) => call('POST /auth/resend-confirmation', { body: { email } }, { auth: 'none' }),
  })
}

export function useForgotPassword() {
  return useMutation({
    mutationFn: (email: string) => call('POST /auth/forgot-password', { body: { email } }, { auth: 'none' }),
  })
}

export function useResetPassword() {
  return useMutation({
    mutationFn: (input: Input<OperationAt<'POST /auth/reset-password'>>['body']) =>
      call('POST /auth/reset-password', { body: input }, { auth: 'none' }),
  })
}

/** Exchanges a recovery code for a reset token. */
export function useRecover() {
  return useMutation({
    mutationFn: (input: Input<OperationAt<'POST /auth/recover'>>['body']) =>
      call('POST /auth/recover', { body: input }, { auth: 'none' }),
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
    call('POST /auth/pending-confirmation', { body }, { auth: 'none', signal: abort.signal }).then(
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
