import { isoTime, type Piece, sql } from '../platform/statements.ts'

// Who sees what of a ping, as pieces of SQL: every read of pings is made of these. They speak of `p`, a row of
// `location_pins`; of `o`, its owner; and of `s`, the sight of the viewer.

export function areFriends<N extends string>(a: Piece<N>, b: Piece<N>): Piece<N> {
  return sql`exists (
    select 1 from friendships f
    where least(f.requester_id, f.requested_id) = least(${a}, ${b})
      and greatest(f.requester_id, f.requested_id) = greatest(${a}, ${b}))`
}

/** Whether one of the two has blocked the other. */
export function areBlocked<N extends string>(a: Piece<N>, b: Piece<N>): Piece<N> {
  return sql`exists (
    select 1 from blocks b
    where (b.blocker_id = ${a} and b.blocked_id = ${b}) or (b.blocker_id = ${b} and b.blocked_id = ${a}))`
}

/**
 * The one rule of who sees a ping, as a `Sight` or null. A block ends a friendship, so it needs asking only of strangers, whom
 * the end of the ping closes it to.
 */
export const sight = sql`
  case
    when p.user_id = ${'viewerId'} then 'owner'
    when ${areFriends<'viewerId'>(sql`p.user_id`, sql`${'viewerId'}::uuid`)} and exists (
      select 1 from ping_recipients r where r.ping_id = p.id and r.recipient_id = ${'viewerId'}
    ) then 'invitee'
    when p.is_public and p.expires_at > ${'now'}
      and not ${areBlocked<'viewerId'>(sql`p.user_id`, sql`${'viewerId'}::uuid`)} then 'stranger'
  end`

/** How far the public link goes for a visitor without an account. */
export const isOpenToVisitors = sql`p.is_public and p.expires_at > ${'now'}`

export const status = sql`
  case when p.expires_at <= ${'now'} then 'expired' when p.activates_at > ${'now'} then 'pending' else 'active' end`

/** The columns of the feed `location_pins`; `knowsChat` where not everyone who reads them may know of the ping's chat. */
export function pingColumns(knowsChat = sql`true`): Piece<'now'> {
  return sql`
    p.id, p.user_id, o.username, o.has_image as user_has_image, p.name, p.latitude, p.longitude, p.created_at,
    p.expires_at, p.activates_at, p.message, p.has_image, ${status} as status, p.address, p.is_public,
    p.responses_visible, case when ${knowsChat} then (select c.id from chats c where c.ping_id = p.id) end as conversation_id`
}

// Looked up by their id. Where the database expects more than a few it would rather read everyone there is, for each ping again.
function person(id: Piece<never>): Piece<never> {
  return sql`lateral (select username from users where id = ${id} offset 0)`
}

/**
 * Those invited who still are friends of the owner, by name, without those who have blocked the viewer or whom the viewer has
 * blocked. Whether they have seen it is shown as far as the viewer may know.
 */
export const recipients = sql`(
  select coalesce(json_agg(
    case when s.sight = 'owner' or r.recipient_id = ${'viewerId'}
      then json_build_object(
        'id', r.id, 'recipient_id', r.recipient_id, 'recipient_username', u.username, 'has_seen', r.has_seen)
      else json_build_object('id', r.id, 'recipient_id', r.recipient_id, 'recipient_username', u.username)
    end order by lower(u.username) collate "C"), '[]')
  from ping_recipients r cross join ${person(sql`r.recipient_id`)} u
  where r.ping_id = p.id and ${areFriends(sql`p.user_id`, sql`r.recipient_id`)}
    and not ${areBlocked<'viewerId'>(sql`r.recipient_id`, sql`${'viewerId'}::uuid`)})`

/** All of them for those who may see them, without those of blocked users, else the viewer's own. */
export const responses = responsesWhere(sql`
  (s.sight = 'owner' or p.responses_visible or v.user_id = ${'viewerId'})
  and not ${areBlocked<'viewerId'>(sql`v.user_id`, sql`${'viewerId'}::uuid`)}`)

/** To decide who is notified; not for anyone to see. */
export const allResponses = responsesWhere(sql`true`)

// In the order in which they came, of those who still are friends of the owner.
function responsesWhere<N extends string>(condition: Piece<N>): Piece<N> {
  return sql`(
    select coalesce(json_agg(json_build_object(
      'ping_id', v.ping_id, 'user_id', v.user_id, 'username', u.username, 'response_type', v.response_type,
      'created_at', ${isoTime(sql`v.created_at`)}, 'updated_at', ${isoTime(sql`v.updated_at`)}
    ) order by v.created_at, v.user_id), '[]')
    from ping_responses v cross join ${person(sql`v.user_id`)} u
    where v.ping_id = p.id and (${condition}) and ${areFriends(sql`p.user_id`, sql`v.user_id`)})`
}

/** Those invited who still are friends of the owner: with the owner, everyone who is told of the ping. */
export const inviteeIds = sql`(
  select coalesce(json_agg(r.recipient_id), '[]')
  from ping_recipients r
  where r.ping_id = p.id and ${areFriends(sql`p.user_id`, sql`r.recipient_id`)})`

/** Of those invited, each two of whom one has blocked the other: neither sees the other's response. */
export const blockedPairs = sql`(
  select coalesce(json_agg(json_build_array(b.blocker_id, b.blocked_id)), '[]')
  from ping_recipients r
  join blocks b on b.blocker_id = r.recipient_id
  join ping_recipients q on q.ping_id = p.id and q.recipient_id = b.blocked_id
  where r.ping_id = p.id)`
