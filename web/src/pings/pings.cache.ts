import type { PingId } from '@hither/contract/ids.ts'
import type { Ping, ShownPing } from '@hither/contract/pings.ts'
import type { QueryClient } from '@tanstack/react-query'
import { insertedPing } from './ping-changes.ts'
import { myPingsQuery, pingQuery, pingsQuery } from './pings.api.ts'

/** Changes every cached copy of a ping. Copies that do not change stay the same objects. */
export function patchPing(queryClient: QueryClient, pingId: PingId, patch: <P extends ShownPing>(ping: P) => P) {
  for (const { queryKey } of [pingsQuery(), myPingsQuery()]) {
    queryClient.setQueryData(queryKey, (pings) =>
      pings?.some(({ id }) => id === pingId) ? pings.map((ping) => (ping.id === pingId ? patch(ping) : ping)) : pings,
    )
  }
  queryClient.setQueryData(pingQuery(pingId).queryKey, (ping) => (ping ? patch(ping) : ping))
}

/** Like `patchPing`, for all cached pings. */
export function patchEveryPing(queryClient: QueryClient, patch: <P extends ShownPing>(ping: P) => P) {
  for (const { queryKey } of [pingsQuery(), myPingsQuery()]) {
    queryClient.setQueryData(queryKey, (pings) =>
      pings?.some((ping) => patch(ping) !== ping) ? pings.map((ping) => patch(ping)) : pings,
    )
  }
  queryClient.setQueriesData<ShownPing>({ queryKey: ['pings', 'one'] }, (ping) => ping && patch(ping))
}

/** Adds or replaces a ping in the lists that are cached. */
export function putIntoLists(queryClient: QueryClient, ping: Ping) {
  queryClient.setQueryData(pingsQuery().queryKey, (pings) => insertedPing(pings, ping))
  if (ping.access === 'owner') queryClient.setQueryData(myPingsQuery().queryKey, (pings) => insertedPing(pings, ping))
}

/**
 * Adds a ping to the lists that lack it. The two are requested separately, so the response of one may be from before the
 * ping was created.
 */
export function completeLists(queryClient: QueryClient, ping: Ping) {
  queryClient.setQueryData(pingsQuery().queryKey, (pings) => completed(pings, ping))
  if (ping.access === 'owner') queryClient.setQueryData(myPingsQuery().queryKey, (pings) => completed(pings, ping))
}

function completed<P extends Ping>(pings: P[] | undefined, ping: P): P[] | undefined {
  return pings?.some(({ id }) => id === ping.id) ? pings : insertedPing(pings, ping)
}

export function removeFromLists(queryClient: QueryClient, pingId: PingId) {
  for (const { queryKey } of [pingsQuery(), myPingsQuery()]) {
    queryClient.setQueryData(queryKey, (pings) =>
      pings?.some(({ id }) => id === pingId) ? pings.filter(({ id }) => id !== pingId) : pings,
    )
  }
}

/** Shows the ping as deleted to a viewer who has it open. */
export function markDeleted(queryClient: QueryClient, pingId: PingId) {
  const { queryKey } = pingQuery(pingId)
  if (queryClient.getQueryData(queryKey) !== undefined) queryClient.setQueryData(queryKey, null)
}

/** The copies of a ping in the two lists. */
function copiesInLists(queryClient: QueryClient, pingId: PingId): Ping[] {
  return [pingsQuery(), myPingsQuery()]
    .flatMap(({ queryKey }) => queryClient.getQueryData(queryKey) ?? [])
    .filter(({ id }) => id === pingId)
}

/** All cached copies of a ping, that of its page first. */
export function copiesOf(queryClient: QueryClient, pingId: PingId): ShownPing[] {
  const one = queryClient.getQueryData(pingQuery(pingId).queryKey)
  return [...(one ? [one] : []), ...copiesInLists(queryClient, pingId)]
}

export function findInLists(queryClient: QueryClient, pingId: PingId): Ping | undefined {
  return copiesInLists(queryClient, pingId)[0]
}

export function findCached(queryClient: QueryClient, pingId: PingId): ShownPing | undefined {
  return copiesOf(queryClient, pingId)[0]
}

export function cancelLists(queryClient: QueryClient) {
  return Promise.all([pingsQuery(), myPingsQuery()].map(({ queryKey }) => queryClient.cancelQueries({ queryKey })))
}

/** Invalidates the lists without cancelling a read in progress. */
export function refetchLists(queryClient: QueryClient) {
  return Promise.all(
    [pingsQuery(), myPingsQuery()].map(({ queryKey }) =>
      queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false }),
    ),
  )
}

/**
 * Completes a ping that came from a live row, which has neither recipients nor responses. One request replaces reading both
 * lists again.
 */
export async function refetchPing(queryClient: QueryClient, pingId: PingId): Promise<void> {
  if (findInLists(queryClient, pingId) === undefined) return queryClient.invalidateQueries(pingQuery(pingId))
  try {
    await queryClient.query({ ...pingQuery(pingId), staleTime: 0 })
  } catch {
    return void refetchLists(queryClient)
  }
  // Not the response: live changes that arrived during the request have been applied to the cached ping.
  const ping = queryClient.getQueryData(pingQuery(pingId).queryKey)
  if (ping) patchPing(queryClient, pingId, withFieldsOf(ping))
  else removeFromLists(queryClient, pingId)
}

/** Replaces copies of the same access level. */
function withFieldsOf(newer: ShownPing) {
  return <P extends ShownPing>(ping: P): P => (ping.access === newer.access ? { ...ping, ...newer } : ping)
}
