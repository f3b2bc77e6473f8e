import type { Participant } from '@hither/contract/messages/messages.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import PersonRemoveRounded from '@mui/icons-material/PersonRemoveRounded'
import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import CircularProgress from '@mui/material/CircularProgress'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { t } from '../../i18n/translate.ts'
import { UserAvatar } from '../../ui/UserAvatar.tsx'

interface Props {
  participant: Participant
  isViewer: boolean
  isRemoving: boolean
  /** Null if the viewer may not remove the participant. */
  onRemove: (() => void) | null
}

export function ParticipantRow({ participant, isViewer, isRemoving, onRemove }: Props) {
  const { user_id, has_image, role } = participant
  const name = shownName(participant)
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, minHeight: 60, px: 1 }}>
      <UserAvatar userId={user_id} name={name} hasImage={has_image} size={40} />
      <Typography noWrap sx={{ flex: 1, minWidth: 0 }}>
        <bdi>{name}</bdi>
        {isViewer && (
          <Typography component="span" color="textSecondary">
            {` ${t('chat.conversation.you')}`}
          </Typography>
        )}
      </Typography>
      <Chip
        size="small"
        label={t(`chat.conversation.roles.${role}`)}
        {...(role === 'admin' && { color: 'primary' as const })}
        variant="outlined"
      />
      {onRemove && (
        <IconButton
          title={t('chat.conversation.remove', { name })}
          aria-busy={isRemoving}
          onClick={() => !isRemoving && onRemove()}
        >
          {isRemoving ? <CircularProgress aria-hidden size={20} /> : <PersonRemoveRounded fontSize="small" />}
        </IconButton>
      )}
    </Box>
  )
}
