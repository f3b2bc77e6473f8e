import PlaceRounded from '@mui/icons-material/PlaceRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Typography from '@mui/material/Typography'
import { coordinatesText } from '../map/coordinates.ts'
import { type ChosenPlace } from './chosen-place.ts'
import { createStrings } from './strings.ts'

const placeNames = {
  map: createStrings.placeOnMap,
  device: createStrings.placeOfDevice,
  given: createStrings.placeGiven,
} as const

interface Props {
  place: ChosenPlace
  /** The address that was looked up; it is shown instead of the coordinates. */
  found: string | null
  onLocate: () => void
  onChooseOnMap: () => void
}

/** Where the pin will stand, or why that is not known and what to do about it. */
export function PlaceLine({ place, found, onLocate, onChooseOnMap }: Props) {
  const isMissing = place.from === 'nowhere'
  return (
    <Box
      role="status"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        p: 1.5,
        borderRadius: '16px',
        bgcolor: 'action.hover',
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
        return <Typography>{createStrings.locating}</Typography>
      case 'nowhere':
        return (
          <>
            <Typography variant="body2">{place.reason ?? createStrings.locationMissing}</Typography>
            <Typography variant="body2" color="textSecondary">
              {createStrings.tapTheMap}
            </Typography>
            <Button size="small" onClick={onChooseOnMap} sx={{ ml: -1.75 }}>
              {createStrings.chooseOnMap}
            </Button>
            {place.reason === null && (
              <Button size="small" onClick={onLocate}>
                {createStrings.useOwnPlace}
              </Button>
            )}
          </>
        )
      case 'map':
      case 'device':
      case 'given':
        return (
          <>
            <Typography sx={{ fontWeight: 600 }}>{placeNames[place.from]}</Typography>
            <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
              {found ?? coordinatesText(place)}
            </Typography>
          </>
        )
    }
  }
}
