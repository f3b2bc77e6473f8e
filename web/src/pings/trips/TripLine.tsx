import type { Trip } from '@hither/contract/trips.ts'
import Typography from '@mui/material/Typography'
import { cardLine } from '../../trips/trip-texts.rules.ts'

/** How many people are on the way and here. Takes no space without trips. */
export function TripLine({ trips }: { trips: readonly Trip[] }) {
  const text = cardLine(trips)
  if (text === null) return null
  return (
    <Typography variant="body2" sx={{ fontWeight: 700 }}>
      {text}
    </Typography>
  )
}
