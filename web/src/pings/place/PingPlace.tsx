import type { PingId } from '@hither/contract/ids.ts'
import type { Guest, PingStatus } from '@hither/contract/pings.ts'
import PlaceRounded from '@mui/icons-material/PlaceRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Link } from 'react-router'
import { t } from '../../i18n/translate.ts'
import { PlaceView } from '../../map/place-view/PlaceView.tsx'
import { mapName } from './area.rules.ts'
import { type PlacedPing, PlaceLines } from './PlaceLines.tsx'
import { isExact } from './place.rules.ts'

interface Props {
  ping: PlacedPing & { id: PingId }
  status: PingStatus
  /** The viewer's response as a guest. */
  guest?: Guest | null
}

/** The place of a ping on its page: a map until the ping expires, or of what is left of an own place, and the place in words. */
export function PingPlace({ ping, status, guest = null }: Props) {
  const { latitude, longitude, access } = ping
  const isExpired = status === 'expired'
  // The owner's pin has a circle instead of a place after its end.
  const isErased = access === 'owner' && !isExact(ping)
  const isOnHome = access === 'owner' || access === 'invitee'
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      {(!isExpired || isErased) && (
        <PlaceView
          latitude={latitude}
          longitude={longitude}
          radiusM={isExact(ping) ? null : ping.place_radius_m}
          isOwn={access === 'owner'}
          name={mapName(ping)}
        />
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <Box sx={{ display: 'flex', gap: 1, flex: '1 1 220px', minWidth: 0, color: 'text.secondary' }}>
          <PlaceRounded aria-hidden fontSize="small" sx={{ mt: '2px' }} />
          <Box sx={{ minWidth: 0, display: 'grid', gap: 0.25, alignContent: 'start' }}>
            <PlaceLines ping={ping} status={status} guest={guest} hasAddress />
          </Box>
        </Box>
        {isOnHome && !isExpired && (
          <Button component={Link} to={`/?pin=${ping.id}`} sx={{ alignSelf: 'start', px: 1 }}>
            {t('pings.place.openOnMap')}
          </Button>
        )}
      </Box>
    </Box>
  )
}
