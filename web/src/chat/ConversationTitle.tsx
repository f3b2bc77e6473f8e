import { type Conversation } from '@hither/contract/messages.ts'
import ButtonBase from '@mui/material/ButtonBase'
import Typography from '@mui/material/Typography'
import { nameOf } from './conversation-name.ts'
import { conversationStrings } from './strings.ts'

interface Props {
  conversation: Conversation
  onClick: () => void
}

/** Leads to who is in it. */
export function ConversationTitle({ conversation, onClick }: Props) {
  const { type, direct_participant, participants } = conversation
  // There is nothing to see of someone who has deleted their account.
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
        textAlign: 'left',
        borderRadius: '12px',
      }}
    >
      <Typography noWrap component="h2" sx={{ maxWidth: '100%', fontWeight: 700, lineHeight: 1.3 }}>
        {nameOf(conversation)}
      </Typography>
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
