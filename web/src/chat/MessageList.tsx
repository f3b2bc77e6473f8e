import { type UserId } from '@hither/contract/ids.ts'
import { type Message } from '@hither/contract/messages.ts'
import { type User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import { useMemo, useState } from 'react'
import { Virtualizer } from 'virtua'
import { useServerNow } from '../api/server-time.ts'
import { EmptyDrawing } from '../ui/EmptyDrawing.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useLoadOlder } from './chat.api.ts'
import { type OpenConversation, readUpTo } from './chat-changes.ts'
import { DaySeparator } from './DaySeparator.tsx'
import { MessageMenu } from './MessageMenu.tsx'
import { MessageRowView } from './MessageRowView.tsx'
import { type MessageRow, rowsOf } from './message-rows.ts'
import { NewMessagesButton } from './NewMessagesButton.tsx'
import { OlderMessages } from './OlderMessages.tsx'
import { useOutbox } from './outbox.ts'
import { SpokenMessages } from './SpokenMessages.tsx'
import { messageStrings } from './strings.ts'
import { TypingLine, typingLinePx } from './TypingLine.tsx'
import { useBlocked } from './use-blocked.ts'
import { useMarkReadOnSight } from './use-mark-read.ts'
import { useMessageScroll } from './use-message-scroll.ts'
import { useSendFailures } from './use-send-failures.ts'

interface Props {
  open: OpenConversation
  viewer: User
  /** Names of those who are at it. */
  typing: readonly string[]
}

export function MessageList({ open, viewer, typing }: Props) {
  const { conversation, messages, hasMore } = open
  const outgoing = useOutbox(conversation.id)
  const blocked = useBlocked(conversation.type === 'group')
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const [selectedKey, setSelectedKey] = useState<string | null>(null)
  const [menu, setMenu] = useState<{ anchor: HTMLElement; message: Message } | null>(null)
  const nowMs = useServerNow(60_000)
  const older = useLoadOlder(conversation.id)

  const rows = useMemo(
    () => rowsOf({ messages, outgoing, viewerId: viewer.id, blocked, unfolded }),
    [messages, outgoing, viewer.id, blocked, unfolded],
  )
  const readSeq = useMemo(() => readUpTo(conversation, viewer.id), [conversation, viewer.id])
  const scroll = useMessageScroll(rows, () => !older.isError && loadOlder())
  useMarkReadOnSight(open, scroll.isAtBottom)
  useSendFailures(outgoing)

  function loadOlder() {
    const first = messages[0]
    if (hasMore && first !== undefined && !older.isPending) older.mutate(first.id)
  }

  function handleUnfold(key: string) {
    setUnfolded((before) => new Set(before).add(key))
  }

  return (
    <Box sx={{ position: 'relative', flex: 1, minHeight: 0, bgcolor: 'background.default' }}>
      <Box
        ref={scroll.scroller}
        component="section"
        aria-label={messageStrings.list}
        // What scrolls has to be reached by the keyboard.
        tabIndex={0}
        onScroll={scroll.handleScroll}
        sx={{
          height: '100%',
          overflowY: 'auto',
          overflowAnchor: 'none',
          overscrollBehaviorY: 'contain',
          '&:focus-visible': { outline: '3px solid', outlineColor: 'primary.main', outlineOffset: -3 },
          '& ul': { listStyle: 'none', m: 0, p: 0 },
          // The theme gives everything a moment to change; a list that is measured must change at once.
          '& ul, & ul > li': { transitionProperty: 'none' },
        }}
      >
        <Box
          ref={scroll.content}
          sx={{ minHeight: '100%', display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'end' }}
        >
          {rows.length === 0 ? (
            <Box sx={{ flexGrow: 1, display: 'grid', placeItems: 'center' }}>
              <EmptyState drawing={<EmptyDrawing subject="chat" />} text={messageStrings.none} />
            </Box>
          ) : (
            <Virtualizer
              as="ul"
              item="li"
              data={rows}
              scrollRef={scroll.scroller}
              shift={scroll.isPrepended}
              bufferSize={600}
            >
              {renderRow}
            </Virtualizer>
          )}
          <Box sx={{ height: typingLinePx }} />
        </Box>
      </Box>
      <OlderMessages isLoading={older.isPending} isFailed={older.isError} onRetry={loadOlder} />
      {!scroll.isAtBottom && <NewMessagesButton hasNew={scroll.hasNew} onClick={scroll.scrollToBottom} />}
      <TypingLine names={typing} />
      <SpokenMessages messages={messages} viewerId={viewer.id} blocked={blocked} />
      <MessageMenu menu={menu} conversation={conversation} viewer={viewer} onClose={() => setMenu(null)} />
    </Box>
  )

  function renderRow(row: MessageRow) {
    return (
      <Box key={row.key}>
        {row.startsDay && <DaySeparator at={row.message.created_at} nowMs={nowMs} />}
        <MessageRowView
          row={row}
          isGroup={conversation.type === 'group'}
          isRead={row.kind === 'message' && (readSeq === null ? row.message.read : row.message.seq <= readSeq)}
          hasImage={row.kind === 'message' && hasImage(row.message.sender_id)}
          isSelected={row.key === selectedKey}
          onSelect={() => setSelectedKey(row.key === selectedKey ? null : row.key)}
          onUnfold={() => handleUnfold(row.key)}
          onMenu={(anchor) => row.kind === 'message' && setMenu({ anchor, message: row.message })}
        />
      </Box>
    )
  }

  function hasImage(userId: UserId | null): boolean {
    return conversation.participants.some(({ user_id, has_image }) => user_id === userId && has_image)
  }
}
