import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { PingResponse } from '@hither/contract/pings.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { sql, statement } from '../platform/db/statements.ts'
import type { SeenGuest } from './guests/guest-announcements.ts'
import { announcedGuests } from './guests/guests.visibility.ts'
import * as shown from './pings.visibility.ts'
import { areaColumns, hiddenPlaceIds } from './place/place.visibility.ts'
import type { PlacedRow } from './place/place-announcements.ts'

// Reads without a viewer, which decide to whom a change is announced. Their rows are never shown to a user as they are.

/** A ping with its audience and the exact place, as the live feeds need it. */
export type AnnouncedPing = PlacedRow & {
  invitee_ids: UserId[]
  blocked_pairs: [UserId, UserId][]
  responses: PingResponse[]
  guests: SeenGuest[]
}

export async function findAnnounced(tx: Tx, pingId: PingId, now: Date): Promise<AnnouncedPing | undefined> {
  const [row] = await announced<AnnouncedPing>(tx, { pingId, now })
  return row
}

/** The columns of a ping with its place and the people to whom it is announced. */
export const placedColumns = sql`
  ${shown.pingColumns()}, ${areaColumns}, ${hiddenPlaceIds} as hidden_place_ids, ${shown.inviteeIds} as invitee_ids`

const announcedColumns = sql`
  ${placedColumns}, ${shown.blockedPairs} as blocked_pairs,
  ${shown.allResponses} as responses, ${announcedGuests} as guests`

const announced = statement`
  select ${announcedColumns}
  from location_pins p join users o on o.id = p.user_id
  where p.id = ${'pingId'}`

// A recipient who responded while they were not invited.
const isRecipientGuest = sql`(p.guests_created > 0
  and exists (select 1 from ping_guests g where g.ping_id = p.id and g.user_id = r.recipient_id))`

const between = statement`
  select ${announcedColumns}, r.recipient_id, ${isRecipientGuest} as is_recipient_guest
  from location_pins p
  join users o on o.id = p.user_id
  join ping_recipients r on r.ping_id = p.id
  where ((p.user_id = ${'a'} and r.recipient_id = ${'b'}) or (p.user_id = ${'b'} and r.recipient_id = ${'a'}))
    and (p.expires_at > coalesce(${'unexpiredAt'}::timestamptz, '-infinity') or ${isRecipientGuest})
  order by p.id`

/** A ping of one of two users with the other one, to whom it was sent. */
export type PingBetween = AnnouncedPing & { recipient_id: UserId; is_recipient_guest: boolean }

/**
 * Lists the pings that one of the two users sent to the other and that have not expired by `unexpiredAt`; all stored
 * ones if that is null. Also lists expired ones at which the recipient is a guest.
 */
export function listBetween(db: Db, [a, b]: readonly [UserId, UserId], now: Date, unexpiredAt: Date | null) {
  return between<PingBetween>(db, { a, b, now, unexpiredAt })
}

/** Lists the owners of the pings to which both users are invited, or one is invited and the other is a guest. */
export async function listOwnersOfShared(tx: Tx, a: UserId, b: UserId): Promise<UserId[]> {
  const rows = await tx<{ user_id: UserId }[]>`
    select p.user_id from location_pins p
    join ping_recipients r on r.ping_id = p.id and r.recipient_id = ${a}
    join ping_recipients q on q.ping_id = p.id and q.recipient_id = ${b}
    union
    select p.user_id from location_pins p
    join ping_guests g on g.ping_id = p.id and g.user_id in (${a}, ${b})
    join ping_recipients r on r.ping_id = p.id and r.recipient_id in (${a}, ${b})`
  return rows.map(({ user_id }) => user_id)
}

const shared = statement`
  select ${announcedColumns}
  from location_pins p
  join users o on o.id = p.user_id
  join ping_recipients r on r.ping_id = p.id and r.recipient_id = ${'a'}
  join ping_recipients q on q.ping_id = p.id and q.recipient_id = ${'b'}
  where p.responses_visible
  order by p.id`

/** Lists the pings of others to which both users are invited and whose responses the invitees may see. */
export function listShared(tx: Tx, [a, b]: readonly [UserId, UserId], now: Date) {
  return shared<AnnouncedPing>(tx, { a, b, now })
}

const withGuest = statement`
  select ${announcedColumns}
  from location_pins p
  join users o on o.id = p.user_id
  where p.responses_visible and p.id in (
    select g.ping_id from ping_guests g
    join ping_recipients r on r.ping_id = g.ping_id
    where (g.user_id = ${'a'} and r.recipient_id = ${'b'}) or (g.user_id = ${'b'} and r.recipient_id = ${'a'}))
  order by p.id`

/** Lists the pings at which one of the users is a guest and the other an invitee who may see responses. */
export function listGuestPings(tx: Tx, [a, b]: readonly [UserId, UserId], now: Date) {
  return withGuest<AnnouncedPing>(tx, { a, b, now })
}
