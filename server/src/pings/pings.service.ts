import { type PingId, type UserId } from '@hither/contract/ids.ts'
import {
  type AnonymousPing,
  type ChangePing,
  type CreatePing,
  type Ping,
  type PingResponse,
  type PingRow,
  type PreviewedPing,
  type PublicPing,
  pingLimits,
} from '@hither/contract/pings.ts'
import { listFriendIds } from '../friends/friends.service.ts'
import { tellOfActivation, tellOfPing } from '../notifications/pushes.service.ts'
import { type Announce, type Changes } from '../platform/changes.ts'
import { type Db, type Pool } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import * as queries from './pings.queries.ts'
import {
  askedMinutes,
  assertCanChange,
  assertCanDelete,
  assertRoomForAnother,
  chooseRecipients,
  endOf,
  planPing,
  type Sight,
  seersOf,
} from './pings.rules.ts'

export interface PingsDeps {
  pool: Pool
  changes: Changes
  now: () => Date
}

/** A repeated `client_id` of the same owner is answered with the first ping and nobody hears of it again. */
export async function createPing(
  deps: PingsDeps,
  ownerId: UserId,
  { client_id: clientId = null, ...input }: CreatePing,
): Promise<{ ping: Ping; isNew: boolean }> {
  const now = deps.now()
  return deps.changes.commit(deps.pool, async (db, announce) => {
    // Serialises an owner's creations, so that two at once cannot both pass the limit; and friendships do not end meanwhile.
    // Sent in one go; the others are read once the first has its lock.
    const [isThere, { unexpired, made_id: madeId }, friendIds] = await Promise.all([
      queries.lockOwner(db, ownerId),
      queries.getStanding(db, ownerId, clientId, now),
      listFriendIds(db, ownerId),
    ])
    if (!isThere) throw new Refusal('authentication_required')
    if (madeId !== null) return { ping: presentPing(await getSeenPing(db, ownerId, madeId, now)), isNew: false }
    // Judged only now: what was good when it was first asked for may lie in the past when it is asked for again.
    const plan = planPing(input, now)
    assertRoomForAnother(unexpired)
    const recipientIds = chooseRecipients(input, friendIds)
    const id = newId<PingId>()
    const announcedStatus = plan.activatesAt ? 'pending' : 'active'
    const [, ping] = await Promise.all([
      queries.insertPing(db, { ...plan, id, ownerId, clientId, announcedStatus, recipientIds }),
      getSeenPing(db, ownerId, id, now),
      tellOfPing(db, announce, id, recipientIds, now),
    ])
    announce.insert('location_pins', rowOf(ping), [ownerId, ...recipientIds])
    announce.pingDue(plan.activatesAt ?? plan.expiresAt)
    return { ping: presentPing(ping), isNew: true }
  })
}

/** Active before pending, then newest first. */
export async function listPings({ pool, now }: PingsDeps, viewerId: UserId): Promise<Ping[]> {
  return queries.listPings(pool, viewerId, now())
}

/** A page in the order of My Pins; expired ones until they are erased. */
export async function listMyPings(
  { pool, now }: PingsDeps,
  ownerId: UserId,
  { limit, before }: { limit?: number; before?: PingId },
): Promise<Ping[]> {
  return queries.listOwnPings(pool, ownerId, now(), { limit: limit ?? pingLimits.ownPageMax, before: before ?? null })
}

/** All of them, for the export of an account. */
export async function listAllMyPings({ pool, now }: PingsDeps, ownerId: UserId): Promise<Ping[]> {
  return queries.listOwnPings(pool, ownerId, now(), { limit: null, before: null })
}

/** As far as the viewer sees it. An invited one has seen it by that. */
export async function getPing(
  deps: PingsDeps,
  viewerId: UserId | null,
  pingId: PingId,
): Promise<Ping | PublicPing | AnonymousPing> {
  if (viewerId === null) return getOpenPing(deps, pingId)
  const { pool, changes, now } = deps
  const ping = await getSeenPing(pool, viewerId, pingId, now())
  if (ping.sight === 'stranger') return rowOf(ping)
  const own = ping.recipients.find(({ recipient_id }) => recipient_id === viewerId)
  if (own?.has_seen === false) {
    await changes.commit(pool, (db) => queries.updateSeen(db, viewerId, pingId))
    own.has_seen = true
  }
  return presentPing(ping)
}

async function getOpenPing({ pool, now }: PingsDeps, pingId: PingId): Promise<AnonymousPing> {
  const ping = await queries.findOpenPing(pool, pingId, now())
  if (!ping) throw new Refusal('ping_not_found')
  return ping
}

/** What messengers show of a link: undefined unless the ping is public and not over. */
export function findPreviewed(db: Db, pingId: PingId, now: Date): Promise<PreviewedPing | undefined> {
  return queries.findPreviewed(db, pingId, now)
}

/** Refuses alike what is not there and what the viewer may not know of. */
export async function getSeenPing(db: Db, viewerId: UserId, pingId: PingId, now: Date): Promise<queries.SeenPing> {
  const ping = await queries.findPing(db, viewerId, pingId, now)
  if (!ping) throw new Refusal('ping_not_found')
  return ping
}

/** How far the viewer sees a ping, for what hangs on one. Undefined where they may not know of it. */
export async function findSight(db: Db, viewerId: UserId, pingId: PingId, now: Date): Promise<Sight | undefined> {
  return (await findVisible(db, viewerId, pingId, now))?.sight
}

/** The same with what it shows of itself, and without its people. */
export function findVisible(
  db: Db,
  viewerId: UserId,
  pingId: PingId,
  now: Date,
): Promise<(PingRow & { sight: Sight }) | undefined> {
  return queries.findVisiblePing(db, viewerId, pingId, now)
}

/**
 * Owner only: an active ping gets more time, or ends now. Told at once, and its end not again by the announcing job; an
 * activation that nobody was told of yet is told by this.
 */
export async function changePing(
  { pool, changes, now }: PingsDeps,
  callerId: UserId,
  pingId: PingId,
  change: ChangePing,
): Promise<Ping> {
  const minutes = askedMinutes(change)
  return changes.commit(pool, async (db, announce) => {
    // Of this and the announcing job one waits for the other, and the clock is read after the wait.
    await queries.lockOwner(db, callerId)
    const at = now()
    assertCanChange(await findSight(db, callerId, pingId, at))
    const before = await getSeenPing(db, callerId, pingId, at)
    const expiresAt = endOf(before, minutes, at)
    const announcedStatus = minutes === null ? 'expired' : 'active'
    const toldStatus = await queries.updateEnd(db, pingId, { expiresAt, announcedStatus })
    const ping = { ...before, expires_at: expiresAt.toISOString(), status: announcedStatus } as const
    const old = { ...rowOf(before), status: toldStatus ?? before.status }
    const invitees = ping.recipients.map(({ recipient_id }) => recipient_id)
    announce.update('location_pins', rowOf(ping), old, [callerId, ...invitees])
    if (minutes !== null) announce.pingDue(expiresAt)
    if (toldStatus === 'pending' && minutes !== null)
      await tellOfActivation(db, announce, pingId, [callerId, ...invitees], at)
    return presentPing(ping)
  })
}

/** Own ones only. It vanishes for everyone who saw it, and with it the responses. */
export async function deletePing({ pool, changes, now }: PingsDeps, callerId: UserId, pingId: PingId): Promise<void> {
  await changes.commit(pool, async (db, announce) => {
    await queries.lockOwner(db, callerId)
    assertCanDelete(await findSight(db, callerId, pingId, now()))
    await removePing(db, announce, pingId, now())
  })
}

/** The newest of the caller's that is active. */
export async function deleteMyPing({ pool, changes, now }: PingsDeps, callerId: UserId): Promise<void> {
  await changes.commit(pool, async (db, announce) => {
    await queries.lockOwner(db, callerId)
    const pingId = await queries.findNewestActive(db, callerId, now())
    if (!pingId) throw new Refusal('no_active_ping')
    await removePing(db, announce, pingId, now())
  })
}

/** All of a person's, expired ones too. Needs the owner locked, and still a friend of those who see it vanish. */
export async function withdrawAllPings(db: Db, announce: Announce, ownerId: UserId, now: Date): Promise<void> {
  for (const pingId of await queries.listOwnIds(db, ownerId)) await removePing(db, announce, pingId, now)
}

/** The same of those that have not expired. */
export async function withdrawLivePings(db: Db, announce: Announce, ownerId: UserId, now: Date): Promise<void> {
  for (const pingId of await queries.listUnexpiredIds(db, ownerId, now)) await removePing(db, announce, pingId, now)
}

/** Needs the owner locked. Of two at once, one tells of it. */
export async function removePing(db: Db, announce: Announce, pingId: PingId, now: Date): Promise<void> {
  const ping = await queries.findAnnounced(db, pingId, now)
  if (!ping || !(await queries.deletePing(db, pingId))) return
  for (const response of ping.responses) announce.delete('ping_responses', response, seersOf(response, ping))
  announce.delete('location_pins', rowOf(ping), [ping.user_id, ...ping.invitee_ids])
}

/**
 * The owner's change of a ping's picture, announced also where one takes the place of another. Whether the caller is the
 * owner is for them to have asked. Refuses a ping that is gone.
 */
export async function setPingHasImage(
  db: Db,
  announce: Announce,
  pingId: PingId,
  hasImage: boolean,
  now: Date,
): Promise<void> {
  await queries.lockAudience(db, [pingId])
  const ping = await queries.findAnnounced(db, pingId, now)
  if (!ping) throw new Refusal('ping_not_found')
  if (!ping.has_image && !hasImage) return
  await queries.updateHasImage(db, pingId, hasImage)
  const row = rowOf(ping)
  announce.update('location_pins', { ...row, has_image: hasImage }, row, [ping.user_id, ...ping.invitee_ids])
}

/**
 * Two people stop being friends: what one sent the other vanishes for the other, and so do the answers, theirs for all who
 * saw them and those of all others for them. Called while they still are friends, both locked.
 */
export async function announceSightLost(db: Db, announce: Announce, a: UserId, b: UserId, now: Date): Promise<void> {
  // Expired ones too: somebody may have one open.
  for (const ping of await queries.listBetween(db, [a, b], now, null)) {
    for (const [response, seers] of responsesMoved(ping)) announce.delete('ping_responses', response, seers)
    announce.delete('location_pins', rowOf(ping), [ping.recipient_id])
  }
}

/** The way back. Called once they are friends, both locked. */
export async function announceSightGained(db: Db, announce: Announce, a: UserId, b: UserId, now: Date): Promise<void> {
  // An expired one is in no list of the other: to announce it would look as if it were new.
  for (const ping of await queries.listBetween(db, [a, b], now, now)) {
    announce.insert('location_pins', rowOf(ping), [ping.recipient_id])
    for (const [response, seers] of responsesMoved(ping)) announce.insert('ping_responses', response, seers)
  }
}

/** The owners of the pings to which both are invited. */
export function listOwnersOfShared(db: Db, a: UserId, b: UserId): Promise<UserId[]> {
  return queries.listOwnersOfShared(db, a, b)
}

/**
 * A block begins (`delete`) or the last block ends (`insert`) between two people: the response of each to the pings of others
 * disappears from, or returns to, the other's live rows. Called while there is no block, both and the owners locked.
 */
export async function announceResponsesBetween(
  db: Db,
  announce: Announce,
  [a, b]: readonly [UserId, UserId],
  kind: 'insert' | 'delete',
  now: Date,
): Promise<void> {
  for (const ping of await queries.listShared(db, [a, b], now)) {
    if (kind === 'insert' && ping.status === 'expired') continue
    for (const response of ping.responses) {
      const other = response.user_id === a ? b : response.user_id === b ? a : null
      if (other === null || !ping.invitee_ids.includes(other)) continue
      if (ping.invitee_ids.includes(response.user_id)) announce[kind]('ping_responses', response, [other])
    }
  }
}

/** The responses that come or go for someone as this recipient comes or goes, with those someones. */
function responsesMoved(ping: queries.AnnouncedPing & { recipient_id: UserId }): [PingResponse, UserId[]][] {
  return ping.responses.map((response) => {
    const seers = seersOf(response, ping)
    const isTheirs = response.user_id === ping.recipient_id
    return [response, isTheirs ? seers : seers.filter((id) => id === ping.recipient_id)]
  })
}

function presentPing({ sight: _, ...ping }: queries.SeenPing): Ping {
  return ping
}

/** What is the same for every viewer: the feed's row, and all that a public link shows. */
export function rowOf(ping: PingRow): PingRow {
  return {
    id: ping.id,
    user_id: ping.user_id,
    username: ping.username,
    user_has_image: ping.user_has_image,
    name: ping.name,
    latitude: ping.latitude,
    longitude: ping.longitude,
    created_at: ping.created_at,
    expires_at: ping.expires_at,
    activates_at: ping.activates_at,
    message: ping.message,
    has_image: ping.has_image,
    status: ping.status,
    address: ping.address,
    is_public: ping.is_public,
    responses_visible: ping.responses_visible,
    conversation_id: ping.conversation_id,
  }
}
