import type { IdentityKind, LinkedIdentity } from '@hither/contract/auth/oidc.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/transport.ts'
import { signInMethodsQuery } from '../../profile.api.ts'
import { securityEventsQuery } from '../activity/security-events.api.ts'
import type { OwnershipProof } from '../recent-sign-in/use-recent-sign-in.tsx'

/** The providers that are linked to the viewer's account. */
export function identitiesQuery() {
  return queryOptions({
    queryKey: ['profile', 'identities'],
    queryFn: ({ signal }) => call('GET /auth/identities', {}, { signal }),
    meta: { persisted: false },
    // No live event announces a change on another device, and the provider's page is another page.
    staleTime: 0,
  })
}

export function useUnlinkIdentity() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ kind, ...proof }: OwnershipProof & { kind: IdentityKind }) =>
      call('DELETE /auth/identities/:kind', { params: { kind }, body: proof }),
    onSuccess: (_, { kind }) => {
      queryClient.setQueryData<LinkedIdentity[]>(identitiesQuery().queryKey, (identities) =>
        identities?.filter((identity) => identity.kind !== kind),
      )
    },
    onSettled: () => {
      for (const { queryKey } of [identitiesQuery(), signInMethodsQuery(), securityEventsQuery()])
        void queryClient.invalidateQueries({ queryKey })
    },
  })
}
