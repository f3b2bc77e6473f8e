import { type PingId } from '@hither/contract/ids.ts'
import PlaceRounded from '@mui/icons-material/PlaceRounded'
import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useServerNow } from '../api/server-time.ts'
import { pingQuery } from '../pings/pings.api.ts'
import { timeLeft } from './ping-time.ts'
import { conversationStrings } from './strings.ts'

/** The way from a ping's chat to the ping, as long as it is kept. */
export function PingLine({ pingId }: { pingId: PingId }) {
  const { data: ping } = useQuery(pingQuery(pingId))
  const nowMs = useServerNow(10_000)
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
        {conversationStrings.pin(ping.name || ping.username)}
      </Box>
      <Box component="span" sx={{ flexShrink: 0, color: 'text.secondary' }}>
        {timeLeft(ping, nowMs)}
      </Box>
    </Box>
  )
}
