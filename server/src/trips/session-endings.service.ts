import type { PingId, SessionId, UserId } from '@hither/contract/ids.ts'
import type { Announce } from '../events/changes.ts'
import { ConcurrentChangeError } from '../platform/db/conflicts.ts'
import type { Tx } from '../platform/db/database.ts'
import { lockUsers } from '../users/user-locks.ts'
import { announceEnded } from './audience/trip-announcements.ts'
import * as queries from './trips.queries.ts'

/** The pings of the trips that are locked before a session of their traveler ends. */
export type LockedTrips = readonly PingId[]

/** Lists the owners of the pings to which a user shares a trip. Their locks are needed to end sessions of the user. */
export function listOwnersOfTrips(tx: Tx, userId: UserId): Promise<UserId[]> {
  return queries.listOwnersOf(tx, userId)
}

/**
 * Locks the trips of a user with the owners of their pings, before sessions of the user end. It must come before every other
 * lock of the transaction, unless that has locked `listOwnersOfTrips`.
 */
export async function lockTripsOf(tx: Tx, userId: UserId): Promise<LockedTrips> {
  const ownerIds = await queries.listOwnersOf(tx, userId)
  if (ownerIds.length === 0) return []
  await lockUsers(tx, [userId, ...ownerIds])
  return queries.lockTripsOf(tx, userId)
}

/**
 * Ends the trips that these sessions wrote last. Joins the transaction that has just ended the sessions. Throws
 * `ConcurrentChangeError` if another trip was written after `lockTripsOf`: the caller starts the transaction again.
 */
export async function endTripsOfSessions(
  tx: Tx,
  announce: Announce,
  sessionIds: readonly SessionId[],
  locked: LockedTrips,
): Promise<void> {
  if (sessionIds.length === 0) return
  const pingIds = await queries.listPingsOfSessions(tx, sessionIds)
  if (pingIds.length === 0) return
  if (pingIds.some((id) => !locked.includes(id))) throw new ConcurrentChangeError()
  announceEnded(announce, await queries.deleteOfSessions(tx, sessionIds))
}
