import type { AreaKm } from '@hither/contract/areas.ts'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { t } from '../../i18n/translate.ts'
import { nearText, townOf } from '../../map/location/address-text.ts'
import type { Place } from '../../map/map-defaults.ts'
import { areaQuery } from '../../map/places/geo.api.ts'
import { areaStrings } from '../place/place.rules.ts'

interface Props {
  place: Place | null
  areaKm: AreaKm
  isPublic: boolean
}

/** What people see who may not know the exact place. Nothing while the server has not said so. */
export function AreaSentence({ place, areaKm, isPublic }: Props) {
  const { data: area, isPlaceholderData: isOfOtherPlace } = useQuery(areaQuery(place, areaKm))
  if (area === undefined) return null
  const shown = area.address === null ? areaStrings.inThisArea : nearText(townOf(area.address))
  return (
    <Typography
      variant="body2"
      color="textSecondary"
      sx={{ overflowWrap: 'anywhere', visibility: isOfOtherPlace ? 'hidden' : 'visible' }}
    >
      {isPublic
        ? t('pings.placePrivacy.linkSees', { place: shown })
        : t('pings.placePrivacy.friendsSee', { place: shown })}
    </Typography>
  )
}
