import AddLocationAltRounded from '@mui/icons-material/AddLocationAltRounded'
import CloseRounded from '@mui/icons-material/CloseRounded'
import DirectionsRounded from '@mui/icons-material/DirectionsRounded'
import PlaceRounded from '@mui/icons-material/PlaceRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { Marker } from '@vis.gl/react-maplibre'
import { t } from '../i18n/translate.ts'
import { addressOrCoordinates } from '../map/location/address-text.ts'
import { MapPopup } from '../map/pins/MapPopup.tsx'
import type { NamedPlace } from '../map/places/shown-place.ts'
import { useDirections } from '../pings/place/use-directions.ts'
import { SavePlaceButton } from '../pings/saved-places/SavePlaceButton.tsx'
import { Dialog } from '../ui/overlays/Dialog.tsx'

interface Props {
  place: NamedPlace
  onPin: (place: NamedPlace) => void
  onClose: () => void
}

const markerHeightPx = 40

/** The gray marker of a place that is no pin, with its card. */
export function ShownPlaceCard(props: Props) {
  const { name, latitude, longitude } = props.place
  return (
    <>
      <Marker latitude={latitude} longitude={longitude} anchor="bottom" className="shown-place">
        <PlaceRounded
          aria-hidden
          sx={{
            display: 'block',
            fontSize: 48,
            mb: '-4px',
            color: '#6B7280',
            stroke: 'white',
            strokeWidth: 0.7,
          }}
        />
      </Marker>
      <MapPopup
        latitude={latitude}
        longitude={longitude}
        offset={[0, -markerHeightPx]}
        pinId="shown-place"
        label={name ?? t('home.place')}
        onClose={props.onClose}
      >
        <PlaceDetails {...props} />
      </MapPopup>
    </>
  )
}

/** The place and what can be done there. Low enough for a phone, so that the map need not move for it. */
function PlaceDetails({ place, onPin, onClose }: Props) {
  const { name, address, latitude, longitude } = place
  const directions = useDirections({ name: name ?? t('home.place'), latitude, longitude, place_radius_m: null })
  return (
    <Box sx={{ width: 'min(336px, calc(100vw - 32px))', p: 1.5, display: 'grid', gap: 1 }}>
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'flex-start' }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography component="h2" variant="subtitle1" sx={{ lineHeight: 1.25, overflowWrap: 'anywhere' }}>
            <bdi>{name ?? t('home.place')}</bdi>
          </Typography>
          <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {addressOrCoordinates({ latitude, longitude, address })}
          </Typography>
        </Box>
        <IconButton aria-label={t('pings.close')} onClick={onClose} sx={{ mt: -1, marginInlineEnd: -1 }}>
          <CloseRounded fontSize="small" />
        </IconButton>
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1, rowGap: 0.5 }}>
        <Button variant="contained" startIcon={<AddLocationAltRounded />} onClick={() => onPin(place)}>
          {t('home.pinHere')}
        </Button>
        {directions && (
          <Button size="small" variant="outlined" startIcon={<DirectionsRounded />} {...directions}>
            {t('pings.navigate')}
          </Button>
        )}
        <SavePlaceButton size="small" place={{ latitude, longitude, address, ...(name !== null && { name }) }} />
      </Box>
    </Box>
  )
}

/** The card where this browser cannot draw a map. */
export function ShownPlaceDialog({ open, ...props }: Props & { open: boolean }) {
  return (
    <Dialog
      open={open}
      onClose={props.onClose}
      maxWidth="xs"
      slotProps={{ paper: { 'aria-label': props.place.name ?? t('home.place') } }}
    >
      <PlaceDetails {...props} />
    </Dialog>
  )
}
