import PlaceRounded from '@mui/icons-material/PlaceRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Typography from '@mui/material/Typography'
import { t } from '../../i18n/translate.ts'
import { addressOrCoordinates } from '../../map/location/address-text.ts'
import { lengthText } from '../../map/location/distance.ts'
import { isInexact } from '../../map/location/geolocation.ts'
import type { ChosenPlace } from './chosen-place.ts'

const placeNames = {
  map: t('pings.create.placeOnMap'),
  device: t('pings.create.placeOfDevice'),
  given: t('pings.create.placeGiven'),
} as const

interface Props {
  place: ChosenPlace
  /** Shown instead of the coordinates. */
  address: string | null
  onLocate: () => void
  onChooseOnMap: () => void
}

/** The location of the new pin, or why it is unknown and how to choose one. */
export function PlaceLine({ place, address, onLocate, onChooseOnMap }: Props) {
  const isMissing = place.from === 'nowhere'
  const chooseOnMap = (
    <Button size="small" onClick={onChooseOnMap} sx={{ marginInlineStart: -1.75 }}>
      {t('pings.create.chooseOnMap')}
    </Button>
  )
  return (
    <Box
      role="status"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        p: 1.5,
        minHeight: 64,
      }}
    >
      {place.from === 'locating' ? (
        <CircularProgress aria-hidden size={24} />
      ) : (
        <PlaceRounded aria-hidden sx={{ color: isMissing ? 'text.secondary' : 'primary.main' }} />
      )}
      <Box sx={{ flex: 1, minWidth: 0 }}>{words()}</Box>
    </Box>
  )

  function words() {
    switch (place.from) {
      case 'locating':
        return (
          <>
            <Typography>{t('pings.create.locating')}</Typography>
            {chooseOnMap}
          </>
        )
      case 'nowhere':
        return (
          <>
            <Typography variant="body2">{place.reason ?? t('pings.locationMissing')}</Typography>
            <Typography variant="body2" color="textSecondary">
              {t('pings.create.tapTheMap')}
            </Typography>
            {chooseOnMap}
            <Button size="small" onClick={onLocate}>
              {t('pings.create.useOwnPlace')}
            </Button>
          </>
        )
      case 'map':
      case 'device':
      case 'given':
        return (
          <>
            <Typography sx={{ fontWeight: 600 }}>{placeNames[place.from]}</Typography>
            <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
              {addressOrCoordinates({ ...place, address })}
            </Typography>
            {place.from === 'device' && isInexact(place) && (
              <>
                <Typography variant="body2" sx={{ fontWeight: 600, mt: 0.5 }}>
                  {t('pings.create.placeInexact', { distance: lengthText(place.accuracyM) })}
                </Typography>
                {chooseOnMap}
              </>
            )}
          </>
        )
    }
  }
}
