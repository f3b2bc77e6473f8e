import type { ShownPing } from '@hither/contract/pings.ts'
import DirectionsRounded from '@mui/icons-material/DirectionsRounded'
import IosShareRounded from '@mui/icons-material/IosShareRounded'
import IconButton from '@mui/material/IconButton'
import { t } from '../../i18n/translate.ts'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useDirections } from '../place/use-directions.ts'
import { useSharePing } from '../share-ping.ts'

/** The buttons for directions to an exact place and for sharing. */
export function PingTools({ ping }: { ping: ShownPing }) {
  const directions = useDirections(ping)
  const share = useSharePing()
  return (
    <>
      {directions && (
        <Tooltip title={t('pings.navigate')}>
          <IconButton {...directions} aria-label={t('pings.navigate')}>
            <DirectionsRounded />
          </IconButton>
        </Tooltip>
      )}
      <Tooltip title={t('pings.share')}>
        <IconButton aria-label={t('pings.share')} onClick={() => share(ping)}>
          <IosShareRounded />
        </IconButton>
      </Tooltip>
    </>
  )
}
