import type { PingId } from '@hither/contract/ids.ts'
import PlaceRounded from '@mui/icons-material/PlaceRounded'
import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { t } from '../../i18n/translate.ts'
import { pingQuery } from '../pings.api.ts'
import { titleOf } from '../pings.rules.ts'
import { PingTime } from './PingTime.tsx'

/** A link from the chat of a ping to the ping. Shows nothing if the ping no longer exists. */
export function PingLine({ pingId }: { pingId: PingId }) {
  const { data: ping } = useQuery(pingQuery(pingId))
  if (!ping) return null
  return (
    <Box
      component={Link}
      to={`/pins/${pingId}`}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        minHeight: 44,
        px: 2,
        borderTop: 1,
        borderColor: 'divider',
        color: 'text.primary',
        fontSize: '0.875rem',
        textDecoration: 'none',
        '&:hover': { bgcolor: 'action.hover' },
        '&:focus-visible': { outline: '3px solid', outlineColor: 'primary.main', outlineOffset: -3 },
      }}
    >
      <PlaceRounded aria-hidden fontSize="small" color="primary" />
      <Box
        component="span"
        sx={{
          flex: 1,
          minWidth: 0,
          overflow: 'hidden',
          textOverflow: 'ellipsis',
          whiteSpace: 'nowrap',
          fontWeight: 600,
        }}
      >
        {t('pings.pingLine.pin', { name: titleOf(ping) })}
      </Box>
      <Box component="span" sx={{ flexShrink: 0, color: 'text.secondary' }}>
        <PingTime ping={ping} wording="remaining" />
      </Box>
    </Box>
  )
}
