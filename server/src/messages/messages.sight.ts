import { type UserId } from '@hither/contract/ids.ts'
import { messageTexts } from '@hither/contract/messages.ts'
import { type PendingQuery, type Row } from 'postgres'
import { type Db } from '../platform/database.ts'

// Who sees what of a conversation, as pieces of SQL: every read is made of these. They speak of `c`, a row of `chats`; of
// `me`, the viewer's membership; and of `m`, a message, with `u`, its sender.

type Piece = PendingQuery<Row[]>

/** The one rule of who sees a conversation: its members, and a direct one only while neither has blocked the other. */
export function seenBy(db: Db, viewerId: UserId): Piece {
  return db`me.user_id = ${viewerId} and (c.type = 'group' or not ${isPairBlocked(db)})`
}

/** Whether one of the two of a direct conversation has blocked the other. */
export function isPairBlocked(db: Db): Piece {
  return db`exists (
    select 1 from blocks b
    where (b.blocker_id = c.pair_low_id and b.blocked_id = c.pair_high_id)
       or (b.blocker_id = c.pair_high_id and b.blocked_id = c.pair_low_id))`
}

/** Whether the two of a direct conversation are friends. */
export function arePairFriends(db: Db): Piece {
  return db`exists (
    select 1 from friendships f
    where least(f.requester_id, f.requested_id) = c.pair_low_id
      and greatest(f.requester_id, f.requested_id) = c.pair_high_id)`
}

/** As `me`. Up to where all others have read is null where there are none. */
export function membership(db: Db): Piece {
  return db`(
    select own.chat_id, own.user_id, own.role, own.last_read_seq, own.unread_skipped, (
      select min(other.last_read_seq) from chat_members other
      where other.chat_id = own.chat_id and other.user_id <> own.user_id
    ) as others_read_seq
    from chat_members own)`
}

export function unreadCount(db: Db, member: Piece): Piece {
  return db`c.last_seq - ${member}.last_read_seq - ${member}.unread_skipped`
}

/** The columns of a `Message`. */
export function messageColumns(db: Db): Piece {
  return db`
    m.id, m.chat_id as conversation_id, m.chat_id, m.seq, m.sender_id,
    coalesce(u.username, ${messageTexts.deletedUser}) as sender_username, m.content, m.created_at, m.client_id,
    case when m.sender_id = me.user_id then coalesce(m.seq <= me.others_read_seq, false)
      else m.seq <= me.last_read_seq end as read`
}

/** Everyone in it, by standing. */
export function participants(db: Db): Piece {
  return db`(
    select coalesce(json_agg(json_build_object(
      'user_id', p.user_id, 'username', pu.username, 'has_image', pu.has_image, 'role', p.role,
      'last_read_seq', p.last_read_seq
    ) order by p.joined_at, p.user_id), '[]')
    from chat_members p join users pu on pu.id = p.user_id
    where p.chat_id = c.id)`
}
