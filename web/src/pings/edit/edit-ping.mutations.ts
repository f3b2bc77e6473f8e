import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { ChangePing, InvitePeople, OwnPing, ShownPing } from '@hither/contract/pings.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { withoutInvitee } from '../ping-changes.ts'
import { pingQuery } from '../pings.api.ts'
import { findCached, patchPing, refetchLists } from '../pings.cache.ts'

/** The changes of one ping are sent one after another. None of them is sent later without network. */
const scopeOf = (pingId: PingId) => ({ id: `pings/change/${pingId}` })

export function useEditPing(pingId: PingId) {
  const queryClient = useQueryClient()
  return useMutation({
    scope: scopeOf(pingId),
    mutationFn: (body: ChangePing) => call('PATCH /pings/:id', { params: { id: pingId }, body }),
    onSuccess: (ping) => replacePing(queryClient, ping),
    onSettled: () => refetch(queryClient, pingId),
  })
}

export function useInvitePeople(pingId: PingId) {
  const queryClient = useQueryClient()
  return useMutation({
    scope: scopeOf(pingId),
    mutationFn: (people: InvitePeople) => invite(queryClient, pingId, people),
    onSettled: () => refetch(queryClient, pingId),
  })
}

/** Invites friends to a ping. Resolves when the cached ping shows them. */
export async function invite(queryClient: QueryClient, pingId: PingId, body: InvitePeople): Promise<void> {
  replacePing(queryClient, await call('POST /pings/:id/recipients', { params: { id: pingId }, body }))
}

/** Removes an invitee at once, and restores the person if the server refuses. */
export function useRemoveInvitee(pingId: PingId) {
  const queryClient = useQueryClient()
  return useMutation({
    scope: scopeOf(pingId),
    mutationFn: (userId: UserId) => call('DELETE /pings/:id/recipients/:userId', { params: { id: pingId, userId } }),
    onMutate: async (userId) => {
      await queryClient.cancelQueries(pingQuery(pingId))
      const before = findCached(queryClient, pingId)
      patchPing(queryClient, pingId, (ping) => withoutInvitee(ping, userId))
      return before
    },
    onError: (_error, _userId, before) => before?.access === 'owner' && replacePing(queryClient, before),
    onSettled: () => refetch(queryClient, pingId),
  })
}

export function useCancelPing(pingId: PingId) {
  const queryClient = useQueryClient()
  return useMutation({
    scope: scopeOf(pingId),
    mutationFn: (message: string) =>
      call('POST /pings/:id/cancel', { params: { id: pingId }, body: message === '' ? {} : { message } }),
    onSuccess: (ping) => replacePing(queryClient, ping),
    onSettled: () => refetch(queryClient, pingId),
  })
}

/** Reads the ping as another device has saved it. */
export function readLatest(queryClient: QueryClient, pingId: PingId): Promise<ShownPing | null> {
  return queryClient.query({ ...pingQuery(pingId), staleTime: 0 })
}

function replacePing(queryClient: QueryClient, saved: OwnPing) {
  patchPing(queryClient, saved.id, (ping) => (ping.access === 'owner' ? { ...ping, ...saved } : ping))
}

function refetch(queryClient: QueryClient, pingId: PingId) {
  void refetchLists(queryClient)
  void queryClient.invalidateQueries(pingQuery(pingId))
}
