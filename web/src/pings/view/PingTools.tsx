import type { ShownPing } from '@hither/contract/pings.ts'
import DirectionsRounded from '@mui/icons-material/DirectionsRounded'
import IosShareRounded from '@mui/icons-material/IosShareRounded'
import IconButton from '@mui/material/IconButton'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useDirections } from '../place/use-directions.ts'
import { useSharePing } from '../share-ping.ts'
import { pingDetailsStrings } from './strings.ts'

/** The buttons for directions to an exact place and for sharing. */
export function PingTools({ ping }: { ping: ShownPing }) {
  const directions = useDirections(ping)
  const share = useSharePing()
  return (
    <>
      {directions && (
        <Tooltip title={pingDetailsStrings.navigate}>
          <IconButton {...directions} aria-label={pingDetailsStrings.navigate}>
            <DirectionsRounded />
          </IconButton>
        </Tooltip>
      )}
      <Tooltip title={pingDetailsStrings.share}>
        <IconButton aria-label={pingDetailsStrings.share} onClick={() => share(ping)}>
          <IosShareRounded />
        </IconButton>
      </Tooltip>
    </>
  )
}
