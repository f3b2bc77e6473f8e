import type { UserId } from '@hither/contract/ids.ts'
import type { Announce } from '../../events/changes.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { LockedPair, LockedPing } from '../../users/user-locks.ts'
import { announceEnded, announceSight } from './trip-announcements.ts'
import * as queries from './trip-audience.queries.ts'

// What happens to trips when a ping, a response, a friendship or a block changes. Each function runs before the change: the
// audience is unknown afterwards.

/** Ends all trips to these pings. */
export async function endTripsTo(tx: Tx, announce: Announce, pingIds: readonly LockedPing[]): Promise<void> {
  announceEnded(announce, await queries.deleteOfPings(tx, pingIds))
}

/** Ends all trips to pings that end now for good. Nothing about them is left. */
export async function endTripsToEnded(tx: Tx, announce: Announce, pingIds: readonly LockedPing[]): Promise<void> {
  announceEnded(announce, await queries.deleteOfEndedPings(tx, pingIds))
}

/** Ends the trip of one person to a ping, if there is one. */
export async function endTripOf(tx: Tx, announce: Announce, pingId: LockedPing, userId: UserId): Promise<void> {
  announceEnded(announce, await queries.deleteOfPerson(tx, pingId, userId))
}

/** A person stops going: their trip ends, and the trips of others disappear for them. */
export async function endTripsWithResponse(
  tx: Tx,
  announce: Announce,
  pingId: LockedPing,
  userId: UserId,
  now: Date,
): Promise<void> {
  await endTripOf(tx, announce, pingId, userId)
  for (const trip of await queries.listAtPing(tx, pingId, now)) announceSight(announce, 'delete', trip, [userId])
}

/**
 * These people are going from now on, whether or not their responses are stored yet: the trips that they may see appear for
 * them.
 */
export async function showTripsTo(
  tx: Tx,
  announce: Announce,
  pingId: LockedPing,
  userIds: readonly UserId[],
  now: Date,
): Promise<void> {
  for (const found of await queries.listAtPing(tx, pingId, now)) {
    if (!found.is_current) continue
    const going_ids = [...new Set([...found.going_ids, ...userIds])]
    const others = userIds.filter((id) => id !== found.trip.user_id)
    announceSight(announce, 'insert', { ...found, going_ids }, others)
  }
}

/** The owner begins or ceases to show the responses: the trips of others appear or disappear for those who are going. */
export async function announceTripsShown(
  tx: Tx,
  announce: Announce,
  pingId: LockedPing,
  kind: 'insert' | 'delete',
  now: Date,
): Promise<void> {
  for (const found of await queries.listAtPing(tx, pingId, now)) {
    if (kind === 'insert' && !found.is_current) continue
    const others = found.going_ids.filter((id) => id !== found.trip.user_id)
    announceSight(announce, kind, { ...found, responses_visible: true }, others)
  }
}

/**
 * The friendship of two users ends: their trips to the pings of the other one end, and all other trips to these pings
 * disappear for them.
 */
export async function endTripsBetween(tx: Tx, announce: Announce, [a, b]: LockedPair, now: Date): Promise<void> {
  announceEnded(announce, await queries.deleteBetween(tx, a, b))
  for (const found of await queries.listAtPingsBetween(tx, a, b, now))
    announceSight(announce, 'delete', found, [found.user_id === a ? b : a])
}

/** The inverse of `endTripsBetween` for the trips of others. Must run after the two became friends. */
export async function showTripsBetween(tx: Tx, announce: Announce, [a, b]: LockedPair, now: Date): Promise<void> {
  for (const found of await queries.listAtPingsBetween(tx, a, b, now))
    if (found.is_current) announceSight(announce, 'insert', found, [found.user_id === a ? b : a])
}

/**
 * A block begins (`delete`) or the last block ends (`insert`) between two people: the trips of each disappear from, or return
 * to, the other's live rows. Their trips to the pings of the other one end with the friendship. Called while there is no
 * block.
 */
export async function announceTripsOfPair(
  tx: Tx,
  announce: Announce,
  [a, b]: LockedPair,
  kind: 'insert' | 'delete',
  now: Date,
): Promise<void> {
  for (const found of await queries.listOfPair(tx, a, b, now)) {
    if (kind === 'insert' && !found.is_current) continue
    const other = found.trip.user_id === a ? b : a
    if (other !== found.user_id) announceSight(announce, kind, found, [other])
  }
}
