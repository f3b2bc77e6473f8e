import { isoTime, type Piece, sql } from '../../platform/db/statements.ts'
import { areBlocked } from '../../relations/relations.visibility.ts'

// Who may know the exact place of a ping, as SQL fragments. They refer to `p`, a row of `location_pins`, and to `s`, the
// access of the viewer.

/**
 * Is true until the exact place of a ping is due to be erased, whether or not the job has run: from then on nobody may know
 * it, not even the owner.
 */
export const isPlaceStored = sql`(
  p.place_erased_at is null and p.expires_at + (select keep from place_erasure) > ${'now'})`

/**
 * Is true if a person may know the exact place. `access` is the level at which the person sees the ping. `isGoing` is true
 * if they answered that they are going, a guest also only after the approval of the owner.
 */
function mayKnowPlace<A extends string, G extends string>(access: Piece<A>, isGoing: Piece<G>) {
  return sql`(
    ${isPlaceStored} and (p.exact_place_for = 'everyone' or ${access} = 'owner' or (p.expires_at > ${'now'} and (
      (p.exact_place_for = 'invited' and ${access} = 'invitee') or (p.exact_place_for = 'going' and ${isGoing})))))`
}

/** Is true if this invitee answered that they are going. */
function isGoingAsInvitee<N extends string>(userId: Piece<N>): Piece<N> {
  return sql`exists (
    select 1 from ping_responses v
    where v.ping_id = p.id and v.user_id = ${userId} and v.response_type = 'accepted')`
}

const isGoingAsGuest = sql`exists (
  select 1 from ping_guests g
  where g.ping_id = p.id and g.user_id = ${'viewerId'} and g.state = 'approved' and g.response_type = 'accepted')`

/** Whether the viewer, who has this access, may know the exact place now. */
export function viewerMayKnowPlace<N extends string>(access: Piece<N>) {
  return mayKnowPlace(
    access,
    sql`case ${access}
      when 'invitee' then ${isGoingAsInvitee(sql`${'viewerId'}`)}
      when 'link' then ${isGoingAsGuest} else false end`,
  )
}

/** Whether a visitor without a response may know the exact place. */
export const visitorMayKnowPlace = mayKnowPlace(sql`'visitor'`, sql`false`)

/** The place as one viewer may know it, with the settings of the ping. */
export function placeColumns<N extends string>(mayKnow: Piece<N>): Piece<N> {
  return sql`
    case when ${mayKnow} then p.latitude else p.area_latitude end as latitude,
    case when ${mayKnow} then p.longitude else p.area_longitude end as longitude,
    case when ${mayKnow} then p.address else p.area_address end as address,
    case when ${mayKnow} then null else p.area_km * 1000 end as place_radius_m, p.exact_place_for, p.area_km`
}

/** The name of a person `k` who has been given the exact place, with their account `u`. A block hides a new name. */
export function knownName<N extends string>(ownerId: Piece<N>): Piece<N> {
  return sql`
    case when u.id is null or ${areBlocked(sql`u.id`, ownerId)} then k.name else coalesce(u.display_name, u.username) end`
}

/** Who has been given the exact place, for the owner only. A block does not hide them. */
export const placeKnownBy = sql`
  case when s.access = 'owner' and p.exact_place_for <> 'everyone' then (
    select coalesce(json_agg(
      json_build_object(
        'user_id', k.user_id, 'guest_id', k.guest_id,
        'name', ${knownName(sql`p.user_id`)},
        'first_at', ${isoTime(sql`k.first_at`)})
      order by k.first_at, k.id), '[]')
    from ping_place_known_by k left join users u on u.id = k.user_id
    where k.ping_id = p.id) else '[]'::json end`

/** The area, for rows that contain the exact place and are never shown to a user as they are. */
export const areaColumns = sql`p.area_latitude, p.area_longitude, p.area_address`

/** The area, and whether a person with this access may know the exact place after each answer. */
export function placeByAnswer<N extends string>(access: Piece<N>) {
  return sql`
    ${areaColumns}, ${mayKnowPlace(access, sql`true`)} as is_exact_if_going,
    ${mayKnowPlace(access, sql`false`)} as is_exact_otherwise`
}

/** Whether the answer of an invitee decides if they may know the exact place. */
export const isPlaceByAnswer = sql`(
  ${mayKnowPlace(sql`'invitee'`, sql`true`)} <> ${mayKnowPlace(sql`'invitee'`, sql`false`)})`

/** The owner and the invitees who may not know the exact place, to decide what is announced to them. */
export const hiddenPlaceIds = sql`
  case when not ${isPlaceStored} then (
    select json_agg(person.id) from (
      select p.user_id as id union all select r.recipient_id from ping_recipients r where r.ping_id = p.id) person)
  when p.exact_place_for = 'everyone' then '[]'::json else (
    select coalesce(json_agg(r.recipient_id), '[]') from ping_recipients r
    where r.ping_id = p.id and not ${mayKnowPlace(sql`'invitee'`, isGoingAsInvitee(sql`r.recipient_id`))}
  ) end`
