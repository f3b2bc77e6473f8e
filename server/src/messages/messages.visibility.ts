import { type Piece, sql } from '../platform/db/statements.ts'
import { areBlocked, areFriends } from '../relations/relations.visibility.ts'

// The visibility rule of conversations as SQL fragments; every read of conversations uses them. They refer to `c`, a
// row of `chats`; to `me`, the viewer's membership; and to `m`, a message, with `u`, its sender.

/** Is true if one of the two members of a direct conversation has blocked the other. */
const isPairBlocked = areBlocked(sql`c.pair_low_id`, sql`c.pair_high_id`)

/** Is true unless a block hides the conversation from its members. */
export const isOpen = sql`(c.type = 'group' or not ${isPairBlocked})`

/** Is true until the date of the chat, whether or not the job has erased it: from then on it exists for nobody. */
export const isBeforeDate = sql`(c.erase_at is null or c.erase_at > ${'now'})`

/**
 * The visibility rule of conversations: members see them, a direct one only while neither has blocked the other, and the chat
 * of a ping until its date.
 */
export const isSeen = sql`me.user_id = ${'viewerId'} and ${isOpen} and ${isBeforeDate}`

/** Is true if the two members of a direct conversation are friends. */
export const arePairFriends = areFriends(sql`c.pair_low_id`, sql`c.pair_high_id`)

/** The membership `me` of the viewer. `others_read_seq` is null without other members. */
export const membership = sql`(
  select own.chat_id, own.user_id, own.role, own.last_read_seq, own.unread_skipped, own.pinned_at, own.archived_at, (
    select min(other.last_read_seq) from chat_members other
    where other.chat_id = own.chat_id and other.user_id <> own.user_id
  ) as others_read_seq
  from chat_members own)`

export function unreadCount(member: Piece<never>): Piece<never> {
  return sql`c.last_seq - ${member}.last_read_seq - ${member}.unread_skipped`
}

/** All members, longest membership first. */
export const participants = sql`(
  select coalesce(json_agg(json_build_object(
    'user_id', p.user_id, 'username', pu.username, 'display_name', pu.display_name, 'has_image', pu.has_image,
    'role', p.role, 'last_read_seq', p.last_read_seq
  ) order by p.joined_at, p.user_id), '[]')
  from chat_members p cross join lateral (
    ${person(sql`p.user_id`)}
  ) pu
  where p.chat_id = c.id)`

/**
 * Looks a user up by id. `offset 0` keeps it a lookup per row: the planner expects many rows and would otherwise read
 * the whole table for each conversation.
 */
export function person(id: Piece<never>): Piece<never> {
  return sql`select id, username, display_name, has_image from users where id = ${id} offset 0`
}
