import type { User } from '@hither/contract/users.ts'
import Typography from '@mui/material/Typography'
import { useTimeZone } from '../api/server-time.ts'
import { t } from '../i18n/translate.ts'
import type { OwnTrip } from '../pings/trips/own-trips.rules.ts'
import { useOwnTrips } from '../pings/trips/use-own-trips.ts'
import { useTripActions } from '../pings/trips/use-trip-actions.ts'
import { clockTime } from '../ui/format-time.ts'
import { RowButton } from '../ui/settings/RowButton.tsx'
import { SettingsGroup } from '../ui/settings/SettingsGroup.tsx'

/** The arrival times that the user shares. Each is ended here. */
export function OpenTrips({ viewer }: { viewer: User }) {
  useTimeZone()
  const trips = useOwnTrips(viewer.id)
  const { stop } = useTripActions(viewer)
  return (
    <SettingsGroup<OwnTrip>
      title={t('safety.trips')}
      rows={trips}
      failure={t('safety.tripsFailed')}
      empty={t('trips.noneShared')}
      keyOf={({ ping_id }) => ping_id}
      renderRow={(trip) => (
        <>
          <Typography sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
            {(trip.state === 'arrived'
              ? (pin: string, time: string) => t('safety.hereSince', { pin, time })
              : (name: string, time: string) => t('trips.arriving', { name, time }))(
              trip.name,
              clockTime(trip.arrives_at),
            )}
          </Typography>
          <RowButton
            name={t('safety.stopTripTo', { pin: trip.name })}
            label={t('trips.stop')}
            onClick={() => stop(trip)}
          />
        </>
      )}
    />
  )
}
