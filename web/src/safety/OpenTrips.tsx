import type { User } from '@hither/contract/users.ts'
import Typography from '@mui/material/Typography'
import { useTimeZone } from '../api/server-time.ts'
import type { OwnTrip } from '../pings/trips/own-trips.rules.ts'
import { useOwnTrips } from '../pings/trips/use-own-trips.ts'
import { useTripActions } from '../pings/trips/use-trip-actions.ts'
import { tripStrings } from '../trips/strings.ts'
import { clockTime } from '../ui/format-time.ts'
import { RowButton } from '../ui/settings/RowButton.tsx'
import { SettingsGroup } from '../ui/settings/SettingsGroup.tsx'
import { safetyStrings as strings } from './strings.ts'

/** The arrival times that the user shares. Each is ended here. */
export function OpenTrips({ viewer }: { viewer: User }) {
  useTimeZone()
  const trips = useOwnTrips(viewer.id)
  const { stop } = useTripActions(viewer)
  return (
    <SettingsGroup<OwnTrip>
      title={strings.trips}
      rows={trips}
      failure={strings.tripsFailed}
      empty={tripStrings.noneShared}
      keyOf={({ ping_id }) => ping_id}
      renderRow={(trip) => (
        <>
          <Typography sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
            {(trip.state === 'arrived' ? strings.hereSince : tripStrings.arriving)(
              trip.name,
              clockTime(trip.arrives_at),
            )}
          </Typography>
          <RowButton name={strings.stopTripTo(trip.name)} label={tripStrings.stop} onClick={() => stop(trip)} />
        </>
      )}
    />
  )
}
