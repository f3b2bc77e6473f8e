import type { Ping } from '@hither/contract/pings.ts'
import type { User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import { visuallyHidden } from '@mui/utils'
import { useState } from 'react'
import { useServerNow } from '../../api/server-time.ts'
import { canShareTrip, currentTrips } from '../../trips/sharing.rules.ts'
import { rowName } from '../../trips/trip-texts.rules.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { useImageOwners } from '../view/use-image-owners.ts'
import { TripRow } from './TripRow.tsx'
import { travelerName } from './traveler-name.ts'

const TripSheet = lazyComponent(async () => (await import('./TripSheet.tsx')).TripSheet)

interface Props {
  ping: Ping
  viewer: User
}

/** When the people arrive who share it. The viewer's own row opens the sheet. Announces the arrivals of others. */
export function TripRows({ ping, viewer }: Props) {
  const nowMs = useServerNow(1000)
  const images = useImageOwners(viewer)
  const [isOpen, setIsOpen] = useState(false)
  const trips = currentTrips(ping, nowMs)
  const canChange = canShareTrip(ping, viewer.id, nowMs)
  return (
    <>
      {trips.length > 0 && (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 0.5 }}>
          {trips.map((trip) => (
            <TripRow
              key={trip.user_id}
              trip={trip}
              name={travelerName(trip, ping)}
              hasImage={images.has(trip.user_id) || (trip.user_id === ping.user_id && ping.user_has_image)}
              nowMs={nowMs}
              {...(trip.user_id === viewer.id && canChange && { onChange: () => setIsOpen(true) })}
            />
          ))}
        </Box>
      )}
      <TripSheet open={isOpen} ping={ping} viewer={viewer} onClose={() => setIsOpen(false)} />
      <ArrivalAnnouncer ping={ping} viewer={viewer} nowMs={nowMs} />
    </>
  )
}

/** Announces the people who arrive while the page is open. Counting down is not announced. */
function ArrivalAnnouncer({ ping, viewer, nowMs }: Props & { nowMs: number }) {
  const arrived = ping.trips.filter(({ state, user_id }) => state === 'arrived' && user_id !== viewer.id)
  const ids = arrived.map(({ user_id, started_at }) => `${user_id} ${started_at}`)
  const [known, setKnown] = useState(ids)
  const [text, setText] = useState('')
  if (ids.join() !== known.join()) {
    setKnown(ids)
    const latest = arrived.filter((_trip, index) => !known.includes(ids[index] ?? ''))
    if (latest.length > 0) setText(latest.map((trip) => rowName(travelerName(trip, ping), trip, nowMs)).join('. '))
  }
  return (
    <div role="status" style={visuallyHidden}>
      {text}
    </div>
  )
}
