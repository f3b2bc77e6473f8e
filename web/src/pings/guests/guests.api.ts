import type { GuestView } from '@hither/contract/guests.ts'
import type { PingId } from '@hither/contract/ids.ts'
import type { Guest, GuestPolicy, OwnPing } from '@hither/contract/pings.ts'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, hasNoResponse, isRefusal } from '../../api/api-error.ts'
import { serverNow } from '../../api/server-time.ts'
import { call } from '../../api/transport.ts'
import { withGuest, withoutGuest } from '../ping-changes.ts'
import { pingQuery } from '../pings.api.ts'
import { patchPing, refetchPing } from '../pings.cache.ts'
import { statusAt } from '../pings.rules.ts'
import {
  afterRefusal,
  type GuestAnswer,
  isOutdated,
  isUndelivered,
  pollAfterMs,
  type StoredGuest,
} from './guest.rules.ts'
import { rememberName, storedGuest, storeGuest } from './stored-guests.ts'

/** The response of a guest token with its ping. Guests have no live channel, so it is read repeatedly while visible. */
export function guestQuery(pingId: PingId, token: string) {
  return queryOptions({
    queryKey: ['pings', 'guest', pingId, token],
    queryFn: ({ signal }) =>
      call('GET /pings/:id/guests/me', { params: { id: pingId } }, { auth: 'guest', signal, guestToken: token }),
    // What a change has returned is not read again at once.
    staleTime: 5000,
    refetchInterval: ({ state: { data } }) =>
      data ? pollAfterMs(data.guest, statusAt(data.ping, serverNow()) === 'expired') : false,
    // The key contains the token.
    meta: { persisted: false },
  })
}

/** The calls for one ping run one after another. */
const scopeOf = (pingId: PingId) => ({ id: `pings/guest/${pingId}` })

/**
 * Sends what the device has stored for this ping, and stores the result. Without network it stays stored and is sent again
 * later, with the same token. Throws the error.
 */
export function useSendStoredGuest(pingId: PingId) {
  const queryClient = useQueryClient()
  return useMutation({
    scope: scopeOf(pingId),
    mutationFn: async () => {
      try {
        await deliver(queryClient, pingId)
      } catch (error) {
        const guest = storedGuest(pingId)
        if (guest && !hasNoResponse(error)) storeGuest(pingId, afterRefusal(guest, error))
        throw error
      }
    },
  })
}

/** Sends what the device has stored for a ping whose page is not open. A refused answer stays, so that the page shows why. */
export function sendStoredGuest(queryClient: QueryClient, pingId: PingId): Promise<void> {
  const options = { scope: scopeOf(pingId), mutationFn: () => deliver(queryClient, pingId) }
  return queryClient.getMutationCache().build(queryClient, options).execute(undefined)
}

/** Erases the response to a ping that ended a day ago, and keeps it if the owner has moved the start since. */
export async function eraseIfOutdated(pingId: PingId): Promise<void> {
  const guest = storedGuest(pingId)
  if (guest === undefined) return
  const expires_at = await currentEnd(pingId, guest)
  const current = storedGuest(pingId)
  // The page of the ping may have stored another one meanwhile.
  if (current?.token !== guest.token) return
  storeGuest(pingId, isOutdated({ expires_at }, serverNow()) ? null : { ...current, expires_at })
}

/** Returns the known end if the server has no later one. Throws if it is unreachable. */
async function currentEnd(pingId: PingId, { token, expires_at }: StoredGuest): Promise<string | null> {
  try {
    return (await call('GET /pings/:id/guests/me', { params: { id: pingId } }, { auth: 'guest', guestToken: token }))
      .ping.expires_at
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return expires_at
    throw error
  }
}

async function deliver(queryClient: QueryClient, pingId: PingId): Promise<void> {
  const guest = storedGuest(pingId)
  if (guest === undefined || !isUndelivered(guest)) return
  if (guest.unsent === null) {
    await withdraw(pingId, guest)
    // A new answer may have been written meanwhile.
    if (storedGuest(pingId)?.isWithdrawn) storeGuest(pingId, null)
    return
  }
  const view = await send(pingId, guest, guest.unsent)
  const { name } = view.guest
  queryClient.setQueryData(guestQuery(pingId, guest.token).queryKey, view)
  storeGuest(pingId, { ...guest, name, expires_at: view.ping.expires_at, isSent: true, unsent: null })
  rememberName(name)
}

function withdraw(pingId: PingId, { token }: StoredGuest) {
  return call('DELETE /pings/:id/guests/me', { params: { id: pingId } }, { auth: 'guest', guestToken: token })
}

async function send(pingId: PingId, guest: StoredGuest, answer: GuestAnswer): Promise<GuestView> {
  const { token } = guest
  if (!guest.isSent) {
    const view = await call(
      'POST /pings/:id/guests',
      { params: { id: pingId }, body: { token, ...answer } },
      { auth: 'none' },
    )
    // A repeated token is answered with its first response, and the answer may have been changed since.
    if (isResultOf(answer, view.guest)) return view
    storeGuest(pingId, { ...guest, isSent: true })
  }
  return call(
    'PATCH /pings/:id/guests/me',
    { params: { id: pingId }, body: answer },
    { auth: 'guest', guestToken: token },
  )
}

function isResultOf({ name, response_type, revision = 0 }: GuestAnswer, guest: Guest): boolean {
  return guest.name === name && guest.response_type === response_type && guest.revision >= revision
}

/**
 * Removes the response of this device from the server and then from the device. One that is still unsent is removed without
 * network too. The removal is sent later, because the server may have stored the response and its reply was lost.
 */
export function useWithdrawGuest(pingId: PingId) {
  const queryClient = useQueryClient()
  return useMutation({
    scope: scopeOf(pingId),
    mutationFn: async () => {
      const guest = storedGuest(pingId)
      if (guest === undefined) return
      try {
        await withdraw(pingId, guest)
        storeGuest(pingId, null)
        // Another device may respond with the same token.
        queryClient.removeQueries(guestQuery(pingId, guest.token))
      } catch (error) {
        if (guest.isSent || !hasNoResponse(error)) throw error
        storeGuest(pingId, { ...guest, name: '', unsent: null, isWithdrawn: true })
      }
    },
  })
}

/** Moves the response of this device to the account of the viewer. */
export function useClaimGuest(pingId: PingId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (token: string) => call('POST /pings/:id/guests/claim', { params: { id: pingId }, body: { token } }),
    onSuccess: () => storeGuest(pingId, null),
    onSettled: () => queryClient.invalidateQueries(pingQuery(pingId)),
  })
}

/** Approves a guest at once, and reverts that if the server refuses. */
export function useApproveGuest(pingId: PingId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Guest) =>
      call('POST /pings/:id/guests/:guestId/approve', { params: { id: pingId, guestId: id } }),
    onMutate: (guest) => put(queryClient, { ...guest, state: 'approved' }),
    onError: (_error, guest) => put(queryClient, guest),
    onSettled: () => queryClient.invalidateQueries(pingQuery(pingId)),
  })
}

/** Removes a guest at once, and restores it if the server refuses. */
export function useRemoveGuest(pingId: PingId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Guest) => call('DELETE /pings/:id/guests/:guestId', { params: { id: pingId, guestId: id } }),
    onMutate: ({ id }) => patchPing(queryClient, pingId, (ping) => withoutGuest(ping, id)),
    onError: (_error, guest) => put(queryClient, guest),
    onSettled: () => queryClient.invalidateQueries(pingQuery(pingId)),
  })
}

function put(queryClient: QueryClient, guest: Guest) {
  patchPing(queryClient, guest.ping_id, (ping) => withGuest(ping, guest))
}

/** `updatedAt`: the version of the ping that the owner has seen. The server refuses if the owner has changed it since. */
export function useChangeGuestPolicy({ id }: OwnPing) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ policy, updatedAt }: { policy: GuestPolicy; updatedAt: string }) =>
      call('PATCH /pings/:id', { params: { id }, body: { guest_policy: policy, expected_updated_at: updatedAt } }),
    onSuccess: ({ guest_policy, guests, updated_at }) =>
      patchPing(queryClient, id, (ping) =>
        ping.access === 'owner' ? { ...ping, guest_policy, guests, updated_at } : ping,
      ),
    onError: (error) => (isRefusal(error, 'ping_edit_conflict') ? refetchPing(queryClient, id) : undefined),
  })
}
