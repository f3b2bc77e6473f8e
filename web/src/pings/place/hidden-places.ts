import type { ShownPlace } from '@hither/contract/areas.ts'
import type { Ping, ShownPing } from '@hither/contract/pings.ts'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { serverNow } from '../../api/server-time.ts'
import { withPlace } from '../ping-changes.ts'
import { myPingsQuery, pingQuery, pingsQuery } from '../pings.api.ts'
import { patchPing, removeFromLists } from '../pings.cache.ts'
import { statusAt } from '../pings.rules.ts'
import { areaOfPing, hideDuePlaces } from './due-places.ts'
import { isExact } from './place.rules.ts'

/** How often the device looks for places that are due while the app is open, also without a network. */
const dueEveryMs = 60_000

/**
 * Overwrites every copy of an exact place on this device when a response of the server shows that the viewer may no longer know
 * it, beginning with the responses of this session, and when it is due. Live changes do so by themselves. Works until the
 * returned function is called.
 */
export function watchHiddenPlaces(queryClient: QueryClient): () => void {
  // What was stored before this session is marked as invalidated.
  const current = queryClient.getQueryCache().findAll({ predicate: ({ state }) => !state.isInvalidated })
  const responses = current.flatMap(({ queryKey, state: { data } }) => (data === undefined ? [] : [{ queryKey, data }]))
  for (const { queryKey, data } of responses) hidePlaces(queryClient, queryKey, data)
  hideDuePlaces(queryClient)
  const timer = setInterval(() => hideDuePlaces(queryClient), dueEveryMs)
  /** The areas of ended pings: a response from before the erasure of a place may arrive after it. */
  const areas = new Map<Ping['id'], ShownPlace>()
  const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    const { queryKey, state } = event.query
    const pings = pingsIn(queryKey, state.data)
    if (pings.length > 0) keepHidden(queryClient, pings, areas)
    if (event.action.manual) return
    hidePlaces(queryClient, queryKey, state.data)
    if (pings.length > 0) hideDuePlaces(queryClient)
  })
  return () => {
    clearInterval(timer)
    unsubscribe()
  }
}

/** The exact place of a ping does not return after its end. */
function keepHidden(queryClient: QueryClient, pings: readonly ShownPing[], areas: Map<Ping['id'], ShownPlace>) {
  const nowMs = serverNow()
  for (const ping of pings) {
    if (statusAt(ping, nowMs) !== 'expired') continue
    const area = areas.get(ping.id)
    if (!isExact(ping)) areas.set(ping.id, ping)
    else if (area) patchPing(queryClient, ping.id, (copy) => (isExact(copy) ? withPlace(copy, area) : copy))
  }
}

function pingsIn(key: QueryKey, data: unknown): readonly ShownPing[] {
  if (isPrefix(onePing, key)) return data ? [data as ShownPing] : []
  const isList = isPrefix(pingsQuery().queryKey, key) || isPrefix(myPingsQuery().queryKey, key)
  return isList ? ((data ?? []) as readonly ShownPing[]) : []
}

function hidePlaces(queryClient: QueryClient, key: QueryKey, data: unknown) {
  if (isPrefix(pingsQuery().queryKey, key)) {
    const pings = data as readonly Ping[]
    for (const ping of pings) copyHiddenPlace(queryClient, ping)
    hideOutdated(queryClient, new Set(pings.map(({ id }) => id)))
  } else if (isPrefix(onePing, key)) {
    const ping = data as ShownPing | null
    if (ping === null) removeFromLists(queryClient, key[onePing.length] as Ping['id'])
    else copyHiddenPlace(queryClient, ping)
  }
}

const onePing = pingQuery('' as Ping['id']).queryKey.slice(0, -1)

function isPrefix(prefix: readonly unknown[], key: readonly unknown[]): boolean {
  return prefix.every((part, index) => part === key[index])
}

function copyHiddenPlace(queryClient: QueryClient, ping: ShownPing) {
  if (!isExact(ping)) patchPing(queryClient, ping.id, (copy) => withPlace(copy, ping))
}

/** Hides the places of pings that have ended, or that the viewer can no longer see, in copies that are not read again now. */
function hideOutdated(queryClient: QueryClient, listed: ReadonlySet<string>) {
  const nowMs = serverNow()
  for (const [, ping] of queryClient.getQueriesData<ShownPing | null>({ queryKey: onePing })) {
    if (!ping || ping.access === 'owner' || ping.exact_place_for === 'everyone' || !isExact(ping)) continue
    const isGone = ping.access === 'invitee' && !listed.has(ping.id)
    if (isGone || statusAt(ping, nowMs) === 'expired')
      queryClient.setQueryData(pingQuery(ping.id).queryKey, withPlace(ping, areaOfPing(ping)))
  }
}
