import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import DirectionsRounded from '@mui/icons-material/DirectionsRounded'
import IosShareRounded from '@mui/icons-material/IosShareRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { useQuery } from '@tanstack/react-query'
import { clientConfigQuery } from '../api/client-config.ts'
import { useServerNow } from '../api/server-time.ts'
import { Tooltip } from '../ui/Tooltip.tsx'
import { directionsAddress } from './directions.ts'
import { type ShownPing } from './ping-shapes.ts'
import { statusAt } from './pings.rules.ts'
import { pingStrings } from './strings.ts'
import { useSharePing } from './use-share-ping.ts'

interface Props {
  /** None where there is nothing to see. */
  ping: ShownPing | null
  onBack: () => void
}

/** The bar of the ping page. There is no way to where something was, and nothing to share of it. */
export function PingHeader({ ping, onBack }: Props) {
  const nowMs = useServerNow(1000)
  return (
    <Box
      component="header"
      sx={{
        position: 'sticky',
        top: 0,
        zIndex: 2,
        display: 'flex',
        alignItems: 'center',
        gap: 0.5,
        minHeight: 56,
        px: 1,
        pt: 'var(--sat)',
        bgcolor: 'background.paper',
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      <IconButton aria-label={pingStrings.back} onClick={onBack}>
        <ArrowBackRounded />
      </IconButton>
      <Box sx={{ flex: 1 }} />
      {ping && statusAt(ping, nowMs) !== 'expired' && <Actions ping={ping} />}
    </Box>
  )
}

function Actions({ ping }: { ping: ShownPing }) {
  const config = useQuery(clientConfigQuery())
  const share = useSharePing()
  const template = config.data?.directions_url
  return (
    <>
      {template !== undefined && (
        <Tooltip title={pingStrings.navigate}>
          <IconButton
            component="a"
            href={directionsAddress(ping, template)}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={pingStrings.navigate}
          >
            <DirectionsRounded />
          </IconButton>
        </Tooltip>
      )}
      <Tooltip title={pingStrings.share}>
        <IconButton aria-label={pingStrings.share} onClick={() => share(ping)}>
          <IosShareRounded />
        </IconButton>
      </Tooltip>
    </>
  )
}
