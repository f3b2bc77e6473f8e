import Box from '@mui/material/Box'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { FailedMessage } from './FailedMessage.tsx'
import { FoldedMessages } from './FoldedMessages.tsx'
import { MessageBubble } from './MessageBubble.tsx'
import { MessageSide } from './MessageSide.tsx'
import { type TickState } from './MessageTick.tsx'
import { type MessageRow } from './message-rows.ts'

interface Props {
  row: MessageRow
  isGroup: boolean
  isRead: boolean
  /** Of the sender. */
  hasImage: boolean
  /** Tapped: what the pointer shows by hovering is shown too. */
  isSelected: boolean
  onSelect: () => void
  onUnfold: () => void
  onMenu: (anchor: HTMLElement) => void
}

export function MessageRowView({ row, isGroup, isRead, hasImage, isSelected, onSelect, onUnfold, onMenu }: Props) {
  if (row.kind === 'folded') return <FoldedMessages count={row.count} onShow={onUnfold} />
  const { isOwn, startsRun, endsRun } = row
  const sender = row.kind === 'message' && !isOwn && isGroup ? row.message : null
  return (
    <Box sx={{ px: { xs: 1.5, sm: 2 }, pt: startsRun ? 1 : 0.25, pb: endsRun ? 0.5 : 0 }}>
      {sender !== null && startsRun && (
        <Box sx={{ pl: 6.5, pb: 0.25, fontSize: '0.8125rem', fontWeight: 700, color: 'text.secondary' }}>
          {sender.sender_username}
        </Box>
      )}
      <Box
        sx={{
          display: 'flex',
          flexDirection: isOwn ? 'row-reverse' : 'row',
          alignItems: 'flex-end',
          gap: 1,
          '& .side': { opacity: isSelected ? 1 : 0, transition: 'opacity 150ms ease-out' },
          '&:hover .side, &:focus-within .side': { opacity: 1 },
        }}
      >
        {sender !== null && (
          <Box sx={{ width: 32, flexShrink: 0 }}>
            {endsRun && (
              <UserAvatar
                userId={sender.sender_id ?? sender.id}
                username={sender.sender_username}
                hasImage={hasImage}
                size={32}
              />
            )}
          </Box>
        )}
        <MessageBubble
          content={row.message.content}
          isOwn={isOwn}
          startsRun={startsRun}
          endsRun={endsRun}
          tick={tickOf(row, isRead)}
          onClick={onSelect}
        />
        <MessageSide at={row.message.created_at} {...(row.kind === 'message' && { onMenu })} />
      </Box>
      {row.kind === 'outgoing' && row.message.state === 'failed' && <FailedMessage message={row.message} />}
    </Box>
  )
}

function tickOf(row: MessageRow, isRead: boolean): TickState | null {
  if (row.kind === 'outgoing') return row.message.state
  if (!row.isOwn) return null
  return isRead ? 'read' : 'sent'
}
