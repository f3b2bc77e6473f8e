import type { PingId } from '@hither/contract/ids.ts'
import type { PingRow } from '@hither/contract/pings.ts'
import type { Announce } from '../events/changes.ts'
import { feeds } from '../feeds/feeds.ts'
import type { Tx } from '../platform/db/database.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { lockPingOwnerShared } from '../users/user-locks.ts'
import { findAnnounced } from './ping-audience.queries.ts'
import { updateHasImage } from './pings.queries.ts'
import { rowsByPlace } from './place/place-announcements.ts'

/**
 * Announces to the owner and the invitees that the picture or the chat of a ping has changed. `before` has the previous
 * value. Needs the owner of the ping locked. Does nothing for a deleted ping.
 */
export async function announcePingExtra(
  tx: Tx,
  announce: Announce,
  pingId: PingId,
  before: Pick<PingRow, 'has_image' | 'updated_at'> | Pick<PingRow, 'conversation_id'>,
  now: Date,
): Promise<void> {
  const ping = await findAnnounced(tx, pingId, now)
  if (!ping) return
  for (const [row, people] of rowsByPlace(ping, feeds.location_pins.audience(ping)))
    announce.update('location_pins', row, { ...row, ...before }, people)
}

/**
 * Stores whether a ping has a picture. Announced also if one picture replaces another. The caller must check that the
 * user owns the ping. Refuses a deleted ping.
 */
export async function setPingHasImage(
  tx: Tx,
  announce: Announce,
  pingId: PingId,
  hasImage: boolean,
  now: Date,
): Promise<void> {
  await lockPingOwnerShared(tx, pingId)
  const before = await updateHasImage(tx, pingId, hasImage, now)
  if (!before) throw new Refusal('ping_not_found')
  if (before.has_image || hasImage) await announcePingExtra(tx, announce, pingId, before, now)
}
