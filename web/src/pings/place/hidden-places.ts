import type { ShownPlace } from '@hither/contract/areas.ts'
import type { Ping, ShownPing } from '@hither/contract/pings.ts'
import { areaOf } from '@hither/contract/runtime/areas.ts'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { serverNow } from '../../api/server-time.ts'
import { withPlace } from '../ping-changes.ts'
import { pingQuery, pingsQuery } from '../pings.api.ts'
import { patchPing, removeFromLists } from '../pings.cache.ts'
import { statusAt } from '../pings.rules.ts'
import { isExact } from './place.rules.ts'

/**
 * Overwrites every copy of an exact place on this device when a response of the server shows that the viewer may no longer know
 * it, beginning with the responses of this session. Live changes do so by themselves. Works until the returned function is
 * called.
 */
export function watchHiddenPlaces(queryClient: QueryClient): () => void {
  // What was stored before this session is marked as invalidated.
  const current = queryClient.getQueryCache().findAll({ predicate: ({ state }) => !state.isInvalidated })
  const responses = current.flatMap(({ queryKey, state: { data } }) => (data === undefined ? [] : [{ queryKey, data }]))
  for (const { queryKey, data } of responses) hidePlaces(queryClient, queryKey, data)
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return
    hidePlaces(queryClient, event.query.queryKey, event.query.state.data)
  })
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

/** Only the server knows the nearest town. */
function areaOfPing({ latitude, longitude, area_km }: ShownPing): ShownPlace {
  const { radius_m: place_radius_m, ...center } = areaOf(latitude, longitude, area_km)
  return { ...center, address: null, place_radius_m }
}
