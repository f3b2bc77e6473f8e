import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { Trip } from '@hither/contract/trips.ts'
import type { Announce, Changes } from '../events/changes.ts'
import { feeds } from '../feeds/feeds.ts'
import type { Db, Pool, Tx } from '../platform/db/database.ts'
import { inOrder } from '../platform/db/in-order.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import type { Caller } from '../platform/http/caller.ts'
import { lockPingAndRead } from '../users/user-locks.ts'
import { endTripOf } from './audience/trip-endings.service.ts'
import * as queries from './trips.queries.ts'
import * as rules from './trips.rules.ts'

export interface TripsDeps {
  readonly pool: Pool
  readonly changes: Changes
  readonly now: () => Date
}

type Sharer = Pick<Caller, 'userId' | 'sessionId'>

/**
 * Shares that the caller arrives in these minutes, which must be in the range. With `started_at` it only updates the trip
 * with this start; without it, it starts a trip if there is none on the way.
 */
export async function shareTrip(
  deps: TripsDeps,
  caller: Sharer,
  pingId: PingId,
  input: { eta_minutes: number; started_at?: string },
): Promise<Trip> {
  return writeTrip(deps, caller, pingId, 'en_route', input.eta_minutes, input.started_at)
}

/** Shares that the caller has arrived. Repeated without `started_at`, it returns the unchanged trip and announces nothing. */
export async function arriveAtPing(
  deps: TripsDeps,
  caller: Sharer,
  pingId: PingId,
  input: { started_at?: string },
): Promise<Trip> {
  return writeTrip(deps, caller, pingId, 'arrived', 0, input.started_at)
}

async function writeTrip(
  { pool, changes, now }: TripsDeps,
  caller: Sharer,
  pingId: PingId,
  state: Trip['state'],
  minutes: number,
  expectedStart: string | undefined,
): Promise<Trip> {
  const { userId, sessionId } = caller
  return changes.commit(pool, async (tx, announce, withCommit) => {
    const ping = await lockContext(tx, caller, pingId, now())
    // The clock is read after the wait for the locks.
    const at = now()
    if (ping && !ping.is_signed_in) throw new Refusal('authentication_required')
    rules.assertCanShare(ping, at)
    const stored = ping.trip
    const current = stored && !rules.isOverdue(stored, at) ? stored : null
    if (expectedStart !== undefined) rules.assertCurrentStart(current, expectedStart)
    if (state === 'arrived' && current?.state === 'arrived') return current
    const traveler = { ping_id: pingId.toLowerCase() as PingId, user_id: userId, username: ping.username }
    const arrivesAt = rules.arrivalTime(at, minutes)
    // An overdue trip counts as replaced, so that a new one does not begin at the same time.
    const after = rules.tripAfter(current ?? endedOf(stored), traveler, { state, arrivesAt }, at)
    const isNotified = rules.isNotified(ping, current, after)
    withCommit(queries.upsertTrip(tx, sessionId, after, isNotified))
    announceWritten(announce, ping, current, after)
    if (isNotified)
      announce.publish({
        kind: 'trip_shared',
        pingId: after.ping_id,
        travelerId: userId,
        ownerId: ping.user_id,
        state,
        at,
      })
    return after
  })
}

/** A trip that has ended by itself, as one that a new trip replaces. */
function endedOf(stored: Trip | null): Trip | null {
  return stored && { ...stored, state: 'arrived' }
}

function announceWritten(announce: Announce, ping: queries.TripContext, current: Trip | null, after: Trip): void {
  const audience = feeds.ping_trips.audience(after, ping)
  if (current) announce.update('ping_trips', after, current, audience)
  else {
    // It has ended by itself, and the job has not announced that yet.
    if (ping.trip) announce.delete('ping_trips', ping.trip, audience)
    announce.insert('ping_trips', after, audience)
  }
}

/** Locks the audience of the ping, the response and the trip of the caller, and their session, until the transaction ends. */
async function lockContext(
  tx: Tx,
  { userId, sessionId }: Sharer,
  pingId: PingId,
  now: Date,
): Promise<queries.TripContext | undefined> {
  const [, [, context]] = await lockPingAndRead(tx, pingId, userId, (ping) =>
    inOrder([queries.lockTrip(tx, ping, userId, sessionId), queries.findTripContext(tx, userId, sessionId, ping, now)]),
  )
  return context
}

/** Ends the trip of the caller. Succeeds without a trip too, and for a ping that the caller does not see. */
export async function stopTrip(
  { pool, changes }: TripsDeps,
  { userId, sessionId }: Sharer,
  pingId: PingId,
): Promise<void> {
  await changes.commit(pool, async (tx, announce) => {
    // Without the lock of the ping, somebody who begins to go meanwhile would receive the trip but not its end.
    await lockPingAndRead(tx, pingId, userId, (ping) =>
      inOrder([queries.lockTrip(tx, ping, userId, sessionId), endTripOf(tx, announce, ping, userId)]),
    )
  })
}

/** Deletes the record that owners of pings were notified of trips of a user. */
export async function eraseTripNotices(tx: Tx, userId: UserId): Promise<void> {
  await queries.deleteNoticesOf(tx, userId)
}

export type TripNotice = queries.TripNotice

/** Finds a trip that has not ended, for a notification of the owner of its ping. */
export function findTripNotice(db: Db, pingId: PingId, travelerId: UserId, now: Date): Promise<TripNotice | undefined> {
  return queries.findTripNotice(db, pingId, travelerId, now)
}
