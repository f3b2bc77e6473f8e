import { guestLimits } from '@hither/contract/runtime/guests.ts'
import { isoTime, literal, type Piece, sql } from '../../platform/db/statements.ts'
import { areBlocked, isBlockedByOrBlocks } from '../../relations/relations.visibility.ts'

// Who sees the guests of a ping, as SQL fragments. They refer to `p`, a row of `location_pins`; to `g`, a row of
// `ping_guests`; and to `s`, the access of the viewer.

/** A guest as JSON. The name of a guest with an account is the username. It is null for a removed one without account. */
export const guestJson = sql`json_build_object(
  'id', g.id, 'ping_id', g.ping_id, 'user_id', g.user_id,
  'name', case when g.user_id is null then g.name else (select username from users where id = g.user_id) end,
  'response_type', g.response_type, 'state', g.state, 'revision', g.revision,
  'created_at', ${isoTime(sql`g.created_at`)}, 'updated_at', ${isoTime(sql`g.updated_at`)})`

/** All guests for the owner; the approved ones for invitees who may see responses, without those with a block. */
export const guests = sql`
  case when p.guests_created > 0 and (s.access = 'owner' or (s.access = 'invitee' and p.responses_visible)) then (
    select coalesce(json_agg(${guestJson} order by g.created_at, g.id), '[]')
    from ping_guests g
    where g.ping_id = p.id and (g.state = 'approved' or (g.state = 'waiting' and s.access = 'owner'))
      and not ${isBlockedByOrBlocks(sql`g.user_id`)}
  ) else '[]'::json end`

const perPing = literal(String(guestLimits.perPing))
const perPingAndDay = literal(String(guestLimits.perPingAndDay))

/** Is true if the ping takes no further guests. */
export const isFull = sql`(
  (cardinality(p.guests_admitted) = ${perPingAndDay} and p.guests_admitted[1] > ${'now'}::timestamptz - interval '24 hours')
  or (p.guests_created >= ${perPing} and (
    select count(*) from ping_guests n where n.ping_id = p.id and n.state <> 'removed') >= ${perPing}))`

/** Stores in `location_pins` that so many guests of a ping are approved. */
export function admitted<N extends string, T extends string>(count: Piece<N>, at: Piece<T>) {
  return sql`guests_admitted = (guests_admitted || array_fill(${at}::timestamptz(3), array[${count}]))[
    greatest(1, cardinality(guests_admitted) + ${count} - ${perPingAndDay} + 1):]`
}

/** Is true if somebody who is not invited may respond to a ping that they see. */
export const acceptsGuests = sql`(p.guest_policy <> 'off' and not ${isFull})`

/** Whether a response of the viewer would be accepted now. Earlier guests may change their answer under any policy. */
export const canRespond = sql`
  case s.access
    when 'invitee' then p.expires_at > ${'now'}
    when 'link' then coalesce(
      (select n.state <> 'removed' from ping_guests n where n.ping_id = p.id and n.user_id = ${'viewerId'}),
      ${acceptsGuests})
    else false
  end`

const ownGuest = (states: Piece<never>) =>
  sql`from ping_guests g where g.ping_id = p.id and g.user_id = ${'viewerId'} and g.state in (${states})`

/** The answers of the invitees and the approved guests as numbers. */
export const responseCounts = sql`(
  select json_build_object(
    'accepted', count(*) filter (where a.response_type = 'accepted'),
    'tentative', count(*) filter (where a.response_type = 'tentative'))
  from (
    select v.response_type from ping_responses v where v.ping_id = p.id and v.is_friend
    union all
    select n.response_type from ping_guests n where n.ping_id = p.id and n.state = 'approved'
  ) a)`

/** The viewer's own response as a guest, and the numbers of responses that it makes visible. */
export const linkColumns = sql`
  case when s.access = 'link' then (select ${guestJson} ${ownGuest(sql`'waiting', 'approved'`)}) end as guest,
  case when s.access = 'link' and p.responses_visible and exists (select 1 ${ownGuest(sql`'approved'`)})
    then ${responseCounts} end as response_counts`

/** The invitees who have blocked this user or whom this user has blocked; nobody for null. */
export function hiddenFrom<N extends string>(userId: Piece<N>): Piece<N> {
  return sql`(
    select coalesce(json_agg(r.recipient_id), '[]') from ping_recipients r
    where r.ping_id = p.id and ${areBlocked(userId, sql`r.recipient_id`)})`
}

/** All guests with the invitees from whom they are hidden, to decide who is notified. Never shown to a user. */
export const announcedGuests = sql`
  case when p.guests_created > 0 then (
    select coalesce(json_agg(
      json_build_object('guest', ${guestJson}, 'hidden_from', ${hiddenFrom(sql`g.user_id`)})
      order by g.created_at, g.id), '[]')
    from ping_guests g where g.ping_id = p.id and g.state <> 'removed'
  ) else '[]'::json end`
