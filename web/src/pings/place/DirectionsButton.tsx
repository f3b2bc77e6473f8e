import DirectionsRounded from '@mui/icons-material/DirectionsRounded'
import Button from '@mui/material/Button'
import { t } from '../../i18n/translate.ts'
import { useDirections } from './use-directions.ts'

/** Directions among the buttons of the page, for a place that the header of the page does not know. */
export function DirectionsButton({ ping }: { ping: Parameters<typeof useDirections>[0] }) {
  const directions = useDirections(ping)
  if (directions === null) return null
  return (
    <Button variant="outlined" startIcon={<DirectionsRounded />} {...directions}>
      {t('pings.navigate')}
    </Button>
  )
}
