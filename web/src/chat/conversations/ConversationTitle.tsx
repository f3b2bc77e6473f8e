import type { Conversation } from '@hither/contract/messages/messages.ts'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Typography from '@mui/material/Typography'
import { useServerTime } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { MutedIcon } from '../../notifications/settings/MutedIcon.tsx'
import { clockTime, shortDate } from '../../ui/format-time.ts'
import { nameOf } from '../conversation-name.ts'
import { isLastDay } from '../dates/chat-date.rules.ts'

interface Props {
  conversation: Conversation
  onClick: () => void
}

/** The title, which opens the participants, the date of the chat or the profile. */
export function ConversationTitle({ conversation, onClick }: Props) {
  const { type, direct_participant, participants, erase_at } = conversation
  const line = useServerTime(30_000, (nowMs) =>
    type === 'direct'
      ? t('chat.conversation.viewProfile')
      : erase_at === null
        ? t('chat.conversation.members', { count: participants.length })
        : isLastDay(erase_at, nowMs)
          ? t('chat.date.headerToday', { count: participants.length, time: clockTime(erase_at) })
          : t('chat.date.header', { count: participants.length, date: shortDate(erase_at) }),
  )
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
          // On a narrow phone the date needs a second line.
          noWrap={erase_at === null}
          component="span"
          variant="body2"
          color="textSecondary"
          sx={{ maxWidth: '100%', fontSize: '0.8125rem', lineHeight: 1.3 }}
        >
          {line}
        </Typography>
      )}
    </ButtonBase>
  )
}
