import type { ConversationSummary, Message } from '@hither/contract/messages/messages.ts'
import Box from '@mui/material/Box'
import ListItem from '@mui/material/ListItem'
import ListItemButton from '@mui/material/ListItemButton'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router'
import { useServerNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { exactTime, shortRelativeTime } from '../../ui/format-time.ts'
import { nameOf } from '../conversation-name.ts'
import { senderNameOf } from '../messages/message-text.ts'
import { messagePath } from '../open-at.ts'
import { foundText } from './found-text.ts'
import { excerpt } from './highlights.ts'

interface Props {
  message: Message
  /** Shown above the sender, unless only one conversation is searched. */
  conversation: ConversationSummary | undefined
  query: string
  isOwn: boolean
  onOpen: (() => void) | undefined
}

/** A result of a search. A tap opens the conversation at the message. */
export function FoundMessage({ message, conversation, query, isOwn, onOpen }: Props) {
  const nowMs = useServerNow(60_000)
  const { id, conversation_id, created_at } = message
  const sender = isOwn ? t('chat.search.you') : senderNameOf(message)
  const isGroup = conversation === undefined || conversation.type === 'group'
  return (
    <ListItem disablePadding>
      <ListItemButton
        component={Link}
        to={messagePath(conversation_id, id)}
        state={{ fromList: true }}
        {...(onOpen && { onClick: onOpen })}
        sx={{ display: 'block', px: 1.5, py: 1, minHeight: 64, borderRadius: '16px' }}
      >
        <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1 }}>
          <Typography noWrap component="div" sx={{ flex: 1, minWidth: 0, fontWeight: 600 }}>
            <bdi>{conversation === undefined ? sender : nameOf(conversation)}</bdi>
          </Typography>
          <Typography
            component="time"
            variant="body2"
            dateTime={created_at}
            title={exactTime(created_at)}
            color="textSecondary"
            sx={{ flexShrink: 0, fontSize: '0.8125rem' }}
          >
            {shortRelativeTime(created_at, nowMs)}
          </Typography>
        </Box>
        <Typography
          component="div"
          variant="body2"
          color="textSecondary"
          dir="auto"
          sx={{
            display: '-webkit-box',
            WebkitLineClamp: 2,
            WebkitBoxOrient: 'vertical',
            overflow: 'hidden',
            overflowWrap: 'anywhere',
            '& b': { color: 'text.primary', fontWeight: 800 },
          }}
        >
          {conversation !== undefined && (isGroup || isOwn) && (
            <>
              <bdi>{sender}</bdi>
              {': '}
            </>
          )}
          {excerpt(foundText(message), query).map(({ text, isFound }, index) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other identity
            isFound ? <b key={index}>{text}</b> : <span key={index}>{text}</span>,
          )}
        </Typography>
      </ListItemButton>
    </ListItem>
  )
}
