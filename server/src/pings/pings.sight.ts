import { type UserId } from '@hither/contract/ids.ts'
import { type PendingQuery, type Row } from 'postgres'
import { type Db } from '../platform/database.ts'

// Who sees what of a ping, as pieces of SQL: every read of pings is made of these. They speak of `p`, a row of
// `location_pins`; of `o`, its owner; and of `s`, the sight of the viewer.

type Piece = PendingQuery<Row[]>

/** The one rule of who sees a ping, as a `Sight` or null. A block ends a friendship, so it needs asking only of strangers. */
export function sight(db: Db, viewerId: UserId): Piece {
  return db`
    case
      when p.user_id = ${viewerId} then 'owner'
      when ${areFriends(db, db`p.user_id`, db`${viewerId}::uuid`)} and exists (
        select 1 from ping_recipients r where r.ping_id = p.id and r.recipient_id = ${viewerId}
      ) then 'invitee'
      when p.is_public and not exists (
        select 1 from blocks b
        where (b.blocker_id = p.user_id and b.blocked_id = ${viewerId})
           or (b.blocker_id = ${viewerId} and b.blocked_id = p.user_id)
      ) then 'stranger'
    end`
}

/** How far the public link goes for a visitor without an account. */
export function isOpenToVisitors(db: Db, now: Date): Piece {
  return db`p.is_public and p.expires_at > ${now}`
}

export function status(db: Db, now: Date): Piece {
  return db`case when p.expires_at <= ${now} then 'expired' when p.activates_at > ${now} then 'pending' else 'active' end`
}

/** The columns of the feed `location_pins`; `knowsChat` where not everyone who reads them may know of the ping's chat. */
export function pingColumns(db: Db, now: Date, knowsChat = db`true`): Piece {
  return db`
    p.id, p.user_id, o.username, o.has_image as user_has_image, p.name, p.latitude, p.longitude, p.created_at,
    p.expires_at, p.activates_at, p.message, p.has_image, ${status(db, now)} as status, p.address, p.is_public,
    p.responses_visible, case when ${knowsChat} then (select c.id from chats c where c.ping_id = p.id) end as conversation_id`
}

/** Those invited who still are friends of the owner, by name. Whether they have seen it is told as far as the viewer may know. */
export function recipients(db: Db, viewerId: UserId): Piece {
  return db`(
    select coalesce(json_agg(json_strip_nulls(json_build_object(
      'id', r.id, 'recipient_id', r.recipient_id, 'recipient_username', u.username,
      'has_seen', case when s.sight = 'owner' or r.recipient_id = ${viewerId} then r.has_seen end
    )) order by lower(u.username) collate "C"), '[]')
    from ping_recipients r join users u on u.id = r.recipient_id
    where r.ping_id = p.id and ${areFriends(db, db`p.user_id`, db`r.recipient_id`)})`
}

/** All of them for those who may see them, else the viewer's own. */
export function responses(db: Db, viewerId: UserId): Piece {
  return responsesWhere(db, db`s.sight = 'owner' or p.responses_visible or v.user_id = ${viewerId}`)
}

/** For deciding who is told; not for anyone to see. */
export function allResponses(db: Db): Piece {
  return responsesWhere(db, db`true`)
}

// In the order in which they came, of those who still are friends of the owner.
function responsesWhere(db: Db, condition: Piece): Piece {
  return db`(
    select coalesce(json_agg(json_build_object(
      'ping_id', v.ping_id, 'user_id', v.user_id, 'username', u.username, 'response_type', v.response_type,
      'created_at', ${isoTime(db, db`v.created_at`)}, 'updated_at', ${isoTime(db, db`v.updated_at`)}
    ) order by v.created_at, v.user_id), '[]')
    from ping_responses v join users u on u.id = v.user_id
    where v.ping_id = p.id and (${condition}) and ${areFriends(db, db`p.user_id`, db`v.user_id`)})`
}

/** Those invited who still are friends of the owner: with the owner, everyone who is told of the ping. */
export function inviteeIds(db: Db): Piece {
  return db`(
    select coalesce(json_agg(r.recipient_id), '[]')
    from ping_recipients r
    where r.ping_id = p.id and ${areFriends(db, db`p.user_id`, db`r.recipient_id`)})`
}

export function areFriends(db: Db, a: Piece, b: Piece): Piece {
  return db`exists (
    select 1 from friendships f
    where least(f.requester_id, f.requested_id) = least(${a}, ${b})
      and greatest(f.requester_id, f.requested_id) = greatest(${a}, ${b}))`
}

// Inside of JSON the database writes times in a form of its own.
function isoTime(db: Db, column: Piece): Piece {
  return db`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
