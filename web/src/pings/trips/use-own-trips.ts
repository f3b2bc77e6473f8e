import type { PingId, UserId } from '@hither/contract/ids.ts'
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useServerNow } from '../../api/server-time.ts'
import { pingsQuery } from '../pings.api.ts'
import { ownTripsOf } from './own-trips.rules.ts'
import { unsentTrips } from './unsent-trips.ts'

/** The viewer's trips by arrival, without those whose stop waits for the network. */
export function useOwnTrips(viewerId: UserId) {
  const unsent = useSyncExternalStore(unsentTrips.subscribe, unsentTrips.items)
  const { data, isError, error, isFetching, refetch } = useQuery(pingsQuery())
  const nowMs = useServerNow(1000)
  const isStopped = (pingId: PingId) => unsent.some(({ kind, ping_id }) => kind === 'stop' && ping_id === pingId)
  const trips = data && ownTripsOf(data, viewerId, nowMs).filter((trip) => !isStopped(trip.ping_id))
  return { data: trips, isError, error, isFetching, refetch }
}
