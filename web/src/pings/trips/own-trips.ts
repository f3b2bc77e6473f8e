import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { Trip } from '@hither/contract/trips.ts'
import type { QueryClient } from '@tanstack/react-query'
import { withoutTrip, withTrip } from '../ping-changes.ts'
import { isForAudience } from '../ping-shapes.ts'
import { findCached, patchPing } from '../pings.cache.ts'

/** Pings whose trip was ended on this page, so that its end is no surprise. */
const endedHere = new Set<PingId>()

export function findOwnTrip(queryClient: QueryClient, pingId: PingId, viewerId: UserId): Trip | undefined {
  const ping = findCached(queryClient, pingId)
  const trips = ping && isForAudience(ping) ? ping.trips : []
  return trips.find(({ user_id }) => user_id === viewerId)
}

/** Shows the viewer's trip as the viewer or the server decided; null ends it. */
export function putOwnTrip(queryClient: QueryClient, pingId: PingId, viewerId: UserId, trip: Trip | null) {
  if (trip === null) endedHere.add(pingId)
  else endedHere.delete(pingId)
  patchPing(queryClient, pingId, (ping) => (trip === null ? withoutTrip(ping, viewerId) : withTrip(ping, trip)))
}

/** Whether the trip that has just disappeared was ended on this page. */
export function wasEndedHere(pingId: PingId): boolean {
  return endedHere.has(pingId)
}
