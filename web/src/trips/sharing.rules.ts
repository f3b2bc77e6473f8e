import type { UserId } from '@hither/contract/ids.ts'
import type { Ping } from '@hither/contract/pings.ts'
import { tripLimits } from '@hither/contract/runtime/trips.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { Trip } from '@hither/contract/trips.ts'

/**
 * Whether the viewer is offered to share an arrival time: owners, unless nobody else would see it, and invitees who are
 * going, from three hours before the start to the end. `nowMs` is the time of the server.
 */
export function canShareTrip(ping: Ping, viewerId: UserId, nowMs: number): boolean {
  const startMs = Date.parse(ping.activates_at ?? ping.created_at)
  const isTime = startMs - nowMs <= tripLimits.earliestMs && nowMs < Date.parse(ping.expires_at)
  if (!isTime || ping.status === 'expired') return false
  return ping.access === 'owner' ? ping.responses_visible : goingResponses(ping).some((one) => one.user_id === viewerId)
}

/** The names of the others who see the trip of the viewer, with the owner first. */
export function tripViewerNames(ping: Ping, viewerId: UserId): string[] {
  const others = ping.responses_visible ? goingResponses(ping).filter(({ user_id }) => user_id !== viewerId) : []
  return [...(ping.user_id === viewerId ? [] : [ping]), ...others].map(shownName)
}

function goingResponses({ responses }: Ping) {
  return responses.filter(({ response_type }) => response_type === 'accepted')
}

/** Returns the trips that have not ended by the time of the server, whether or not their end was announced. */
export function currentTrips({ trips, expires_at, status }: Ping, nowMs: number): readonly Trip[] {
  if (status === 'expired' || nowMs >= Date.parse(expires_at)) return []
  return trips.filter(
    ({ state, arrives_at }) => state === 'arrived' || nowMs < Date.parse(arrives_at) + tripLimits.overdueMs,
  )
}
