import { type Participant } from '@hither/contract/messages.ts'
import PersonRemoveRounded from '@mui/icons-material/PersonRemoveRounded'
import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import CircularProgress from '@mui/material/CircularProgress'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { conversationStrings } from './strings.ts'

interface Props {
  participant: Participant
  isViewer: boolean
  isRemoving: boolean
  /** Null where the viewer may not. */
  onRemove: (() => void) | null
}

export function ParticipantRow({ participant, isViewer, isRemoving, onRemove }: Props) {
  const { user_id, username, has_image, role } = participant
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, minHeight: 60, px: 1 }}>
      <UserAvatar userId={user_id} username={username} hasImage={has_image} size={40} />
      <Typography noWrap sx={{ flex: 1, minWidth: 0 }}>
        {username}
        {isViewer && (
          <Typography component="span" color="textSecondary">
            {` ${conversationStrings.you}`}
          </Typography>
        )}
      </Typography>
      <Chip
        size="small"
        label={conversationStrings.roles[role]}
        {...(role === 'admin' && { color: 'primary' as const })}
        variant="outlined"
      />
      {onRemove && (
        <IconButton
          title={conversationStrings.remove(username)}
          aria-busy={isRemoving}
          onClick={() => !isRemoving && onRemove()}
        >
          {isRemoving ? <CircularProgress aria-hidden size={20} /> : <PersonRemoveRounded fontSize="small" />}
        </IconButton>
      )}
    </Box>
  )
}
