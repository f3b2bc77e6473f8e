import { type Ping, type PingStatus } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import ListItem from '@mui/material/ListItem'
import ListItemButton from '@mui/material/ListItemButton'
import Typography from '@mui/material/Typography'
import { memo, type ReactNode } from 'react'
import { DistanceLine } from '../map/DistanceLine.tsx'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { PingTime } from './PingTime.tsx'
import { StatusChip } from './StatusChip.tsx'

interface Props {
  ping: Ping
  status: PingStatus
  /** Before the time: whose it is. */
  from?: string
  action?: ReactNode
  onOpen: (ping: Ping) => void
}

const rowPx = 64

/**
 * One ping of a list. An expired one is no longer on the map, so it opens nothing. There may be hundreds: they are drawn
 * anew only as they change, and those out of sight not at all.
 */
export const PingRow = memo(function PingRow({ ping, status, from, action, onOpen }: Props) {
  const isOver = status === 'expired'
  return (
    <ListItem
      disablePadding
      sx={{
        display: 'flex',
        alignItems: 'stretch',
        contentVisibility: 'auto',
        containIntrinsicHeight: `auto ${rowPx}px`,
      }}
    >
      <ListItemButton
        disabled={isOver}
        onClick={() => onOpen(ping)}
        // MUI dims what is disabled below a readable contrast; the colour of the text says it as well.
        sx={{ flex: 1, minWidth: 0, gap: 1.5, px: 2, py: 1.25, minHeight: rowPx, '&.Mui-disabled': { opacity: 1 } }}
      >
        <Box sx={{ filter: status === 'active' ? 'none' : 'grayscale(1)', opacity: isOver ? 0.6 : 1 }}>
          <UserAvatar userId={ping.user_id} username={ping.username} hasImage={ping.user_has_image} size={40} />
        </Box>
        <Box sx={{ minWidth: 0, flex: 1 }}>
          <Typography noWrap sx={{ fontWeight: 700, color: isOver ? 'text.secondary' : 'text.primary' }}>
            {ping.name}
          </Typography>
          <Typography
            variant="body2"
            color="textSecondary"
            sx={{ display: 'flex', '& time': { flexShrink: from === undefined ? 1 : 0 } }}
          >
            {from !== undefined && (
              <>
                {/* A long name makes way for the time. */}
                <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
                  {from}
                </Box>
                <Box component="span" sx={{ whiteSpace: 'pre' }}>
                  {' · '}
                </Box>
              </>
            )}
            <PingTime ping={ping} />
          </Typography>
          {from !== undefined && !isOver && <DistanceLine place={ping} />}
        </Box>
        {status !== 'expired' && <StatusChip status={status} />}
      </ListItemButton>
      {action}
    </ListItem>
  )
})
