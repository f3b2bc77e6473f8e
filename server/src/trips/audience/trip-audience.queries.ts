import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { Trip } from '@hither/contract/trips.ts'
import type { TripAudience } from '../../feeds/feeds.ts'
import type { Tx } from '../../platform/db/database.ts'
import { type Piece, sql, statement } from '../../platform/db/statements.ts'
import { announcedColumns, isTripCurrent, traveler } from './trips.visibility.ts'

// Reads and deletions without a viewer, which decide to whom a change is announced.

/** A trip with its audience, as the live feed needs it. */
export type AnnouncedTrip = TripAudience & { readonly trip: Trip }

/**
 * Deletes the trips of `which`, a condition on `t` and its ping `p`, and returns them with their audience before the
 * deletion. Of concurrent transactions, one returns a trip. `first` is a part of the `with` clause that does something else.
 */
export function deleteTrips<N extends string>(which: Piece<N>, first: Piece<N> = sql``) {
  return statement`
    with ${first} ended as (delete from ping_trips t using location_pins p where p.id = t.ping_id and (${which}) returning t.*)
    select ${announcedColumns}
    from ended t join location_pins p on p.id = t.ping_id cross join ${traveler} tu
    order by t.ping_id, t.arrives_at, t.user_id`
}

const ofPings = deleteTrips(sql`t.ping_id = any(${'pingIds'}::uuid[])`)

export function deleteOfPings(tx: Tx, pingIds: readonly PingId[]) {
  return ofPings<AnnouncedTrip>(tx, { pingIds })
}

const ofEndedPings = deleteTrips(
  sql`t.ping_id = any(${'pingIds'}::uuid[])`,
  sql`notices as (delete from ping_trip_notices where ping_id = any(${'pingIds'}::uuid[])),`,
)

/** Deletes also that the owners were notified, because nobody can start a trip to these pings any more. */
export function deleteOfEndedPings(tx: Tx, pingIds: readonly PingId[]) {
  return ofEndedPings<AnnouncedTrip>(tx, { pingIds })
}

const ofPerson = deleteTrips(sql`t.ping_id = ${'pingId'} and t.user_id = ${'userId'}`)

export function deleteOfPerson(tx: Tx, pingId: PingId, userId: UserId) {
  return ofPerson<AnnouncedTrip>(tx, { pingId, userId })
}

const isBetween = sql`
  (t.user_id = ${'a'} and p.user_id = ${'b'}) or (t.user_id = ${'b'} and p.user_id = ${'a'})`
const between = deleteTrips(isBetween)

/** Deletes the trips of each of the two users to the pings of the other. */
export function deleteBetween(tx: Tx, a: UserId, b: UserId) {
  return between<AnnouncedTrip>(tx, { a, b })
}

const found = <N extends string>(which: Piece<N>) => statement`
  select ${announcedColumns}, ${isTripCurrent} as is_current
  from ping_trips t join location_pins p on p.id = t.ping_id cross join ${traveler} tu
  where ${which}
  order by t.ping_id, t.arrives_at, t.user_id`

/** A trip that may have ended by itself without having been deleted yet. */
type FoundTrip = AnnouncedTrip & { readonly is_current: boolean }

const atPing = found(sql`t.ping_id = ${'pingId'}`)

export function listAtPing(tx: Tx, pingId: PingId, now: Date) {
  return atPing<FoundTrip>(tx, { pingId, now })
}

const invited = (owner: 'a' | 'b', recipient: 'a' | 'b') => sql`
  select q.id from location_pins q join ping_recipients r on r.ping_id = q.id
  where q.user_id = ${owner} and r.recipient_id = ${recipient}`
const atPingsBetween = found(sql`t.ping_id in (${invited('a', 'b')} union all ${invited('b', 'a')})`)

/** Lists the trips to the pings that one of the two users sent to the other. */
export function listAtPingsBetween(tx: Tx, a: UserId, b: UserId, now: Date) {
  return atPingsBetween<FoundTrip>(tx, { a, b, now })
}

const ofPair = found(sql`t.user_id in (${'a'}, ${'b'})`)

/** Lists the trips of two users. */
export function listOfPair(tx: Tx, a: UserId, b: UserId, now: Date) {
  return ofPair<FoundTrip>(tx, { a, b, now })
}
