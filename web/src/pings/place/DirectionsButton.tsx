import DirectionsRounded from '@mui/icons-material/DirectionsRounded'
import Button from '@mui/material/Button'
import { pingDetailsStrings } from '../view/strings.ts'
import { useDirections } from './use-directions.ts'

/** Directions among the buttons of the page, for a place that the header of the page does not know. */
export function DirectionsButton({ ping }: { ping: Parameters<typeof useDirections>[0] }) {
  const directions = useDirections(ping)
  if (directions === null) return null
  return (
    <Button variant="outlined" startIcon={<DirectionsRounded />} {...directions}>
      {pingDetailsStrings.navigate}
    </Button>
  )
}
