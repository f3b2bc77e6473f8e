import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { Ping } from '@hither/contract/pings.ts'
import type { Trip } from '@hither/contract/trips.ts'
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { pingsQuery } from '../pings.api.ts'
import { titleOf } from '../pings.rules.ts'
import { unsentTrips } from './unsent-trips.ts'

/** A trip of the viewer with the title of its ping. */
export interface OwnTrip extends Trip {
  readonly name: string
}

/** The viewer's trips by arrival, without those whose stop waits for the network. */
export function useOwnTrips(viewerId: UserId) {
  const unsent = useSyncExternalStore(unsentTrips.subscribe, unsentTrips.items)
  const { data, isError, error, isFetching, refetch } = useQuery(pingsQuery())
  const isStopped = (pingId: PingId) => unsent.some(({ kind, ping_id }) => kind === 'stop' && ping_id === pingId)
  const trips = data && ownTripsOf(data, viewerId).filter((trip) => !isStopped(trip.ping_id))
  return { data: trips, isError, error, isFetching, refetch }
}

function ownTripsOf(pings: readonly Ping[], viewerId: UserId): OwnTrip[] {
  return pings
    .flatMap((ping) =>
      ping.trips
        .filter(({ user_id }) => user_id === viewerId)
        .map((trip): OwnTrip => ({ ...trip, name: titleOf(ping) })),
    )
    .sort((a, b) => Date.parse(a.arrives_at) - Date.parse(b.arrives_at))
}
