import type { Passkey } from '@hither/contract/auth/passkeys.ts'
import type { PasskeyId } from '@hither/contract/ids.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/transport.ts'
import { lazyModule } from '../../../ui/lazy.tsx'
import { signInMethodsQuery } from '../../profile.api.ts'
import { securityEventsQuery } from '../activity/security-events.api.ts'
import type { OwnershipProof } from '../recent-sign-in/use-recent-sign-in.tsx'

const loadClient = lazyModule(() => import('../../../auth/passkeys/passkey-client.ts'))

/** The viewer's passkeys, newest first. */
export function passkeysQuery() {
  return queryOptions({
    queryKey: ['profile', 'passkeys'],
    queryFn: ({ signal }) => call('GET /auth/passkeys', {}, { signal }),
    meta: { persisted: false },
    // No live event announces a change on another device.
    staleTime: 0,
  })
}

/** Creates a passkey on this device, with the dialog of the device. */
export function useCreatePasskey() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async (proof: OwnershipProof) => (await loadClient()).createPasskeyHere(proof),
    onSuccess: refresh,
  })
}

export function useRenamePasskey() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, name }: { id: PasskeyId; name: string }) =>
      call('PATCH /auth/passkeys/:id', { params: { id }, body: { name } }),
    onSuccess: (renamed) =>
      queryClient.setQueryData<Passkey[]>(passkeysQuery().queryKey, (passkeys) =>
        passkeys?.map((passkey) => (passkey.id === renamed.id ? renamed : passkey)),
      ),
  })
}

export function useRemovePasskey() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ id, ...proof }: OwnershipProof & { id: PasskeyId }) =>
      call('DELETE /auth/passkeys/:id', { params: { id }, body: proof }),
    onSettled: refresh,
  })
}

function useRefresh() {
  const queryClient = useQueryClient()
  return async () => {
    await Promise.all(
      [passkeysQuery(), signInMethodsQuery(), securityEventsQuery()].map(({ queryKey }) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )
  }
}
