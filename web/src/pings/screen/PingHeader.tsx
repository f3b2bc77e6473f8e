import type { ShownPing } from '@hither/contract/pings.ts'
import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { useServerNow } from '../../api/server-time.ts'
import { mirrored } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { statusAt } from '../pings.rules.ts'
import { PingTools } from '../view/PingTools.tsx'

interface Props {
  /** Null if there is no ping to show. */
  ping: ShownPing | null
  onBack: () => void
}

/** The header of the ping page. Directions and sharing need a ping that has not expired. */
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
        pt: 'var(--page-top, var(--sat))',
        bgcolor: 'background.paper',
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      <IconButton aria-label={t('pings.back')} onClick={onBack}>
        <ArrowBackRounded sx={mirrored} />
      </IconButton>
      <Box sx={{ flex: 1 }} />
      {ping && statusAt(ping, nowMs) !== 'expired' && <PingTools ping={ping} />}
    </Box>
  )
}
