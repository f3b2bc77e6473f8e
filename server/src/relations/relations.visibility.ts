import { type Piece, sql } from '../platform/db/statements.ts'

// Who is friends with whom and who has blocked whom, as SQL fragments. Besides these and the feature that writes the tables, only
// the export of an account, the use of a friend link and the pairs of invitees (`blockedPairs`) read `friendships` and `blocks`.

/** The friends of the user `userId`, one row for each: `id` and `created_at` of the friendship, and `friend_id`. */
export const friendsOfUser = sql`(
  select id, requested_id as friend_id, created_at from friendships where requester_id = ${'userId'}
  union all
  select id, requester_id, created_at from friendships where requested_id = ${'userId'})`

/** Is true if the two users are friends. */
export function areFriends<N extends string>(a: Piece<N>, b: Piece<N>): Piece<N> {
  return sql`exists (select 1 from friendships f where ${isBetween(sql`f.requester_id`, sql`f.requested_id`, a, b)})`
}

/**
 * Is true if a row with these two columns connects the two users, in either direction. The form of the unique indexes of
 * friendships and requests.
 */
export function isBetween<N extends string>(from: Piece<never>, to: Piece<never>, a: Piece<N>, b: Piece<N>): Piece<N> {
  return sql`least(${from}, ${to}) = least(${a}, ${b}) and greatest(${from}, ${to}) = greatest(${a}, ${b})`
}

/** Is true if the first user has blocked the second. */
export function hasBlocked<N extends string>(blocker: Piece<N>, blocked: Piece<N>): Piece<N> {
  return sql`exists (select 1 from blocks b where b.blocker_id = ${blocker} and b.blocked_id = ${blocked})`
}

/** The ids of everybody who has blocked the user or whom the user has blocked, as JSON. */
export function blockedEitherWay(userId: Piece<never>): Piece<never> {
  return sql`(
    select coalesce(json_agg(case when b.blocker_id = ${userId} then b.blocked_id else b.blocker_id end), '[]')
    from blocks b where b.blocker_id = ${userId} or b.blocked_id = ${userId})`
}

/** Is true if one of the two users has blocked the other. */
export function areBlocked<N extends string>(a: Piece<N>, b: Piece<N>): Piece<N> {
  return sql`exists (
    select 1 from blocks b
    where (b.blocker_id = ${a} and b.blocked_id = ${b}) or (b.blocker_id = ${b} and b.blocked_id = ${a}))`
}

/**
 * Is true if the viewer has blocked this user or this user has blocked the viewer; false for a null id. The subquery does not
 * depend on the row, so the database reads the blocks of the viewer once for a whole list.
 */
export function isBlockedByOrBlocks(userId: Piece<never>): Piece<'viewerId'> {
  return sql`coalesce(${userId} in (
    select blocked_id from blocks where blocker_id = ${'viewerId'}
    union all
    select blocker_id from blocks where blocked_id = ${'viewerId'}), false)`
}
