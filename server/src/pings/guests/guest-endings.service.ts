import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { Announce } from '../../events/changes.ts'
import { limitAudience } from '../../events/feed-declaration.ts'
import { feeds } from '../../feeds/feeds.ts'
import type { Tx } from '../../platform/db/database.ts'
import { type LockedPair, type LockedUser, lockPingOwnersShared } from '../../users/user-locks.ts'
import { findAnnounced, listGuestPings } from '../ping-audience.queries.ts'
import { announceGuest } from './guest-announcements.ts'
import * as queries from './guests.queries.ts'

// Changes of guests that follow from something else: a friendship, a block, the end of an account or of a ping.

/**
 * Two people became friends: the response of each as a guest at a ping to which they are invited becomes their response as
 * an invitee. The caller announces the responses.
 */
export async function moveGuestsBetween(tx: Tx, announce: Announce, [a, b]: LockedPair, now: Date): Promise<void> {
  for (const { id, guest_user_id } of await queries.listPingsBetween(tx, a, b, { invited: true })) {
    await announceGone(tx, announce, id, guest_user_id, now)
    await queries.moveToResponse(tx, id, guest_user_id)
  }
}

/** A block begins between two people: the response of each as a guest of the other is deleted. */
export async function deleteGuestsBetween(tx: Tx, announce: Announce, [a, b]: LockedPair, now: Date): Promise<void> {
  for (const { id, guest_user_id } of await queries.listPingsBetween(tx, a, b, { invited: false })) {
    const guest = await announceGone(tx, announce, id, guest_user_id, now)
    // A row of a removed guest stays.
    if (guest) await queries.deleteGuest(tx, guest.id)
  }
}

/** Deletes the responses of a person as a guest, before their account ends. The owners of the pings are among the locked users. */
export async function withdrawGuestResponses(tx: Tx, announce: Announce, userId: LockedUser, now: Date): Promise<void> {
  for (const { id } of await queries.listPingsOfGuest(tx, userId)) await announceGone(tx, announce, id, userId, now)
  await queries.deleteGuestRowsOf(tx, userId)
}

/** Lists the owners of the pings at which a user is a guest. */
export async function listOwnersOfGuest(tx: Tx, userId: UserId): Promise<UserId[]> {
  return (await queries.listPingsOfGuest(tx, userId)).map(({ user_id }) => user_id)
}

/** Announces that the response of a guest with an account is gone. Returns it, unless it was removed before. */
async function announceGone(tx: Tx, announce: Announce, pingId: PingId, userId: UserId, now: Date) {
  const ping = await findAnnounced(tx, pingId, now)
  const seen = ping?.guests.find(({ guest }) => guest.user_id === userId)
  if (!ping || !seen) return undefined
  // A new friend is among the invitees already, and has not seen the guests.
  const invitee_ids = ping.invitee_ids.filter((id) => id !== userId)
  announceGuest(announce, { ...ping, invitee_ids }, seen, null)
  return seen.guest
}

/**
 * A block begins (`delete`) or the last block ends (`insert`) between two people: each disappears from, or returns to, the
 * other's live rows as a guest of the pings of others. Called while there is no block, and the owners are locked.
 */
export async function announceGuestsBetween(
  tx: Tx,
  announce: Announce,
  [a, b]: LockedPair,
  kind: 'insert' | 'delete',
  now: Date,
): Promise<void> {
  for (const ping of await listGuestPings(tx, [a, b], now)) {
    if (kind === 'insert' && ping.status === 'expired') continue
    for (const { guest, hidden_from } of ping.guests) {
      const other = guest.user_id === a ? b : guest.user_id === b ? a : null
      if (other === null || other === ping.user_id) continue
      const audience = feeds.ping_guests.audience(guest, { ...ping, hidden_from })
      announce[kind]('ping_guests', guest, limitAudience(audience, [other]))
    }
  }
}

/** Deletes the guests of at most `limit` pings that ended a day ago. Returns the number of pings. */
export async function eraseOutdated(tx: Tx, announce: Announce, limit: number, now: Date): Promise<number> {
  const pingIds = await queries.listOutdated(tx, now, limit)
  if (pingIds.length === 0) return 0
  await lockPingOwnersShared(tx, pingIds)
  for (const pingId of pingIds) {
    const ping = await findAnnounced(tx, pingId, now)
    if (!ping) continue
    for (const seen of ping.guests) announceGuest(announce, ping, seen, null)
    await queries.deleteGuestsOf(tx, pingId)
  }
  return pingIds.length
}
