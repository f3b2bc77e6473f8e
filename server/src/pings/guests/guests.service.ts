import type { GuestPing, GuestView } from '@hither/contract/guests.ts'
import type { GuestId, PingId } from '@hither/contract/ids.ts'
import type { Guest, ResponseCounts, ResponseType } from '@hither/contract/pings.ts'
import { guestLimits } from '@hither/contract/runtime/guests.ts'
import { avatarColorOf } from '@hither/contract/runtime/users.ts'
import type { Announce, Changes } from '../../events/changes.ts'
import { hashOf } from '../../platform/crypto/secret-tokens.ts'
import type { Db, Pool, Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/ids.ts'
import { inOrder } from '../../platform/db/in-order.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { lockPingAndRead } from '../../users/user-locks.ts'
import { seenRevision } from '../pings.rules.ts'
import { placeAfter } from '../place/place.rules.ts'
import { announceGuest } from './guest-announcements.ts'
import * as queries from './guests.queries.ts'
import * as rules from './guests.rules.ts'

export interface GuestsDeps {
  pool: Pool
  changes: Changes
  now: () => Date
}

/** Adds the response of a guest without account. A request that repeats a token is answered with its guest as it is. */
export async function createGuest(
  { pool, changes, now }: GuestsDeps,
  pingId: PingId,
  input: { token: string; name: string; response_type: ResponseType; revision?: number },
): Promise<{ view: GuestView; isNew: boolean }> {
  const name = rules.readGuestName(input.name)
  const tokenHash = hashOf(input.token)
  return changes.commit(pool, async (tx, announce, withCommit) => {
    const ping = await lockByToken(tx, pingId, tokenHash, now())
    const at = now()
    if (!ping?.is_public || hasEnded(ping, at)) throw new Refusal('ping_not_found')
    if (ping.guest?.state === 'removed') throw new Refusal('guests_not_allowed')
    if (ping.is_claimed) throw new Refusal('guest_not_found')
    if (ping.guest) return { view: viewOf(ping, rules.guestOfToken(ping.guest), ping.counts, at), isNew: false }
    rules.assertAcceptsGuests(ping, 'guests_not_allowed')
    const state = rules.firstState(ping.guest_policy)
    const { response_type: type } = input
    const id = newId<GuestId>()
    const revision = seenRevision(ping, input.revision)
    const guest = guestOf({ id, ping_id: ping.id, user_id: null, name, response_type: type, revision, state }, at)
    const pushAt = notifyOwner(announce, ping, guest, at)
    withCommit(
      queries.insertGuest(tx, {
        ...{ id, pingId: ping.id, userId: null, name, type, revision, state, tokenHash, at, pushAt },
      }),
    )
    announceGuest(announce, ping, null, { guest, hidden_from: [] })
    return { view: viewOf(ping, guest, rules.countsAfter(ping.counts, null, guest), at), isNew: true }
  })
}

/** Returns a new guest. */
export function guestOf(guest: Omit<Guest, 'created_at' | 'updated_at'>, at: Date): Guest {
  const time = at.toISOString()
  return { ...guest, created_at: time, updated_at: time }
}

/** Publishes that a guest has answered, unless the owner is not notified of it. Returns when the owner is notified. */
export function notifyOwner(announce: Announce, ping: queries.GuestContext, guest: Guest, at: Date): Date | null {
  if (!rules.isNotified(guest)) return null
  const dueAt = rules.pushTime(ping.guests_push_at, at)
  announce.publish({ kind: 'guest_answered', pingId: ping.id, ownerId: ping.user_id, dueAt, at })
  return dueAt
}

/** Returns the response of a guest without account with its ping, also for a day after the end. Changes nothing. */
export function getGuest({ pool, now }: GuestsDeps, pingId: PingId, token: string): Promise<GuestView> {
  return findView(pool, pingId, token, now())
}

async function findView(db: Db, pingId: PingId, token: string, at: Date): Promise<GuestView> {
  const ping = await queries.findByToken(db, pingId, hashOf(token), at)
  assertOpenToGuests(ping, at)
  return viewOf(ping, rules.guestOfToken(ping.guest), ping.counts, at)
}

/** Returns a ping as a guest without account sees it. */
export async function getGuestPing(db: Db, pingId: PingId, token: string, now: Date): Promise<GuestPing> {
  return (await findView(db, pingId, token, now)).ping
}

/** Changes the name or the answer of a guest without account. */
export async function changeGuest(
  { pool, changes, now }: GuestsDeps,
  pingId: PingId,
  token: string,
  change: { name?: string; response_type?: ResponseType; revision?: number },
): Promise<GuestView> {
  const name = change.name === undefined ? undefined : rules.readGuestName(change.name)
  return changes.commit(pool, async (tx, announce, withCommit) => {
    const ping = await lockByToken(tx, pingId, hashOf(token), now())
    const at = now()
    assertOpenToGuests(ping, at)
    const before = rules.guestOfToken(ping.guest)
    if (hasEnded(ping, at)) throw new Refusal('ping_expired')
    const after = {
      ...before,
      name: name ?? before.name,
      response_type: change.response_type ?? before.response_type,
      // A new name alone is no new answer.
      revision: change.response_type === undefined ? before.revision : seenRevision(ping, change.revision),
      updated_at: at.toISOString(),
    }
    const hasNewAnswer = after.response_type !== before.response_type
    const pushAt = hasNewAnswer ? notifyOwner(announce, ping, after, at) : null
    const { id, name: newName, response_type: type, revision } = after
    withCommit(queries.updateAnswer(tx, { id, pingId: ping.id, name: newName, type, revision, at, pushAt }))
    announceGuest(announce, ping, { guest: before, hidden_from: [] }, { guest: after, hidden_from: [] })
    return viewOf(ping, after, rules.countsAfter(ping.counts, before, after), at)
  })
}

/** Deletes the response of a guest without account. Succeeds without one too, and while the ping is not public. */
export async function withdrawGuest({ pool, changes, now }: GuestsDeps, pingId: PingId, token: string): Promise<void> {
  await changes.commit(pool, async (tx, announce) => {
    const ping = await lockByToken(tx, pingId, hashOf(token), now())
    const guest = rules.presentGuest(ping?.guest ?? null)
    if (!ping || !guest || guest.user_id !== null) return
    await queries.deleteGuest(tx, guest.id)
    announceGuest(announce, ping, { guest, hidden_from: [] }, null)
  })
}

/** Locks the audience and the guests of a ping until the transaction ends. */
async function lockByToken(tx: Tx, pingId: PingId, tokenHash: Buffer, now: Date) {
  const [, [, ping]] = await lockPingAndRead(tx, pingId, null, () =>
    inOrder([queries.lockGuests(tx, pingId), queries.findByToken(tx, pingId, tokenHash, now)]),
  )
  return ping
}

/** Whether the ping has ended by `at`. */
export function hasEnded({ expires_at }: { expires_at: string }, at: Date): boolean {
  return Date.parse(expires_at) <= at.getTime()
}

/** Throws for a ping that shows nothing to guests: it is not public, or ended a day ago. */
function assertOpenToGuests(ping: queries.TokenContext | undefined, at: Date): asserts ping is queries.TokenContext {
  if (!ping?.is_public || Date.parse(ping.expires_at) + guestLimits.retentionMs <= at.getTime())
    throw new Refusal('ping_not_found')
}

const noPlace = { latitude: null, longitude: null, address: null, place_radius_m: null } as const

/** Names every field that a guest without account may see. */
function viewOf(ping: queries.TokenContext, guest: Guest, counts: ResponseCounts, at: Date): GuestView {
  const isEnded = hasEnded(ping, at)
  const isApproved = guest.state === 'approved'
  const place = isEnded ? noPlace : placeAfter(ping, rules.isGoing(guest))
  return {
    guest,
    ping: {
      access: 'visitor',
      can_respond: !isEnded,
      id: ping.id,
      username: ping.username,
      display_name: ping.display_name,
      name: ping.name,
      latitude: place.latitude,
      longitude: place.longitude,
      address: place.address,
      place_radius_m: place.place_radius_m,
      created_at: ping.created_at,
      activates_at: ping.activates_at,
      expires_at: ping.expires_at,
      status: isEnded ? 'expired' : ping.status,
      is_public: ping.is_public,
      is_unnamed: ping.is_unnamed,
      has_image: ping.has_image,
      guest_policy: ping.guest_policy,
      exact_place_for: ping.exact_place_for,
      area_km: ping.area_km,
      updated_at: ping.updated_at,
      revision: ping.revision,
      place_revision: ping.place_revision,
      time_revision: ping.time_revision,
      canceled_at: ping.canceled_at,
      cancel_message: ping.cancel_message,
      avatar_color: avatarColorOf(ping.user_id),
      message: isApproved ? ping.message : null,
      response_counts: isApproved && ping.responses_visible ? counts : null,
    },
  }
}
