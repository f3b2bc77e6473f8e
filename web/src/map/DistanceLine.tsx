import Typography from '@mui/material/Typography'
import { type Place } from './map-defaults.ts'
import { useDistanceTo } from './own-place.ts'

/** How far it is to go there; nothing as long as it is not known where from. */
export function DistanceLine({ place }: { place: Place }) {
  const distance = useDistanceTo(place)
  if (distance === null) return null
  return (
    <Typography variant="body2" color="textSecondary">
      {distance}
    </Typography>
  )
}
