import type { MemberCount } from '../events/bus.ts'
import type { Announce } from '../events/changes.ts'
import { keepingOf } from './chats.service.ts'
import type { ChatWithMembers, Member } from './members.queries.ts'

/** The unread count of a member after `added` messages. `isReturned`: the conversation leaves the member's archive. */
export function countOf(member: Member, added: number, isReturned = false): MemberCount {
  const { user_id: userId, role, unread_count: previousUnreadCount, placement } = member
  const count = { userId, role, unreadCount: previousUnreadCount + added, previousUnreadCount }
  if (placement === null) return count
  const { pinned_at: pinnedAt, archived_at: previousArchivedAt } = placement
  return { ...count, placement: { pinnedAt, archivedAt: isReturned ? null : previousArchivedAt, previousArchivedAt } }
}

/** Announces to these members that the conversation has moved in their lists, with its unread count. */
export function announceCounts(
  announce: Announce,
  chat: ChatWithMembers,
  updatedAt: string,
  members: readonly MemberCount[],
): void {
  const { id, name, type, updated_at: previousUpdatedAt } = chat
  announce.unreadCountsChanged({ chat: { id, name, type, ...keepingOf(chat) }, updatedAt, previousUpdatedAt, members })
}
