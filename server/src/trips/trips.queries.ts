import type { PingId, SessionId, UserId } from '@hither/contract/ids.ts'
import type { ResponseType } from '@hither/contract/pings.ts'
import type { Trip, TripState } from '@hither/contract/trips.ts'
import type { TripAudience } from '../feeds/feeds.ts'
import { type Access, access } from '../ping-access/ping-access.visibility.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { literal, sql, statement } from '../platform/db/statements.ts'
import type { LockedPing } from '../users/user-locks.ts'
import { type AnnouncedTrip, deleteTrips } from './audience/trip-audience.queries.ts'
import {
  announcedColumns,
  goingIds,
  hiddenFromTraveler,
  isTripCurrent,
  traveler,
  tripJson,
} from './audience/trips.visibility.ts'

// Responses and trips of all people at one ping are written one after another: the ping is locked for both. A trip is then
// announced to those who are going at that time, and the job that announces the end of the ping waits.
const tripLock = statement`
  select
    (select count(*) from (
      select 1 from ping_recipients where ping_id = ${'pingId'} and recipient_id = ${'userId'} for no key update) i),
    (select count(*) from (select 1 from location_pins where id = ${'pingId'} for no key update) p),
    (select count(*) from (
      select 1 from ping_trips where ping_id = ${'pingId'} and user_id = ${'userId'} for update) t),
    (select count(*) from (select 1 from sessions where id = ${'sessionId'} for share) s)`

/** Locks what decides about a trip, and the session: it does not end meanwhile. */
export async function lockTrip(tx: Tx, pingId: LockedPing, userId: UserId, sessionId: SessionId): Promise<void> {
  await tripLock(tx, { pingId, userId, sessionId })
}

/** The data that decides whether a person may share a trip and who is notified of it. */
export interface TripContext extends TripAudience {
  readonly access: Access | null
  readonly is_signed_in: boolean
  readonly created_at: string
  readonly activates_at: string | null
  readonly expires_at: string
  /** Whether the end of the ping has been announced, also if the clock of this node is slow. */
  readonly is_end_announced: boolean
  readonly username: string
  readonly response_type: ResponseType | null
  readonly is_trip_notified: boolean
  readonly is_arrival_notified: boolean
  /** The stored trip, which may have ended by itself. */
  readonly trip: Trip | null
}

const storedTrip = sql`(select ${tripJson} from ping_trips t where t.ping_id = p.id and t.user_id = tu.id)`

const hasNotice = (state: TripState) => sql`exists (
  select 1 from ping_trip_notices n where n.ping_id = p.id and n.user_id = tu.id and n.state = ${literal(state)})`

const context = statement`
  select p.user_id, p.responses_visible, p.created_at, p.activates_at, p.expires_at,
    p.announced_status = 'expired' as is_end_announced, ${access} as access,
    ${goingIds} as going_ids, ${hiddenFromTraveler} as hidden_from,
    exists (select 1 from sessions where id = ${'sessionId'} and ended_at is null) as is_signed_in,
    tu.username, v.response_type, ${hasNotice('en_route')} as is_trip_notified,
    ${hasNotice('arrived')} as is_arrival_notified, ${storedTrip} as trip
  from location_pins p
  join users tu on tu.id = ${'viewerId'}
  left join ping_responses v on v.ping_id = p.id and v.user_id = tu.id
  where p.id = ${'pingId'}`

/** Stays valid until the transaction ends if the trip is locked. */
export async function findTripContext(
  tx: Tx,
  viewerId: UserId,
  sessionId: SessionId,
  pingId: LockedPing,
  now: Date,
): Promise<TripContext | undefined> {
  const [row] = await context<TripContext>(tx, { viewerId, sessionId, pingId, now })
  return row
}

const upsert = statement`
  with notice as (
    insert into ping_trip_notices (ping_id, user_id, state)
    select ${'pingId'}::uuid, ${'userId'}::uuid, ${'state'}::text where ${'isNotified'}::boolean
  )
  insert into ping_trips (ping_id, user_id, session_id, state, arrives_at, started_at, updated_at)
  values (${'pingId'}, ${'userId'}, ${'sessionId'}, ${'state'}, ${'arrivesAt'}, ${'startedAt'}, ${'updatedAt'})
  on conflict (ping_id, user_id) do update set session_id = excluded.session_id, state = excluded.state,
    arrives_at = excluded.arrives_at, started_at = excluded.started_at, updated_at = excluded.updated_at`

/**
 * Adds or replaces a trip. `isNotified` stores that the owner of the ping is notified of this state of the person's trips,
 * which must happen once. Returned before it runs, so that it can be sent with the commit.
 */
export function upsertTrip(tx: Tx, sessionId: SessionId, trip: Trip, isNotified: boolean) {
  return upsert(tx, {
    isNotified,
    sessionId,
    pingId: trip.ping_id,
    userId: trip.user_id,
    state: trip.state,
    arrivesAt: trip.arrives_at,
    startedAt: trip.started_at,
    updatedAt: trip.updated_at,
  })
}

/** Deletes the notices of all trips of a user. */
export async function deleteNoticesOf(tx: Tx, userId: UserId): Promise<void> {
  await tx`delete from ping_trip_notices where user_id = ${userId}`
}

// Queries over all trips are returned before they run, so that a test can ask the database for their plan.

/** Lists the first trips en route whose arrival time is before `arrivedBefore`. */
export function listOverdue(db: Db, arrivedBefore: Date, limit: number) {
  return db<{ ping_id: PingId; user_id: UserId }[]>`
    select ping_id, user_id from ping_trips
    where state = 'en_route' and arrives_at <= ${arrivedBefore} order by arrives_at limit ${limit}`
}

/** Returns the earliest arrival time of a trip en route. */
export function findNextArrival(db: Db) {
  return db<[{ arrives_at: string | null }]>`
    select min(arrives_at) as arrives_at from ping_trips where state = 'en_route'`
}

const overdue = statement`
  with due as (
    select t.ping_id, t.user_id from ping_trips t
    join unnest(${'pingIds'}::uuid[], ${'userIds'}::uuid[]) as k (ping_id, user_id)
      on k.ping_id = t.ping_id and k.user_id = t.user_id
    where t.state = 'en_route' and t.arrives_at <= ${'arrivedBefore'}
    for update of t skip locked
  ), ended as (
    delete from ping_trips t using due where t.ping_id = due.ping_id and t.user_id = due.user_id returning t.*
  )
  select ${announcedColumns}
  from ended t join location_pins p on p.id = t.ping_id cross join ${traveler} tu
  order by t.ping_id, t.arrives_at, t.user_id`

/** Deletes those of these trips that are still overdue and that no other transaction changes, and returns them. */
export async function deleteOverdue(
  tx: Tx,
  keys: readonly { ping_id: PingId; user_id: UserId }[],
  arrivedBefore: Date,
): Promise<AnnouncedTrip[]> {
  const pingIds = keys.map(({ ping_id }) => ping_id)
  const userIds = keys.map(({ user_id }) => user_id)
  return overdue<AnnouncedTrip>(tx, { pingIds, userIds, arrivedBefore })
}

/** Lists the owners of the pings to which a user shares a trip. */
export async function listOwnersOf(tx: Tx, userId: UserId): Promise<UserId[]> {
  const rows = await tx<{ user_id: UserId }[]>`
    select distinct p.user_id from ping_trips t join location_pins p on p.id = t.ping_id where t.user_id = ${userId}`
  return rows.map(({ user_id }) => user_id)
}

/** Locks all trips of a user and returns the pings to which they lead. */
export async function lockTripsOf(tx: Tx, userId: UserId): Promise<PingId[]> {
  const rows = await tx<{ ping_id: PingId }[]>`
    select ping_id from ping_trips where user_id = ${userId} order by ping_id for update`
  return rows.map(({ ping_id }) => ping_id)
}

/** Lists the pings of the trips that these sessions wrote last. */
export async function listPingsOfSessions(tx: Tx, sessionIds: readonly SessionId[]): Promise<PingId[]> {
  const rows = await tx<{ ping_id: PingId }[]>`
    select ping_id from ping_trips where session_id = any(${sessionIds}::uuid[])`
  return rows.map(({ ping_id }) => ping_id)
}

const ofSessions = deleteTrips(sql`t.session_id = any(${'sessionIds'}::uuid[])`)

export function deleteOfSessions(tx: Tx, sessionIds: readonly SessionId[]) {
  return ofSessions<AnnouncedTrip>(tx, { sessionIds })
}

const seen = statement`
  select t.state, t.arrives_at, tu.username, tu.display_name
  from ping_trips t join location_pins p on p.id = t.ping_id join users tu on tu.id = t.user_id
  where t.ping_id = ${'pingId'} and t.user_id = ${'userId'} and ${isTripCurrent}`

/** What the owner of a ping is notified of. */
export interface TripNotice {
  readonly state: TripState
  readonly arrives_at: string
  readonly username: string
  readonly display_name: string | null
}

/** Finds a trip that has not ended. Must be limited to the owner of the ping. */
export async function findTripNotice(
  db: Db,
  pingId: PingId,
  userId: UserId,
  now: Date,
): Promise<TripNotice | undefined> {
  const [row] = await seen<TripNotice>(db, { pingId, userId, now })
  return row
}
