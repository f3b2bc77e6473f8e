import Box from '@mui/material/Box'
import List from '@mui/material/List'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { t } from '../../i18n/translate.ts'
import type { Place } from '../../map/map-defaults.ts'
import { SavedPlaceRow } from './SavedPlaceRow.tsx'
import { orderSaved } from './saved-places.rules.ts'
import { type SavedPlace, useSavedPlaces } from './saved-places.ts'

interface Props {
  /** The nearest places are first. Null while it is unknown. */
  near: Place | null
  onChoose: (place: SavedPlace) => void
}

const shownRowsPx = 190

/** The saved places of this account on this device. Empty without one. */
export function SavedPlaceList({ near, onChoose }: Props) {
  const id = useId()
  const places = useSavedPlaces()
  if (places.length === 0) return null
  return (
    <Box sx={{ width: '100%' }}>
      <Typography id={id} component="h3" variant="subtitle2" color="textSecondary">
        {t('pings.savedPlace.title')}
      </Typography>
      <List disablePadding aria-labelledby={id} sx={{ maxHeight: shownRowsPx, overflowY: 'auto', mx: -1.5 }}>
        {orderSaved(places, near).map((place) => (
          <SavedPlaceRow key={place.id} place={place} onChoose={onChoose} />
        ))}
      </List>
    </Box>
  )
}
