import { type UserId } from '@hither/contract/ids.ts'
import { type ConversationSummary } from '@hither/contract/messages.ts'
import Box from '@mui/material/Box'
import ListItem from '@mui/material/ListItem'
import ListItemButton from '@mui/material/ListItemButton'
import Typography from '@mui/material/Typography'
import { visuallyHidden } from '@mui/utils'
import { Link } from 'react-router'
import { useServerNow } from '../api/server-time.ts'
import { MutedIcon } from '../notifications/MutedIcon.tsx'
import { exactTime } from '../ui/time-words.ts'
import { ConversationAvatar } from './ConversationAvatar.tsx'
import { nameOf } from './conversation-name.ts'
import { draftOf } from './drafts.ts'
import { chatStrings } from './strings.ts'
import { shortRelativeTime } from './times.ts'
import { UnreadBadge } from './UnreadBadge.tsx'

interface Props {
  summary: ConversationSummary
  viewerId: UserId | undefined
  isOpen: boolean
  blocked: ReadonlySet<UserId>
}

export function ConversationRow({ summary, viewerId, isOpen, blocked }: Props) {
  const nowMs = useServerNow(30_000)
  const { id, unread_count, updated_at } = summary
  const isUnread = unread_count > 0
  return (
    <ListItem disablePadding>
      <ListItemButton
        component={Link}
        to={`/chat/${id}`}
        state={{ fromList: true }}
        selected={isOpen}
        {...(isOpen && { 'aria-current': 'page' as const })}
        sx={{ gap: 1.75, px: 1.5, py: 1, minHeight: 76, borderRadius: '16px' }}
      >
        <ConversationAvatar conversation={summary} size={52} />
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1 }}>
            <Typography noWrap sx={{ flex: 1, minWidth: 0, fontWeight: isUnread ? 800 : 600 }}>
              {nameOf(summary)}
            </Typography>
            <MutedIcon conversationId={id} />
            <Typography
              component="time"
              variant="body2"
              dateTime={updated_at}
              title={exactTime(updated_at)}
              color={isUnread ? 'primary' : 'textSecondary'}
              sx={{ flexShrink: 0, fontSize: '0.8125rem', fontWeight: isUnread ? 700 : 400 }}
            >
              {shortRelativeTime(updated_at, nowMs)}
            </Typography>
          </Box>
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 24 }}>
            <Typography
              noWrap
              variant="body2"
              color={isUnread ? 'textPrimary' : 'textSecondary'}
              sx={{ flex: 1, minWidth: 0, fontWeight: isUnread ? 600 : 400 }}
            >
              {previewOf(summary, viewerId, blocked)}
            </Typography>
            {isUnread && <UnreadBadge count={unread_count} />}
            {isUnread && <span style={visuallyHidden}>{chatStrings.unread(unread_count)}</span>}
          </Box>
        </Box>
      </ListItemButton>
    </ListItem>
  )
}

function previewOf(summary: ConversationSummary, viewerId: UserId | undefined, blocked: ReadonlySet<UserId>): string {
  const { id, last_message, unread_count } = summary
  const draft = viewerId === undefined || unread_count > 0 ? '' : draftOf(viewerId, id)
  if (draft !== '') return chatStrings.ownDraft(draft)
  if (last_message === null) return ''
  const { sender_id, sender_username, content } = last_message
  if (sender_id === viewerId) return chatStrings.own(content)
  return sender_id !== null && blocked.has(sender_id)
    ? chatStrings.blockedPreview
    : chatStrings.of(sender_username, content)
}
