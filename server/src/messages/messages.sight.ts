import { messageTexts } from '@hither/contract/messages.ts'
import { literal, type Piece, sql } from '../platform/statements.ts'

// Who sees what of a conversation, as pieces of SQL: every read is made of these. They speak of `c`, a row of `chats`; of
// `me`, the viewer's membership; and of `m`, a message, with `u`, its sender.

/** Whether one of the two of a direct conversation has blocked the other. */
const isPairBlocked = sql`exists (
  select 1 from blocks b
  where (b.blocker_id = c.pair_low_id and b.blocked_id = c.pair_high_id)
     or (b.blocker_id = c.pair_high_id and b.blocked_id = c.pair_low_id))`

/** The one rule of who sees a conversation: its members, and a direct one only while neither has blocked the other. */
export const isSeen = sql`me.user_id = ${'viewerId'} and (c.type = 'group' or not ${isPairBlocked})`

/** Whether the two of a direct conversation are friends. */
export const arePairFriends = sql`exists (
  select 1 from friendships f
  where least(f.requester_id, f.requested_id) = c.pair_low_id
    and greatest(f.requester_id, f.requested_id) = c.pair_high_id)`

/** As `me`. Up to where all others have read is null where there are none. */
export const membership = sql`(
  select own.chat_id, own.user_id, own.role, own.last_read_seq, own.unread_skipped, (
    select min(other.last_read_seq) from chat_members other
    where other.chat_id = own.chat_id and other.user_id <> own.user_id
  ) as others_read_seq
  from chat_members own)`

export function unreadCount(member: Piece<never>): Piece<never> {
  return sql`c.last_seq - ${member}.last_read_seq - ${member}.unread_skipped`
}

/** The name of whoever wrote it. */
export const senderName = sql`coalesce(u.username, ${literal(messageTexts.deletedUser)})`

/** The columns of a `Message`; `createdAt` where it is to be inside of JSON. */
export function messageColumns(createdAt = sql`m.created_at`): Piece<never> {
  return sql`
    m.id, m.chat_id as conversation_id, m.chat_id, m.seq, m.sender_id, ${senderName} as sender_username, m.content,
    ${createdAt} as created_at, m.client_id,
    case when m.sender_id = me.user_id then coalesce(m.seq <= me.others_read_seq, false)
      else m.seq <= me.last_read_seq end as read`
}

/** Everyone in it, by standing. */
export const participants = sql`(
  select coalesce(json_agg(json_build_object(
    'user_id', p.user_id, 'username', pu.username, 'has_image', pu.has_image, 'role', p.role,
    'last_read_seq', p.last_read_seq
  ) order by p.joined_at, p.user_id), '[]')
  from chat_members p cross join lateral (
    ${person(sql`p.user_id`)}
  ) pu
  where p.chat_id = c.id)`

/**
 * One whom the database is to look up by their id. Where it expects more than a few it would rather read everyone there is,
 * for each conversation again.
 */
export function person(id: Piece<never>): Piece<never> {
  return sql`select id, username, has_image from users where id = ${id} offset 0`
}
