import type { ChatRow } from '@hither/contract/feeds.ts'
import type { Change, MemberCount, UnreadCountsChanged } from './bus.ts'

/** Returns the change that this member receives. */
export function changeOfMember(event: UnreadCountsChanged, member: MemberCount): Change {
  const { chat, updatedAt, previousUpdatedAt, committedAt } = event
  const { userId, role, unreadCount, previousUnreadCount, placement } = member
  const row = (updated_at: string, unread_count: number, archived_at: string | null): ChatRow => ({
    ...chat,
    user_id: userId,
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
