import Typography from '@mui/material/Typography'
import type { Place } from '../map-defaults.ts'
import { useDistanceTo } from './last-known-place.ts'

/** The distance to a place. Renders nothing while the user's position is unknown. */
export function DistanceLine({ place }: { place: Place }) {
  const distance = useDistanceTo(place)
  if (distance === null) return null
  return (
    <Typography variant="body2" color="textSecondary">
      {distance}
    </Typography>
  )
}
