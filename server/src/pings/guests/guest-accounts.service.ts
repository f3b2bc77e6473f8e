import type { GuestId, PingId, UserId } from '@hither/contract/ids.ts'
import type { GivenResponse, Guest, PingResponse, ResponseType } from '@hither/contract/pings.ts'
import type { Announce, WithCommit } from '../../events/changes.ts'
import { feeds } from '../../feeds/feeds.ts'
import { hashOf } from '../../platform/crypto/secret-tokens.ts'
import type { Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/ids.ts'
import { inOrder } from '../../platform/db/in-order.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { showTripsTo } from '../../trips/audience/trip-endings.service.ts'
import { type LockedPing, lockPingAndRead } from '../../users/user-locks.ts'
import { lockInvitation } from '../invitation-lock.queries.ts'
import { seenRevision } from '../pings.rules.ts'
import { moveKnownPlace } from '../place/place.queries.ts'
import { placeAfter } from '../place/place.rules.ts'
import { announcePlaceAfterAnswer } from '../place/place.service.ts'
import { announceGuest } from './guest-announcements.ts'
import * as queries from './guests.queries.ts'
import * as rules from './guests.rules.ts'
import { type GuestsDeps, guestOf, hasEnded, notifyOwner } from './guests.service.ts'

/**
 * Adds or replaces the response of a signed-in person who is not invited. The person is locked too.
 */
export async function respondAsGuest(
  tx: Tx,
  announce: Announce,
  withCommit: WithCommit,
  input: { pingId: LockedPing; callerId: UserId; type: ResponseType; seen: number | undefined; now: () => Date },
): Promise<GivenResponse> {
  const { callerId, type, now } = input
  const [, ping] = await inOrder([
    queries.lockGuests(tx, input.pingId),
    queries.findByPerson(tx, input.pingId, callerId, now()),
  ])
  const at = now()
  assertCanRespondAsGuest(ping, at)
  const before = rules.presentGuest(ping.guest)
  const { hidden_from } = ping
  const revision = seenRevision(ping, input.seen)
  if (before) {
    const after: Guest = { ...before, response_type: type, revision, updated_at: at.toISOString() }
    const pushAt = before.response_type === type ? null : notifyOwner(announce, ping, after, at)
    withCommit(queries.updateAnswer(tx, { id: before.id, pingId: ping.id, name: null, type, revision, at, pushAt }))
    announceGuest(announce, ping, { guest: before, hidden_from }, { guest: after, hidden_from })
    return withPlace(responseOf(after, ping), after, ping)
  }
  rules.assertAcceptsGuests(ping, 'not_invited')
  const state = rules.firstState(ping.guest_policy)
  const id = newId<GuestId>()
  const guest = guestOf(
    { id, ping_id: ping.id, user_id: callerId, name: ping.username, response_type: type, revision, state },
    at,
  )
  const pushAt = notifyOwner(announce, ping, guest, at)
  withCommit(
    queries.insertGuest(tx, {
      ...{ id, pingId: ping.id, userId: callerId, name: null, type, revision, state, tokenHash: null, at, pushAt },
    }),
  )
  announceGuest(announce, ping, null, { guest, hidden_from })
  return withPlace(responseOf(guest, ping), guest, ping)
}

/** Adds the place that the guest may know after the answer, if it depends on the answer. */
function withPlace(response: GivenResponse, guest: Guest, ping: queries.PersonContext): GivenResponse {
  if (ping.is_exact_if_going === ping.is_exact_otherwise) return response
  return { ...response, place: placeAfter(ping, rules.isGoing(guest)) }
}

/** The end closes the public link. Only somebody who has responded before may know that the ping existed. */
function assertCanRespondAsGuest(
  ping: queries.PersonContext | undefined,
  at: Date,
): asserts ping is queries.PersonContext {
  const isGuest = ping?.is_public && rules.presentGuest(ping.guest) !== null
  if (isGuest && hasEnded(ping, at)) throw new Refusal('ping_expired')
  if (ping?.access !== 'link' || hasEnded(ping, at)) throw new Refusal('ping_not_found')
  // A removed person gets the refusal of a stranger while no guests are allowed.
  if (ping.guest?.state === 'removed')
    throw new Refusal(ping.guest_policy === 'off' ? 'not_invited' : 'guests_not_allowed')
}

function responseOf(
  guest: Guest,
  { username, display_name }: Pick<queries.PersonContext, 'username' | 'display_name'>,
): GivenResponse {
  const { ping_id, user_id, response_type, revision, state, created_at, updated_at } = guest
  if (user_id === null) throw new Error('The guest has no account')
  const given = { ping_id, user_id, username, display_name, response_type, revision, created_at, updated_at }
  return { ...given, is_guest: true, state }
}

/** Deletes the response of a signed-in guest, if there is one. The person is locked too. */
export async function withdrawAsGuest(
  tx: Tx,
  announce: Announce,
  pingId: LockedPing,
  callerId: UserId,
  now: Date,
): Promise<void> {
  const [, ping] = await inOrder([queries.lockGuests(tx, pingId), queries.findByPerson(tx, pingId, callerId, now)])
  const guest = rules.presentGuest(ping?.guest ?? null)
  if (!ping || !guest) return
  await queries.deleteGuest(tx, guest.id)
  announceGuest(announce, ping, { guest, hidden_from: ping.hidden_from }, null)
}

/**
 * Moves the response of a guest without account to the caller's account: it becomes the response of an invitee, otherwise
 * that of a signed-in guest. If the account has an answer already, that answer stays. A repetition by the same account changes nothing.
 */
export async function claimGuest(
  { pool, changes, now }: GuestsDeps,
  callerId: UserId,
  pingId: PingId,
  token: string,
): Promise<GivenResponse> {
  const tokenHash = hashOf(token)
  return changes.commit(pool, async (tx, announce) => {
    const [locked, [, , ping]] = await lockPingAndRead(tx, pingId, callerId, () =>
      inOrder([
        lockInvitation(tx, pingId, callerId),
        queries.lockGuests(tx, pingId),
        queries.findClaim(tx, { pingId, viewerId: callerId, tokenHash, now: now() }),
      ]),
    )
    const at = now()
    if (!ping?.access) throw new Refusal('ping_not_found')
    if (ping.access === 'owner') throw new Refusal('not_invited')
    const claim = { ping, locked, callerId, tokenHash, at }
    return ping.access === 'invitee' ? claimAsInvitee(tx, announce, claim) : claimAsGuest(tx, announce, claim)
  })
}

interface Claim {
  readonly ping: queries.ClaimContext
  readonly locked: LockedPing
  readonly callerId: UserId
  readonly tokenHash: Buffer
  readonly at: Date
}

async function claimAsInvitee(tx: Tx, announce: Announce, claim: Claim): Promise<PingResponse> {
  const { ping, callerId, tokenHash, at } = claim
  const { username, display_name, response } = ping
  const person = { ping_id: ping.id, user_id: callerId, username, display_name }
  if (ping.is_claimed && response) return { ...person, ...response }
  const guest = rules.guestOfToken(ping.guest)
  if (hasEnded(ping, at)) throw new Refusal('ping_expired')
  await queries.deleteGuest(tx, guest.id)
  await moveKnownPlace(tx, ping.id, guest.id, callerId)
  const { response_type: type, revision } = guest
  await queries.upsertClaimed(tx, { pingId: ping.id, userId: callerId, type, revision, tokenHash, at })
  announceGuest(announce, ping, { guest, hidden_from: [] }, null)
  if (response) return { ...person, ...response }
  const time = at.toISOString()
  const moved = { ...person, response_type: type, revision, created_at: time, updated_at: time }
  announce.insert('ping_responses', moved, feeds.ping_responses.audience(moved, ping))
  await announcePlaceAfterAnswer(tx, announce, ping, { userId: callerId, before: null, after: guest.response_type }, at)
  if (type === 'accepted') await showTripsTo(tx, announce, claim.locked, [callerId], at)
  return moved
}

async function claimAsGuest(tx: Tx, announce: Announce, claim: Claim): Promise<GivenResponse> {
  const { ping, callerId, tokenHash, at } = claim
  if (hasEnded(ping, at)) throw new Refusal('ping_not_found')
  const own = rules.presentGuest(ping.own)
  if (own && ping.guest?.id === own.id) return responseOf(own, ping)
  const guest = rules.guestOfToken(ping.guest)
  if (ping.own?.state === 'removed') throw new Refusal('guests_not_allowed')
  const before = { guest, hidden_from: [] }
  await moveKnownPlace(tx, ping.id, guest.id, callerId)
  if (own) {
    await queries.deleteGuest(tx, guest.id)
    await queries.updateToken(tx, own.id, tokenHash)
    announceGuest(announce, ping, before, null)
    return responseOf(own, ping)
  }
  await queries.updateOwner(tx, guest.id, callerId)
  const after = { ...guest, user_id: callerId, name: ping.username }
  announceGuest(announce, ping, before, { guest: after, hidden_from: ping.hidden_from })
  return responseOf(after, ping)
}
