import { isoTime, type Piece, plainTime, sql, type TimeForm } from '../platform/db/statements.ts'
import { isBlockedByOrBlocks } from '../relations/relations.visibility.ts'
import { placeColumns } from './place/place.visibility.ts'

// What a viewer sees of a ping, as SQL fragments; every read of pings uses them. They refer to `p`, a row of `location_pins`;
// to `o`, its owner; and to `s`, the access of the viewer (`ping-access.visibility.ts`) and whether they may know the exact
// place.

/** Is true if the public link shows the ping to a visitor without an account. */
export const isOpenToVisitors = sql`p.is_public and p.expires_at > ${'now'}`

export const status = sql`
  case when p.expires_at <= ${'now'} then 'expired' when p.activates_at > ${'now'} then 'pending' else 'active' end`

/** What clients need to know about changes of the ping. */
export const changeColumns = changeColumnsWith(plainTime)

function changeColumnsWith(time: TimeForm): Piece<never> {
  return sql`
    ${time(sql`p.updated_at`)} as updated_at, p.revision, p.place_revision, p.time_revision,
    ${time(sql`p.canceled_at`)} as canceled_at, p.cancel_message`
}

/**
 * The columns of the feed `location_pins`. `knowsChat` is the condition for including the chat id, `knowsPlace` the one for
 * the exact place.
 */
export function pingColumns(knowsChat = sql`true`, knowsPlace = sql`true`, time = plainTime): Piece<'now'> {
  return sql`
    p.id, p.user_id, o.username, o.display_name, o.has_image as user_has_image, p.name, p.is_unnamed,
    ${time(sql`p.created_at`)} as created_at, ${time(sql`p.expires_at`)} as expires_at,
    ${time(sql`p.activates_at`)} as activates_at, p.message, p.has_image, ${status} as status, ${placeColumns(knowsPlace)}, p.is_public,
    p.responses_visible, p.guest_policy,
    case when ${knowsChat} then (
      select c.id from chats c where c.ping_id = p.id and (c.erase_at is null or c.erase_at > ${'now'})) end as conversation_id,
    ${changeColumnsWith(time)}`
}

// Looks a person up by id. `offset 0` keeps it a lookup per row: the planner expects many rows and would otherwise read
// the whole table for each ping.
function person(id: Piece<never>): Piece<never> {
  return sql`lateral (select username, username_key, display_name from users where id = ${id} offset 0)`
}

/**
 * The invitees who are still friends of the owner, by name, without those whom the viewer has blocked or who have
 * blocked the viewer. Whether they have seen the ping is included if the viewer may know.
 */
export const recipients = sql`(
  select coalesce(json_agg(
    case when s.access = 'owner' or r.recipient_id = ${'viewerId'}
      then json_build_object(
        'id', r.id, 'recipient_id', r.recipient_id, 'recipient_username', u.username,
        'recipient_display_name', u.display_name, 'has_seen', r.has_seen)
      else json_build_object('id', r.id, 'recipient_id', r.recipient_id, 'recipient_username', u.username,
        'recipient_display_name', u.display_name)
    end order by u.username_key), '[]')
  from ping_recipients r cross join ${person(sql`r.recipient_id`)} u
  where r.ping_id = p.id and r.is_friend and not ${isBlockedByOrBlocks(sql`r.recipient_id`)})`

/** All responses without those of blocked users if the viewer may see them, otherwise only the viewer's own. */
export const responses = responsesWhere(sql`
  (s.access = 'owner' or p.responses_visible or v.user_id = ${'viewerId'})
  and not ${isBlockedByOrBlocks(sql`v.user_id`)}`)

/** All responses, to decide who is notified. Never shown to a user. */
export const allResponses = responsesWhere(sql`true`)

// In the order of the first response, limited to users who are still friends of the owner.
function responsesWhere<N extends string>(condition: Piece<N>): Piece<N> {
  return sql`(
    select coalesce(json_agg(json_build_object(
      'ping_id', v.ping_id, 'user_id', v.user_id, 'username', u.username, 'display_name', u.display_name,
      'response_type', v.response_type, 'revision', v.revision,
      'created_at', ${isoTime(sql`v.created_at`)}, 'updated_at', ${isoTime(sql`v.updated_at`)}
    ) order by v.created_at, v.user_id), '[]')
    from ping_responses v cross join ${person(sql`v.user_id`)} u
    where v.ping_id = p.id and (${condition}) and v.is_friend)`
}

/** The invitees who are still friends of the owner. Together with the owner they are the audience of the ping. */
export const inviteeIds = sql`(
  select coalesce(json_agg(r.recipient_id), '[]')
  from ping_recipients r
  where r.ping_id = p.id and r.is_friend)`

/** Whom the owner has addressed, for the owner only. Former friends are counted, because their names may be hidden. */
export const audience = sql`(
  select json_build_object(
    'circle_ids', (
      select coalesce(json_agg(c.circle_id order by c.circle_id), '[]') from ping_circles c where c.ping_id = p.id),
    'recipient_ids', coalesce(json_agg(r.recipient_id order by r.id) filter (where r.is_individual and r.is_friend), '[]'),
    'former_friend_count', count(*) filter (where not r.is_friend))
  from ping_recipients r
  where r.ping_id = p.id)`

/** The pairs of invitees of whom one has blocked the other; neither sees the response of the other. */
export const blockedPairs = sql`(
  select coalesce(json_agg(json_build_array(b.blocker_id, b.blocked_id)), '[]')
  from ping_recipients r
  join blocks b on b.blocker_id = r.recipient_id
  join ping_recipients q on q.ping_id = p.id and q.recipient_id = b.blocked_id
  where r.ping_id = p.id)`
