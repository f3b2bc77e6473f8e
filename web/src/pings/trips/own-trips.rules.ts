import type { UserId } from '@hither/contract/ids.ts'
import type { Ping } from '@hither/contract/pings.ts'
import type { Trip } from '@hither/contract/trips.ts'
import { currentTrips } from '../../trips/sharing.rules.ts'
import { titleOf } from '../pings.rules.ts'

/** A trip of the viewer with the title of its ping. */
export interface OwnTrip extends Trip {
  readonly name: string
}

/** Returns the viewer's trips that have not ended by the time of the server, by arrival. */
export function ownTripsOf(pings: readonly Ping[], viewerId: UserId, nowMs: number): OwnTrip[] {
  return pings
    .flatMap((ping) =>
      currentTrips(ping, nowMs)
        .filter(({ user_id }) => user_id === viewerId)
        .map((trip): OwnTrip => ({ ...trip, name: titleOf(ping) })),
    )
    .sort((a, b) => Date.parse(a.arrives_at) - Date.parse(b.arrives_at))
}
