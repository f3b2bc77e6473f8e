import type { MessageId, UserId } from '@hither/contract/ids.ts'
import type { Reply } from '@hither/contract/messages/message-parts.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import { useMemo, useState } from 'react'
import { useServerNow, useTimeZone } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { type OpenConversation, readUpTo, withCurrentQuote } from '../chat-changes.ts'
import { MessageTools } from '../message-menu/MessageTools.tsx'
import { useMessageGestures } from '../message-menu/use-message-gestures.ts'
import { useMessageTools } from '../message-menu/use-message-tools.ts'
import { shownOf } from '../message-window.ts'
import { useLeaveWindow, useLoadNewer, useLoadOlder } from '../messages.mutations.ts'
import { useOpenedMessage } from '../open-at.ts'
import { usePendingChanges } from '../outbox/message-outbox.ts'
import { useOutbox } from '../outbox/use-outbox.ts'
import { useReactionFailures } from '../outbox/use-reaction-failures.ts'
import { useSendFailures } from '../outbox/use-send-failures.ts'
import { nobody, useBlocked } from '../participants/use-blocked.ts'
import { withPendingText } from '../quotes.ts'
import { withPendingReaction } from '../reactions/reaction-groups.ts'
import { DaySeparator } from './DaySeparator.tsx'
import { MessageAnnouncer } from './MessageAnnouncer.tsx'
import { MessageRowView } from './MessageRowView.tsx'
import { MessageScroller } from './MessageScroller.tsx'
import { MoreMessages } from './MoreMessages.tsx'
import { type MessageRow, newestOfRows, rowOfMessage, rowsOf } from './message-rows.ts'
import { NewMessagesButton } from './NewMessagesButton.tsx'
import { TypingLine } from './TypingLine.tsx'
import { UnreadDivider } from './UnreadDivider.tsx'
import { useFirstUnread } from './use-first-unread.ts'
import { useJump } from './use-jump.ts'
import { useMarkReadWhenVisible } from './use-mark-read-when-visible.ts'
import { useMessageScroll } from './use-message-scroll.ts'

interface Props {
  open: OpenConversation
  viewer: User
  /** The names of the participants who are typing. */
  typing: readonly string[]
  canSend: boolean
  /** The message whose text is in the composer, which also shows why a new text was refused. */
  editedId: MessageId | undefined
  onReply: (message: Message) => void
  onEdit: (message: Message) => void
  /** Moves the focus to the composer. */
  onCompose: () => void
}

const noMessages: never[] = []

export function MessageList(props: Props) {
  const { open, viewer, typing, canSend, editedId, onReply, onEdit, onCompose } = props
  const { conversation } = open
  const { messages, hasMore, hasNewer } = shownOf(open)
  const waiting = useOutbox(conversation.id)
  const outgoing = useMemo(() => waiting.map((message) => withCurrentQuote(open, message)), [open, waiting])
  const pending = usePendingChanges(conversation.id)
  // The screen shows the list only if they are known.
  const blocked = useBlocked(conversation.type === 'group') ?? nobody
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set())
  const [selectedKey, setSelectedKey] = useState<string | null>(null)
  const [cameFrom, setCameFrom] = useState<MessageId | null>(null)
  const tools = useMessageTools()
  const nowMs = useServerNow(60_000)
  const older = useLoadOlder(conversation.id)
  const newer = useLoadNewer(conversation.id)
  const leaveWindow = useLeaveWindow(conversation.id)

  const zone = useTimeZone()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another zone has other days
  const rows = useMemo(
    () => rowsOf({ messages, outgoing: hasNewer ? noMessages : outgoing, viewerId: viewer.id, blocked, expanded }),
    [messages, hasNewer, outgoing, viewer.id, blocked, expanded, zone],
  )
  const readSeq = useMemo(() => readUpTo(conversation, viewer.id), [conversation, viewer.id])
  const names = useMemo(
    () => new Map(conversation.participants.map((one) => [one.user_id, shownName(one)])),
    [conversation.participants],
  )
  const firstUnread = useFirstUnread(open, rows, viewer.id)
  const scroll = useMessageScroll({
    rows,
    firstUnread,
    hasNewer,
    newest: newestOfRows(open.messages, outgoing, viewer.id),
    onNearTop: () => !older.isError && loadOlder(),
    onNearBottom: () => !newer.isError && loadNewer(),
    onLeave: leaveWindow,
  })
  const jump = useJump(open, rows, scroll)
  useOpenedMessage(jump.jumpTo)
  useMarkReadWhenVisible(open, scroll.isAtBottom && !jump.isJumping)
  useSendFailures(outgoing)
  useReactionFailures(pending.reactions, viewer.id)
  const gestures = useMessageGestures({
    onMenu: (messageId, bubble) => withMessageOf(messageId, (message) => tools.openMenu(message, bubble)),
    onReply: canSend ? (messageId) => withMessageOf(messageId, onReply) : undefined,
  })

  const actions = {
    onMenu: tools.openMenu,
    onReact: tools.openQuickReactions,
    onReply,
    onOpenQuote: handleOpenQuote,
    onShowReactions: tools.openReactions,
  }

  return (
    <Box sx={{ position: 'relative', flex: 1, minHeight: 0, bgcolor: 'background.default' }}>
      <MessageScroller rows={rows} scroll={scroll} gestures={gestures}>
        {renderRow}
      </MessageScroller>
      <MoreMessages which="older" isLoading={older.isPending} isFailed={older.isError} onRetry={loadOlder} />
      <MoreMessages
        which="newer"
        isLoading={newer.isPending && hasNewer}
        isFailed={newer.isError && hasNewer}
        onRetry={loadNewer}
      />
      {!scroll.isAtBottom && (
        <NewMessagesButton hasNew={scroll.hasNew} isBack={cameFrom !== null} onClick={handleDown} />
      )}
      <TypingLine names={typing} />
      <MessageAnnouncer messages={open.messages} viewerId={viewer.id} blocked={blocked} />
      <MessageTools
        tools={tools}
        open={open}
        pending={pending}
        blocked={blocked}
        viewer={viewer}
        canSend={canSend}
        nameOf={nameOf}
        onReply={onReply}
        onEdit={onEdit}
        onCompose={onCompose}
      />
    </Box>
  )

  function renderRow(row: MessageRow) {
    const reply = row.message.reply_to ?? null
    return (
      <Box key={row.key}>
        {row.startsDay && <DaySeparator at={row.message.created_at} nowMs={nowMs} />}
        {row === rows[firstUnread] && <UnreadDivider />}
        <MessageRowView
          reply={reply && withPendingText(reply, pending.edits)}
          row={row.kind === 'message' ? withPendingReaction(row, pending.reactions, viewer.id) : row}
          viewerId={viewer.id}
          isGroup={conversation.type === 'group'}
          isRead={row.kind === 'message' && (readSeq === null ? row.message.read : row.message.seq <= readSeq)}
          canSend={canSend}
          hasImage={row.kind === 'message' && hasImage(row.message.sender_id)}
          blocked={blocked}
          edit={row.kind === 'message' ? shownEdit(row.message.id) : undefined}
          nameOf={nameOf}
          isSelected={row.key === selectedKey}
          isHighlighted={row.key === jump.highlightedKey}
          actions={actions}
          onSelect={() => setSelectedKey(row.key === selectedKey ? null : row.key)}
          onExpand={() => setExpanded((before) => new Set(before).add(row.key))}
        />
      </Box>
    )
  }

  function shownEdit(messageId: MessageId) {
    const edit = pending.edits.get(messageId)
    return edit?.state === 'failed' && messageId === editedId ? undefined : edit
  }

  function loadOlder() {
    const first = messages[0]
    if (hasMore && first !== undefined && !older.isPending && !jump.isJumping) older.mutate(first.id)
  }

  function loadNewer() {
    const last = messages.at(-1)
    if (hasNewer && last !== undefined && !newer.isPending && !jump.isJumping) newer.mutate(last.id)
  }

  function handleOpenQuote(quote: Reply, by: Message) {
    setCameFrom(by.id)
    jump.jumpTo(quote.id, quote.seq)
  }

  /** Goes back to the reply whose quote was opened, and from there to the end. */
  function handleDown() {
    if (cameFrom === null || scroll.hasNew) return scroll.scrollToBottom()
    setCameFrom(null)
    jump.jumpTo(cameFrom)
  }

  function withMessageOf(messageId: MessageId, use: (message: Message) => void) {
    const row = rowOfMessage(rows, messageId)
    if (row?.kind === 'message') use(row.message)
  }

  function nameOf(userId: UserId | null, username: string): string {
    if (userId === viewer.id) return t('chat.message.you')
    return userId === null ? t('chat.deletedUser') : (names.get(userId) ?? username)
  }

  function hasImage(userId: UserId | null): boolean {
    return conversation.participants.some(({ user_id, has_image }) => user_id === userId && has_image)
  }
}
