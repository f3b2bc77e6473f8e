import type { UserId } from '@hither/contract/ids.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { summariesQuery } from '../chat.api.ts'
import type { OpenConversation } from '../chat-changes.ts'
import type { MessageRow } from './message-rows.ts'

/**
 * Returns the index of the row with the first message of another user that was unread when the conversation was opened,
 * or -1. It stays the same row when the messages are marked as read.
 */
export function useFirstUnread(open: OpenConversation, rows: readonly MessageRow[], viewerId: UserId): number {
  const queryClient = useQueryClient()
  const [readSeq] = useState(() => {
    const { conversation, messages, lastSeq } = open
    const own = conversation.participants.find(({ user_id }) => user_id === viewerId)
    const summary = queryClient.getQueryData(summariesQuery().queryKey)?.find(({ id }) => id === conversation.id)
    // A user who has answered has read what came before.
    const answeredSeq = messages.findLast(({ sender_id }) => sender_id === viewerId)?.seq ?? 0
    const knownSeq = Math.max(own?.last_read_seq ?? lastSeq, answeredSeq)
    // The messages of a conversation that was cached may follow later, so their number in the list counts too.
    return knownSeq < lastSeq || (summary?.unread_count ?? 0) > 0 ? knownSeq : null
  })
  // Messages around an older one are shown because the viewer wants that one.
  if (readSeq === null || open.window !== null) return -1
  return rows.findIndex((row) => row.kind !== 'outgoing' && !row.isOwn && row.message.seq > readSeq)
}
