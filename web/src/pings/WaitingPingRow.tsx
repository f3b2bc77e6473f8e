import { type User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import ListItem from '@mui/material/ListItem'
import Typography from '@mui/material/Typography'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { WaitingPingActions } from './WaitingPingActions.tsx'
import { standingOf, type WaitingPing } from './waiting.rules.ts'
import { waitingWords } from './waiting-words.ts'

interface Props {
  ping: WaitingPing
  owner: User
  nowMs: number
  onEdit: (ping: WaitingPing) => void
}

/** A pin of one's own that is not sent yet. */
export function WaitingPingRow({ ping, owner, nowMs, onEdit }: Props) {
  const standing = standingOf(ping, nowMs)
  const { state, time } = waitingWords(ping, nowMs)
  return (
    <ListItem alignItems="flex-start" sx={{ gap: 1.5, px: 2, py: 1.25 }}>
      <Box sx={{ filter: 'grayscale(1)' }}>
        <UserAvatar userId={owner.id} username={owner.username} hasImage={owner.has_image} size={40} />
      </Box>
      <Box sx={{ minWidth: 0, flex: 1 }}>
        <Typography noWrap sx={{ fontWeight: 700 }}>
          {ping.input.name}
        </Typography>
        <Typography
          variant="body2"
          sx={{ fontWeight: 600, color: standing === 'waiting' ? 'text.primary' : 'error.main' }}
        >
          {state}
        </Typography>
        {time !== null && (
          <Typography variant="body2" color="textSecondary">
            {time}
          </Typography>
        )}
        <WaitingPingActions ping={ping} standing={standing} ownerId={owner.id} onEdit={onEdit} />
      </Box>
    </ListItem>
  )
}
