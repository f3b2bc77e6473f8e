import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/transport.ts'
import { signInMethodsQuery } from '../../profile.api.ts'
import { securityEventsQuery } from '../activity/security-events.api.ts'
import type { OwnershipProof } from '../recent-sign-in/use-recent-sign-in.tsx'

export function recoveryCodesQuery() {
  return queryOptions({
    queryKey: ['profile', 'recovery-codes'],
    queryFn: ({ signal }) => call('GET /auth/recovery-codes', {}, { signal }),
    meta: { persisted: false },
    // No live event announces that a code was used.
    staleTime: 0,
  })
}

/** Creates codes, which end the previous ones. They are not in the query cache, because they are shown only once. */
export function useCreateRecoveryCodes() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (proof: OwnershipProof) => call('POST /auth/recovery-codes', { body: proof }),
    onSuccess: () => {
      for (const { queryKey } of [recoveryCodesQuery(), signInMethodsQuery(), securityEventsQuery()])
        void queryClient.invalidateQueries({ queryKey })
    },
    gcTime: 0,
  })
}
