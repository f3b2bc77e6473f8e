import type { GuestId, PingId, UserId } from '@hither/contract/ids.ts'
import type { Guest } from '@hither/contract/pings.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { lockUser } from '../../users/user-locks.ts'
import { assertCanChange } from '../pings.rules.ts'
import { findVisible } from '../pings.service.ts'
import { announceGuest } from './guest-announcements.ts'
import * as queries from './guests.queries.ts'
import { presentGuest } from './guests.rules.ts'
import { type GuestsDeps, hasEnded } from './guests.service.ts'

/** Approves a guest. Owner only. Invitees who may see the guest receive it as a new row. */
export async function approveGuest(
  { pool, changes, now }: GuestsDeps,
  callerId: UserId,
  pingId: PingId,
  guestId: GuestId,
): Promise<Guest> {
  return changes.commit(pool, async (tx, announce) => {
    const ping = await lockOwnGuest(tx, callerId, pingId, guestId, now)
    const guest = presentGuest(ping.guest)
    if (!guest) throw new Refusal('guest_not_found')
    const at = now()
    if (hasEnded(ping, at)) throw new Refusal('ping_expired')
    if (guest.state === 'approved') return guest
    await queries.updateApproved(tx, guest.id, at)
    const after: Guest = { ...guest, state: 'approved' }
    const { hidden_from } = ping
    announceGuest(announce, ping, { guest, hidden_from }, { guest: after, hidden_from })
    return after
  })
}

/** Removes a guest, who cannot respond to the ping again and is not notified. Owner only. */
export async function removeGuest(
  { pool, changes, now }: GuestsDeps,
  callerId: UserId,
  pingId: PingId,
  guestId: GuestId,
): Promise<void> {
  await changes.commit(pool, async (tx, announce) => {
    const ping = await lockOwnGuest(tx, callerId, pingId, guestId, now)
    if (!ping.guest) throw new Refusal('guest_not_found')
    const guest = presentGuest(ping.guest)
    if (!guest) return
    await queries.updateRemoved(tx, guest.id)
    announceGuest(announce, ping, { guest, hidden_from: ping.hidden_from }, null)
  })
}

/** The lock excludes every other change of the guests, which locks the owner too. */
async function lockOwnGuest(
  tx: Tx,
  callerId: UserId,
  pingId: PingId,
  guestId: GuestId,
  now: () => Date,
): Promise<queries.GuestContext> {
  await lockUser(tx, callerId)
  assertCanChange(await findVisible(tx, callerId, pingId, now()))
  const ping = await queries.findById(tx, pingId, guestId, now())
  if (!ping) throw new Refusal('ping_not_found')
  return ping
}

/** Finds a guest of a ping of this owner, for a report. Refuses all others as if the guest did not exist. */
export async function findReportedGuest(
  db: Db,
  ownerId: UserId,
  guestId: GuestId,
): Promise<{ guest: Guest; ping_name: string }> {
  const found = await queries.findOwnGuest(db, ownerId, guestId)
  if (!found) throw new Refusal('guest_not_found')
  return found
}

/** Lists the guests who have answered since then and of whom the owner is notified. */
export function listAnswered(db: Db, pingId: PingId, since: string): Promise<Guest[]> {
  return queries.listAnswered(db, pingId, since)
}
