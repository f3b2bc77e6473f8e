import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormHelperText from '@mui/material/FormHelperText'
import { useId, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { drawnMaplibre } from '../../map/engine/drawn-map.ts'
import { isInexact } from '../../map/location/geolocation.ts'
import type { Place } from '../../map/map-defaults.ts'
import { PlaceField } from '../../map/places/PlaceField.tsx'
import type { ChosenAddress } from '../../map/places/use-address.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { SavePlaceButton } from '../saved-places/SavePlaceButton.tsx'
import type { SavedPlace } from '../saved-places/saved-places.ts'
import { type ChosenPlace, placeOf } from './chosen-place.ts'
import { PlaceLine } from './PlaceLine.tsx'

const PlaceMap = lazyComponent(async () => (await import('../../map/places/PlaceMap.tsx')).PlaceMap)

const SavedPlaceList = lazyComponent(async () => (await import('../saved-places/SavedPlaceList.tsx')).SavedPlaceList)

const mapHeightPx = 148

interface Props {
  place: ChosenPlace
  address: ChosenAddress
  error?: string | undefined
  onPlace: (place: Place) => void
  onLocate: () => void
  onChooseOnMap: () => void
  /** Offers saved places, the nearest to `near` first, and saves the chosen one. */
  saving?: { near: Place | null; onChoose: (place: SavedPlace) => void }
}

/** The place of a new pin: a small map if one was drawn before, the place in words, and on request a search and the address. */
export function PlaceCard({ place, address, error, onPlace, onLocate, onChooseOnMap, saving }: Props) {
  const id = useId()
  const [isEditing, setIsEditing] = useState(false)
  const chosen = placeOf(place)
  const maplibre = drawnMaplibre()

  return (
    <Box data-invalid={error !== undefined} sx={{ borderRadius: '16px', bgcolor: 'action.hover' }}>
      {chosen && maplibre && (
        // The height is reserved while the code loads, so that the buttons below do not move under a finger.
        <Box sx={{ height: mapHeightPx }}>
          <PlaceMap
            maplibre={maplibre}
            place={chosen}
            errorM={place.from === 'device' && isInexact(place) ? place.accuracyM : null}
            onMove={onPlace}
          />
        </Box>
      )}
      <PlaceLine
        place={place}
        address={address.text.trim() || null}
        onLocate={onLocate}
        onChooseOnMap={onChooseOnMap}
      />
      {error !== undefined && (
        <FormHelperText id={`${id}-error`} error sx={{ mx: 1.5, mt: 0, mb: 0.5 }}>
          {error}
        </FormHelperText>
      )}
      <Button
        size="small"
        {...(error !== undefined && { 'aria-describedby': `${id}-error` })}
        aria-expanded={isEditing}
        aria-controls={`${id}-fields`}
        onClick={() => setIsEditing(!isEditing)}
        endIcon={<ExpandMoreRounded sx={{ rotate: isEditing ? '180deg' : '0deg' }} />}
        sx={{ mx: 0.5, mb: 0.5 }}
      >
        {t('pings.create.editPlace')}
      </Button>
      {saving && chosen && (
        <SavePlaceButton
          size="small"
          place={{ ...chosen, address: address.text.trim() || null }}
          sx={{ mx: 0.5, mb: 0.5 }}
        />
      )}
      <Box id={`${id}-fields`} hidden={!isEditing} sx={{ px: 1.5, pt: 1, pb: 1.5 }}>
        {isEditing && (
          <PlaceField
            place={chosen}
            isOwnPosition={place.from === 'device'}
            address={address}
            saved={saving && <SavedPlaceList {...saving} />}
            onFound={onPlace}
          />
        )}
      </Box>
    </Box>
  )
}
