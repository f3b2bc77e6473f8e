import type { Conversation } from '@hither/contract/messages/messages.ts'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Typography from '@mui/material/Typography'
import { MutedIcon } from '../../notifications/settings/MutedIcon.tsx'
import { nameOf } from '../conversation-name.ts'
import { conversationStrings } from '../strings.ts'

interface Props {
  conversation: Conversation
  onClick: () => void
}

/** The title, which opens the participants or the profile. */
export function ConversationTitle({ conversation, onClick }: Props) {
  const { type, direct_participant, participants } = conversation
  // A deleted account has no profile.
  const isSomeone = type === 'group' || direct_participant !== null
  return (
    <ButtonBase
      component={isSomeone ? 'button' : 'div'}
      {...(isSomeone && { onClick })}
      sx={{
        flex: 1,
        minWidth: 0,
        minHeight: 48,
        px: 1,
        flexDirection: 'column',
        alignItems: 'flex-start',
        textAlign: 'start',
        borderRadius: '12px',
      }}
    >
      <Box sx={{ display: 'flex', gap: 0.75, maxWidth: '100%' }}>
        <Typography noWrap component="h2" sx={{ minWidth: 0, fontWeight: 700, lineHeight: 1.3 }}>
          {nameOf(conversation)}
        </Typography>
        <MutedIcon conversationId={conversation.id} />
      </Box>
      {isSomeone && (
        <Typography
          noWrap
          component="span"
          variant="body2"
          color="textSecondary"
          sx={{ maxWidth: '100%', fontSize: '0.8125rem' }}
        >
          {type === 'group' ? conversationStrings.members(participants.length) : conversationStrings.viewProfile}
        </Typography>
      )}
    </ButtonBase>
  )
}
