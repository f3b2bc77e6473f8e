import type { ConversationId, MessageId, UserId } from '@hither/contract/ids.ts'
import type { Conversation, ConversationSummary, Message } from '@hither/contract/messages/messages.ts'

export const ann = 'ann' as UserId
export const bob = 'bob' as UserId
export const eve = 'eve' as UserId
export const cafe = 'cafe' as ConversationId

/** Returns an ISO timestamp, in minutes after noon. */
export function at(minutes: number): string {
  return new Date(Date.UTC(2026, 10, 21, 12, minutes)).toISOString()
}

export function messageFrom(sender: UserId | null, seq: number, more: Partial<Message> = {}): Message {
  return {
    id: `m${seq}` as MessageId,
    conversation_id: cafe,
    chat_id: cafe,
    seq,
    sender_id: sender,
    sender_username: sender ?? 'Deleted user',
    sender_display_name: null,
    content: `message ${seq}`,
    created_at: at(seq),
    read: false,
    client_id: null,
    edited_at: null,
    reply_to: null,
    reactions: [],
    attachment: null,
    ...more,
  }
}

/** A message of `messageFrom` as lists of conversations have it. */
export function lastFrom(...message: Parameters<typeof messageFrom>) {
  return { ...messageFrom(...message), kind: 'text', shows: 'text' } as const
}

export function groupOf(...members: UserId[]): Conversation {
  return {
    ...summaryOf(),
    participants: members.map((user_id, index) => ({
      user_id,
      username: user_id,
      display_name: null,
      has_image: false,
      role: index === 0 ? 'admin' : 'member',
      last_read_seq: 0,
    })),
  }
}

export function summaryOf(more: Partial<ConversationSummary> = {}): ConversationSummary {
  return {
    id: cafe,
    name: 'Café',
    type: 'group',
    ping_id: null,
    system_created: false,
    created_at: at(0),
    updated_at: at(0),
    unread_count: 0,
    last_message: null,
    direct_participant: null,
    pinned_at: null,
    archived_at: null,
    erase_at: null,
    kept_at: null,
    keep_requests: null,
    ...more,
  }
}
