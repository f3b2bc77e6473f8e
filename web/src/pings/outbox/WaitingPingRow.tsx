import { shownName } from '@hither/contract/runtime/users.ts'
import type { User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import ListItem from '@mui/material/ListItem'
import Typography from '@mui/material/Typography'
import { UserAvatar } from '../../ui/UserAvatar.tsx'
import { sendStateOf, type WaitingPing } from './outbox.rules.ts'
import { WaitingPingActions } from './WaitingPingActions.tsx'
import { waitingText } from './waiting-text.ts'

interface Props {
  ping: WaitingPing
  owner: User
  nowMs: number
  onEdit: (ping: WaitingPing) => void
}

/** A row for an own ping that is not sent yet. */
export function WaitingPingRow({ ping, owner, nowMs, onEdit }: Props) {
  const sendState = sendStateOf(ping, nowMs)
  const { state, time } = waitingText(ping, nowMs)
  return (
    <ListItem alignItems="flex-start" sx={{ gap: 1.5, px: 2, py: 1.25 }}>
      <Box sx={{ filter: 'grayscale(1)' }}>
        <UserAvatar userId={owner.id} name={shownName(owner)} hasImage={owner.has_image} size={40} />
      </Box>
      <Box sx={{ minWidth: 0, flex: 1 }}>
        <Typography noWrap sx={{ fontWeight: 700 }}>
          <bdi>{ping.input.name}</bdi>
        </Typography>
        <Typography
          variant="body2"
          sx={{ fontWeight: 600, color: sendState === 'waiting' ? 'text.primary' : 'error.main' }}
        >
          {state}
        </Typography>
        {time !== null && (
          <Typography variant="body2" color="textSecondary">
            {time}
          </Typography>
        )}
        <WaitingPingActions ping={ping} sendState={sendState} ownerId={owner.id} onEdit={onEdit} />
      </Box>
    </ListItem>
  )
}
