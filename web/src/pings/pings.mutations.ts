import type { ChangePing, OwnPing } from '@hither/contract/pings.ts'
import type { User } from '@hither/contract/users.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { serverNow } from '../api/server-time.ts'
import { ApiError, call } from '../api/transport.ts'
import { t } from '../i18n/translate.ts'
import { temporaryPing, withChange } from './ping-changes.ts'
import type { NewPing } from './ping-shapes.ts'
import { pingQuery } from './pings.api.ts'
import {
  cancelLists,
  findCached,
  markDeleted,
  patchPing,
  putIntoLists,
  refetchLists,
  removeFromLists,
} from './pings.cache.ts'

/** Adds the ping at once under a temporary id. The server's response replaces it, and a refusal removes it. */
export function useCreatePing(owner: User) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (input: NewPing): Promise<CreatedPing> => {
      const ping: CreatedPing | null = await call('POST /pings/', { body: input })
      if (ping === null) throw noPingReturned()
      return ping
    },
    onMutate: async (input) => {
      await cancelLists(queryClient)
      const ping = temporaryPing(input, owner, serverNow())
      putIntoLists(queryClient, ping)
      return ping.id
    },
    onSuccess: (ping, _input, temporaryId) => {
      removeFromLists(queryClient, temporaryId)
      if (isWhole(ping)) putIntoLists(queryClient, ping)
    },
    onError: (_error, _input, temporaryId) => {
      if (temporaryId !== undefined) removeFromLists(queryClient, temporaryId)
    },
    onSettled: () => void refetchLists(queryClient),
  })
}

/** A server that violates the contract may omit any field. */
export type CreatedPing = OwnPing | (Omit<OwnPing, 'id'> & { id?: undefined })

export function isWhole(ping: CreatedPing): ping is OwnPing {
  return ping.id !== undefined
}

/** The error for a response without a ping. The server has responded, so the ping must not wait in the outbox. */
export function noPingReturned(): ApiError {
  return new ApiError(200, t('pings.noPingReturned'))
}

export function useDeletePing() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (ping: OwnPing) => call('DELETE /pings/:id', { params: { id: ping.id } }),
    onMutate: async (ping) => {
      await cancelLists(queryClient)
      removeFromLists(queryClient, ping.id)
    },
    onError: (_error, ping) => putIntoLists(queryClient, ping),
    onSuccess: (_reply, ping) => markDeleted(queryClient, ping.id),
    onSettled: () => void refetchLists(queryClient),
  })
}

/** Extends or ends a ping. The change is shown at once, and undone if the server refuses. */
export function useChangePing(ping: OwnPing) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: ChangePing) => call('PATCH /pings/:id', { params: { id: ping.id }, body: change }),
    scope: { id: `pings/change/${ping.id}` },
    onMutate: async (change) => {
      await Promise.all([cancelLists(queryClient), queryClient.cancelQueries(pingQuery(ping.id))])
      const before = findCached(queryClient, ping.id) ?? ping
      patchPing(queryClient, ping.id, (ping) => withChange(ping, change, serverNow()))
      return { expires_at: before.expires_at, status: before.status }
    },
    onSuccess: ({ expires_at, status, updated_at }) =>
      patchPing(queryClient, ping.id, (ping) => ({ ...ping, expires_at, status, updated_at })),
    onError: (_error, _change, before) => {
      if (before !== undefined) patchPing(queryClient, ping.id, (ping) => ({ ...ping, ...before }))
    },
    onSettled: () => {
      void refetchLists(queryClient)
      void queryClient.invalidateQueries(pingQuery(ping.id))
    },
  })
}
