import type { PingId } from '@hither/contract/ids.ts'
import { useEffect, useRef } from 'react'
import { t } from '../../i18n/translate.ts'
import { publishNotice } from '../../ui/notices/notices.ts'
import type { OwnTrip } from './own-trips.rules.ts'
import { wasEndedHere } from './own-trips.ts'
import { unsentTripTo } from './unsent-trips.ts'

/** Shows a message when a trip on the way has ended other than by the viewer on this page. `trips` is undefined while they are unknown. */
export function useEndedTrips(trips: readonly OwnTrip[] | undefined) {
  const shown = useRef<ReadonlyMap<PingId, OwnTrip>>(new Map())
  useEffect(() => {
    if (trips === undefined) return
    const current = new Map(trips.map((trip) => [trip.ping_id, trip]))
    for (const { ping_id, name, state } of shown.current.values()) {
      // The server does not know what waits for the network, so its lists may not have the trip.
      const isEnded = state === 'en_route' && !current.has(ping_id) && !wasEndedHere(ping_id) && !unsentTripTo(ping_id)
      if (isEnded) publishNotice({ kind: 'notice', text: t('trips.ended', { name }) })
    }
    shown.current = current
  }, [trips])
}
