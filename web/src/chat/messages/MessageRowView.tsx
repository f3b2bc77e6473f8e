import type { UserId } from '@hither/contract/ids.ts'
import type { Reply } from '@hither/contract/messages/message-parts.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import Box from '@mui/material/Box'
import { keyframes } from '@mui/material/styles'
import { useEffect, useRef } from 'react'
import { t } from '../../i18n/translate.ts'
import { UserAvatar } from '../../ui/UserAvatar.tsx'
import type { OutgoingEdit } from '../outbox/outbox-items.ts'
import { isPhoto } from '../outbox/outgoing.ts'
import { ReactionChips } from '../reactions/ReactionChips.tsx'
import { withoutBlocked } from '../reactions/reaction-groups.ts'
import { BlockedMessages } from './BlockedMessages.tsx'
import { FailedEdit } from './FailedEdit.tsx'
import { FailedMessage } from './FailedMessage.tsx'
import { MessageAttachment } from './MessageAttachment.tsx'
import { MessageBubble } from './MessageBubble.tsx'
import { MessageQuote } from './MessageQuote.tsx'
import { MessageSide } from './MessageSide.tsx'
import type { TickState } from './MessageTick.tsx'
import type { MessageRow } from './message-rows.ts'
import { captionOf, senderNameOf } from './message-text.ts'

/** What a row can do, for all rows of a list. */
interface RowActions {
  onMenu: (message: Message, anchor: HTMLElement) => void
  onReact: (message: Message, anchor: HTMLElement) => void
  onReply: (message: Message) => void
  onOpenQuote: (quote: Reply, by: Message) => void
  onShowReactions: (message: Message) => void
}

interface Props {
  row: MessageRow
  /** The quote of the message that the row replies to. */
  reply: Reply | null
  viewerId: UserId
  isGroup: boolean
  isRead: boolean
  /** Whether the viewer can send messages to the conversation. */
  canSend: boolean
  /** Whether the sender has an image. */
  hasImage: boolean
  blocked: ReadonlySet<UserId>
  /** A new text that is not sent yet, or was refused. */
  edit: OutgoingEdit | undefined
  nameOf: (userId: UserId | null, username: string) => string
  /** Selected by a tap: shows what hovering shows for a mouse. */
  isSelected: boolean
  /** The message was opened through a quote or a search. */
  isHighlighted: boolean
  actions: RowActions
  onSelect: () => void
  onExpand: () => void
}

const glow = keyframes({ '0%, 60%': { backgroundColor: 'var(--glow)' }, '100%': { backgroundColor: 'transparent' } })

export function MessageRowView(props: Props) {
  const { row, reply, viewerId, isGroup, isRead, canSend, hasImage, blocked, edit, nameOf } = props
  const { isSelected, isHighlighted, actions } = props
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isHighlighted) return
    // The virtual list hides a new row until it has measured it, and a hidden element takes no focus.
    let frame = requestAnimationFrame(function focus() {
      box.current?.focus({ preventScroll: true })
      if (document.activeElement !== box.current) frame = requestAnimationFrame(focus)
    })
    return () => cancelAnimationFrame(frame)
  }, [isHighlighted])
  if (row.kind === 'collapsed') {
    return (
      <Box ref={box} tabIndex={-1} sx={{ outline: 0, ...(isHighlighted && highlighted) }}>
        <BlockedMessages count={row.count} onShow={props.onExpand} />
      </Box>
    )
  }

  const { isOwn, startsRun, endsRun } = row
  const sent = row.kind === 'message' ? row.message : null
  const sender = isOwn || !isGroup ? null : sent
  const reactions = sent === null ? [] : withoutBlocked(sent.reactions, blocked)
  const hasAttachment =
    sent === null
      ? row.kind === 'outgoing' && (row.message.place !== undefined || isPhoto(row.message))
      : sent.attachment !== null
  return (
    <Box
      ref={box}
      tabIndex={-1}
      {...(sent !== null && { 'data-message': sent.id })}
      data-highlighted={isHighlighted}
      sx={{
        px: { xs: 1.5, sm: 2 },
        pt: startsRun ? 1 : 0.25,
        pb: endsRun ? 0.5 : 0,
        outline: 0,
        // A horizontal swipe replies.
        touchAction: 'pan-y',
        ...(isHighlighted && highlighted),
      }}
    >
      {sender !== null && startsRun && (
        <Box
          sx={{ paddingInlineStart: 6.5, pb: 0.25, fontSize: '0.8125rem', fontWeight: 700, color: 'text.secondary' }}
        >
          <bdi>{senderNameOf(sender)}</bdi>
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
                name={senderNameOf(sender)}
                hasImage={hasImage}
                size={32}
              />
            )}
          </Box>
        )}
        <Box sx={{ minWidth: 0, maxWidth: { xs: '76%', sm: '70%' } }}>
          <MessageBubble
            text={textOf(row, edit)}
            quote={
              reply === null ? undefined : (
                <MessageQuote
                  reply={reply}
                  name={nameOf(reply.sender_id, reply.sender_username)}
                  isOnBlue={isOwn}
                  isBlocked={reply.sender_id !== null && blocked.has(reply.sender_id)}
                  onOpen={() => sent !== null && actions.onOpenQuote(reply, sent)}
                />
              )
            }
            attachment={hasAttachment ? <MessageAttachment message={row.message} isOwn={isOwn} /> : undefined}
            isOwn={isOwn}
            isEdited={sent !== null && (sent.edited_at !== null || edit?.state === 'waiting')}
            startsRun={startsRun}
            endsRun={endsRun}
            tick={tickOf(row, isRead, edit)}
            onClick={props.onSelect}
          />
          {sent !== null && reactions.length > 0 && (
            <ReactionChips
              groups={reactions}
              viewerId={viewerId}
              isOwn={isOwn}
              nameOf={(userId) => nameOf(userId, t('chat.reaction.formerMember'))}
              onOpen={() => actions.onShowReactions(sent)}
            />
          )}
        </Box>
        <MessageSide
          at={row.message.created_at}
          actions={
            sent === null
              ? undefined
              : {
                  onMenu: (anchor) => actions.onMenu(sent, anchor),
                  onReact: canSend ? (anchor) => actions.onReact(sent, anchor) : undefined,
                  onReply: canSend ? () => actions.onReply(sent) : undefined,
                }
          }
        />
      </Box>
      {row.kind === 'outgoing' && row.message.state === 'failed' && (
        <FailedMessage message={row.message} viewerId={viewerId} />
      )}
      {edit?.state === 'failed' && <FailedEdit edit={edit} viewerId={viewerId} />}
    </Box>
  )
}

const highlighted = {
  '--glow': 'rgb(36 86 230 / 0.16)',
  animation: `${glow} 2s ease-out`,
  '@media (prefers-reduced-motion: reduce)': { bgcolor: 'var(--glow)' },
} as const

/** `content` of a message with an attachment is for clients that cannot show it. */
function textOf(row: Exclude<MessageRow, { kind: 'collapsed' }>, edit: OutgoingEdit | undefined): string {
  if (edit?.state === 'waiting') return edit.content
  return row.kind === 'message' ? captionOf(row.message) : row.message.content
}

function tickOf(row: MessageRow, isRead: boolean, edit: OutgoingEdit | undefined): TickState | null {
  if (row.kind === 'outgoing') return row.message.state
  if (!row.isOwn) return null
  if (edit?.state === 'waiting') return 'waiting'
  return isRead ? 'read' : 'sent'
}
