import type { ChatRow } from '@hither/contract/feeds.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { Change } from './bus.ts'

/**
 * A message changed the order of a conversation and the unread counts of its members: an update of the `chats` row of each of
 * these members, which only that member receives. One event contains them all, because a change for each member costs
 * more than the delivery of the message: two complete rows in the outbox, and objects on every node, although most
 * members are not connected.
 */
export interface UnreadCountsChanged {
  readonly kind: 'unread_counts_changed'
  readonly chat: Pick<ChatRow, 'id' | 'name' | 'type'>
  readonly updatedAt: string
  readonly previousUpdatedAt: string
  readonly members: readonly MemberCount[]
  /** See `Change`. The changes of all members share it; it is unique among the changes of one member. */
  readonly committedAt: string
}

export interface MemberCount {
  readonly userId: UserId
  readonly role: ChatRow['role']
  readonly unreadCount: number
  readonly previousUnreadCount: number
  /** Absent if the member had neither pinned nor archived the conversation. */
  readonly placement?: {
    readonly pinnedAt: string | null
    readonly archivedAt: string | null
    readonly previousArchivedAt: string | null
  }
}

/** Returns the change that this member receives. */
export function changeOfMember(event: UnreadCountsChanged, member: MemberCount): Change {
  const { chat, updatedAt, previousUpdatedAt, committedAt } = event
  const { userId, role, unreadCount, previousUnreadCount, placement } = member
  const row = (updated_at: string, unread_count: number, archived_at: string | null): ChatRow => ({
    id: chat.id,
    user_id: userId,
    name: chat.name,
    type: chat.type,
    role,
    updated_at,
    unread_count,
    pinned_at: placement?.pinnedAt ?? null,
    archived_at,
  })
  return {
    table: 'chats',
    type: 'UPDATE',
    record: row(updatedAt, unreadCount, placement?.archivedAt ?? null),
    oldRecord: row(previousUpdatedAt, previousUnreadCount, placement?.previousArchivedAt ?? null),
    audience: [userId],
    committedAt,
  }
}
