import type { PingId, UserId } from '@hither/contract/ids.ts'
import { createPersistentQueue } from '../../outbox/persistent-queue.ts'
import type { UnsentTrip } from '../../trips/unsent-trips.rules.ts'

/** The viewer's starts, changes and stops of trips that are not sent yet. */
export const unsentTrips = createPersistentQueue<UnsentTrip>('trips')

/** The decision about the trip to this ping that is not sent yet. At most one waits. */
export function unsentTripTo(pingId: PingId): UnsentTrip | undefined {
  return unsentTrips.items().find(({ ping_id }) => ping_id === pingId)
}

export function tripsLock(userId: UserId): string {
  return `hither-trips-${userId}`
}
