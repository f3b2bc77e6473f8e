import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { Announce } from '../../events/changes.ts'
import { limitAudience } from '../../events/feed-declaration.ts'
import { feeds } from '../../feeds/feeds.ts'
import type { Tx } from '../../platform/db/database.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { type LockedPing, type LockedUser, lockUser, pingOf } from '../../users/user-locks.ts'
import { assertCanChange } from '../pings.rules.ts'
import { announcePlaceChange, rowsByPlace } from '../place/place-announcements.ts'
import { type ChangeablePing, findChangeable } from './own-ping.queries.ts'

/**
 * Locks the owner of a ping, which excludes every other change of the ping and every response to it, and returns the ping
 * at the time `at`, which is read after the wait for the lock. Refuses everybody else.
 */
export async function lockOwnPing(
  tx: Tx,
  callerId: UserId,
  pingId: PingId,
  now: () => Date,
): Promise<{ ping: ChangeablePing; owner: LockedUser; locked: LockedPing; at: Date }> {
  const owner = await lockUser(tx, callerId)
  const at = now()
  const ping = await findChangeable(tx, callerId, pingId, at)
  assertCanChange(ping)
  if (owner === null) throw new Refusal('ping_not_found')
  return { ping, owner, locked: pingOf(owner, ping.id), at }
}

/** Refuses a ping that has ended, also if only a node with a faster clock has announced its end. */
export function assertNotEnded(ping: ChangeablePing): void {
  if (ping.status === 'expired' || ping.announced_status === 'expired') throw new Refusal('ping_ended')
}

/** Returns the people who decide the audience of the ping, of its place, and of its responses and guests. */
export function audienceOf(ping: ChangeablePing) {
  const { user_id, responses_visible, blocked_pairs, hidden_place_ids } = ping
  const invitee_ids = ping.recipients.map(({ recipient_id }) => recipient_id)
  return { user_id, responses_visible, blocked_pairs, invitee_ids, hidden_place_ids }
}

/** Returns the rows in which the ping appears to these people, or disappears for them. */
export function rowsFor(ping: ChangeablePing, userIds: readonly UserId[]) {
  const placed = { ...ping, ...audienceOf(ping) }
  return rowsByPlace(placed, limitAudience(feeds.location_pins.audience(placed), userIds))
}

/**
 * Announces a changed ping to everybody who saw it before and sees it now. The old row has the status that was announced
 * last.
 */
export function announceUpdate(announce: Announce, before: ChangeablePing, after: ChangeablePing): void {
  const earlier = audienceOf(before)
  const later = audienceOf(after)
  const invitee_ids = later.invitee_ids.filter((id) => earlier.invitee_ids.includes(id))
  const old = { ...before, ...earlier, status: before.announced_status }
  announcePlaceChange(announce, old, { ...after, ...later, invitee_ids })
}
