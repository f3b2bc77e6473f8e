import type { UserId } from '@hither/contract/ids.ts'
import { createPersistentQueue } from '../../outbox/persistent-queue.ts'
import type { UnsentTrip } from '../../trips/unsent-trips.rules.ts'

/** The viewer's starts, changes and stops of trips that are not sent yet. */
export const unsentTrips = createPersistentQueue<UnsentTrip>('trips')

export function tripsLock(userId: UserId): string {
  return `hither-trips-${userId}`
}
