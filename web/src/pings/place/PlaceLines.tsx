import type { Guest, PingStatus, ShownPing } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { t } from '../../i18n/translate.ts'
import { DistanceLine } from '../../map/location/DistanceLine.tsx'
import { erasedPlaceText, hiddenPlaceReason, placeText, withinText } from './area.rules.ts'
import { isExact } from './place.rules.ts'
import { useWasHidden } from './use-was-hidden.ts'

export type PlacedPing = Pick<
  ShownPing,
  | 'access'
  | 'latitude'
  | 'longitude'
  | 'address'
  | 'place_radius_m'
  | 'exact_place_for'
  | 'can_respond'
  | 'username'
  | 'display_name'
>

interface Props {
  ping: PlacedPing
  status: PingStatus
  /** The viewer's response as a guest. */
  guest?: Guest | null
  /** Whether the address of an exact place is shown besides its distance. */
  hasAddress?: boolean
}

/** The place of a ping in words. Screen readers announce its changes. */
export function PlaceLines({ ping, status, guest = null, hasAddress = false }: Props) {
  const isVisible = isExact(ping)
  const isNew = useWasHidden(isVisible)
  const isExpired = status === 'expired'
  const isErased = isExpired && ping.access === 'owner' && !isVisible
  return (
    <>
      {/* Without a text it takes no space in a grid. */}
      <Box
        role="status"
        sx={{ display: 'grid', gap: 0.25, overflowWrap: 'anywhere', '&:empty': { position: 'absolute' } }}
      >
        {isVisible ? hasAddress && <Typography>{placeText(ping)}</Typography> : area()}
        {isNew && !isExpired && (
          <Typography variant="body2" sx={{ fontWeight: 600, color: 'success.main' }}>
            {t('pings.place.visibleNow')}
          </Typography>
        )}
      </Box>
      {isVisible && !isExpired && <DistanceLine place={ping} />}
    </>
  )

  function area() {
    if (isErased) return <Typography>{erasedPlaceText(ping)}</Typography>
    return (
      <>
        <Typography sx={{ fontWeight: 600, color: 'text.primary' }}>{placeText(ping)}</Typography>
        {ping.place_radius_m !== null && (
          <Typography variant="body2" color="textSecondary">
            {withinText(ping.place_radius_m)}
          </Typography>
        )}
        {!isExpired && (
          <Typography variant="body2" color="textSecondary">
            {hiddenPlaceReason(ping, guest)}
          </Typography>
        )}
      </>
    )
  }
}
