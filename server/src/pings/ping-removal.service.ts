import type { Announce } from '../events/changes.ts'
import { feeds } from '../feeds/feeds.ts'
import type { Tx } from '../platform/db/database.ts'
import { inOrder } from '../platform/db/in-order.ts'
import { endTripsTo } from '../trips/audience/trip-endings.service.ts'
import type { LockedPing, LockedUser } from '../users/user-locks.ts'
import { announceGuest } from './guests/guest-announcements.ts'
import { findAnnounced } from './ping-audience.queries.ts'
import type { PingChats } from './ping-chats.ts'
import * as queries from './pings.queries.ts'
import { rowsByPlace } from './place/place-announcements.ts'

/**
 * Deletes all pings of a user, including expired ones. Needs the friendships intact, so that the friends who see them are
 * notified.
 */
export async function withdrawAllPings(
  tx: Tx,
  announce: Announce,
  chats: PingChats,
  ownerId: LockedUser,
  now: Date,
): Promise<void> {
  for (const pingId of await queries.listOwnIds(tx, ownerId)) await removePing(tx, announce, chats, pingId, now)
}

/** Like `withdrawAllPings`, for the unexpired pings only. */
export async function withdrawLivePings(
  tx: Tx,
  announce: Announce,
  chats: PingChats,
  ownerId: LockedUser,
  now: Date,
): Promise<void> {
  for (const pingId of await queries.listUnexpiredIds(tx, ownerId, now))
    await removePing(tx, announce, chats, pingId, now)
}

/**
 * Deletes a ping and announces it. A ping that has not ended ends with its deletion. Of two concurrent calls, one announces the
 * deletion.
 */
export async function removePing(
  tx: Tx,
  announce: Announce,
  chats: PingChats,
  pingId: LockedPing,
  now: Date,
): Promise<void> {
  const [, ping] = await inOrder([endTripsTo(tx, announce, [pingId]), findAnnounced(tx, pingId, now)])
  if (!ping) return
  const hasEnded = Date.parse(ping.expires_at) <= now.getTime()
  if (!hasEnded && ping.conversation_id !== null)
    await chats.moveDate(tx, announce, ping.conversation_id, { before: ping.expires_at, after: now.toISOString() })
  if (!(await queries.deletePing(tx, pingId))) return
  for (const response of ping.responses)
    announce.delete('ping_responses', response, feeds.ping_responses.audience(response, ping))
  for (const guest of ping.guests) announceGuest(announce, ping, guest, null)
  for (const [row, people] of rowsByPlace(ping, feeds.location_pins.audience(ping)))
    announce.delete('location_pins', row, people)
}
