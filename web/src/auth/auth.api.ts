import { forgotPassword, resendConfirmation, resetPassword } from '@hither/contract/auth.ts'
import { type Input } from '@hither/contract/operation.ts'
import { useMutation } from '@tanstack/react-query'
import { call } from '../api/transport.ts'

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
