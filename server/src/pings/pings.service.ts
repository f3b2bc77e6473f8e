import { type PingId, type RecipientId, type UserId } from '@hither/contract/ids.ts'
import {
  type AnonymousPing,
  type CreatePing,
  type Ping,
  type PingResponse,
  type PingRow,
  type PublicPing,
  type ResponseType,
} from '@hither/contract/pings.ts'
import { listFriendIds } from '../friends/friends.service.ts'
import { type Announce, type Changes } from '../platform/changes.ts'
import { type Db, type Pool } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import * as queries from './pings.queries.ts'
import { assertRoomForAnother, draftOf, recipientsOf } from './pings.rules.ts'

export interface PingsDeps {
  pool: Pool
  changes: Changes
  now: () => Date
}

/** Announced to the owner and everyone invited; to nobody else, public or not. */
export async function createPing({ pool, changes, now }: PingsDeps, ownerId: UserId, input: CreatePing): Promise<Ping> {
  const at = now()
  const draft = draftOf(input, at)
  return changes.commit(pool, async (db, announce) => {
    if (!(await queries.lockOwner(db, ownerId))) throw new Refusal('authentication_required')
    assertRoomForAnother(await queries.countUnexpired(db, ownerId, at))
    const audience = recipientsOf(draft, await listFriendIds(db, ownerId))
    const id = newId<PingId>()
    await queries.insertPing(db, { ...draft, id, ownerId, now: at })
    const recipients = audience.map((recipientId) => ({ id: newId<RecipientId>(), recipientId }))
    if (recipients.length > 0) await queries.insertRecipients(db, id, draft.expiresAt, recipients)
    announce.insert('location_pins', await pingRow(db, id, at), [ownerId, ...audience])
    return required(await queries.findPing(db, ownerId, id, at))
  })
}

/** Pending and active, own and invited to; active first, then newest first. */
export async function listPings({ pool, now }: PingsDeps, viewerId: UserId): Promise<Ping[]> {
  return queries.listPings(pool, viewerId, now())
}

/** In the order of My Pins. */
export async function listMyPings({ pool, now }: PingsDeps, ownerId: UserId): Promise<Ping[]> {
  return queries.listOwnPings(pool, ownerId, now())
}

/** As far as the viewer may see it (`null`: a visitor). Opening it is how an invited friend is known to have seen it. */
export async function getPing(
  { pool, now }: PingsDeps,
  viewerId: UserId | null,
  pingId: PingId,
): Promise<Ping | PublicPing | AnonymousPing> {
  if (viewerId === null) return required(await queries.findAnonymousPing(pool, pingId, now()))
  const ping = await queries.findPing(pool, viewerId, pingId, now())
  if (!ping) return required(await queries.findPublicPing(pool, viewerId, pingId, now()))
  const own = ping.recipients.find(({ recipient_id }) => recipient_id === viewerId)
  if (!own || own.has_seen) return ping
  await queries.updateSeen(pool, pingId, viewerId)
  return { ...ping, recipients: ping.recipients.map((each) => (each === own ? { ...own, has_seen: true } : each)) }
}

export async function deletePing({ pool, changes, now }: PingsDeps, callerId: UserId, pingId: PingId): Promise<void> {
  await changes.commit(pool, async (db, announce) => {
    await queries.lockPing(db, pingId)
    const ping = await queries.findPing(db, callerId, pingId, now())
    if (!ping) {
      // Someone who may see a public ping may be told why they cannot delete it; to others there is none.
      throw new Refusal(
        (await queries.findPublicPing(db, callerId, pingId, now())) ? 'ping_not_owned' : 'ping_not_found',
      )
    }
    if (ping.user_id !== callerId) throw new Refusal('ping_not_owned')
    await erasePing(db, announce, pingId, now())
  })
}

/** The newest active one. */
export async function deleteMyPing({ pool, changes, now }: PingsDeps, callerId: UserId): Promise<void> {
  await changes.commit(pool, async (db, announce) => {
    const pingId = await queries.findNewestActive(db, callerId, now())
    if (!pingId) throw new Refusal('no_active_ping')
    await queries.lockPing(db, pingId)
    if (!(await queries.findPingRow(db, pingId, now()))) throw new Refusal('no_active_ping')
    await erasePing(db, announce, pingId, now())
  })
}

/** Invited friends only, until it expires; answering again changes the answer. */
export async function respondToPing(
  { pool, changes, now }: PingsDeps,
  callerId: UserId,
  pingId: PingId,
  type: ResponseType,
): Promise<PingResponse> {
  return changes.commit(pool, async (db, announce) => {
    await queries.lockPing(db, pingId)
    const ping = await queries.findPing(db, callerId, pingId, now())
    if (!ping) required(await queries.findPublicPing(db, callerId, pingId, now()))
    if (!ping || ping.user_id === callerId) throw new Refusal('not_invited')
    if (ping.status === 'expired') throw new Refusal('ping_expired')
    const before = await queries.findResponseRow(db, pingId, callerId)
    await queries.upsertResponse(db, { pingId, userId: callerId, type, now: now() })
    const after = required(await queries.findResponseRow(db, pingId, callerId))
    const audience = responseAudience(ping, callerId, await queries.listAudience(db, pingId))
    if (before) announce.update('ping_responses', after, before, audience)
    else announce.insert('ping_responses', after, audience)
    return after
  })
}

/** Nothing where there is none, or none that the caller could have given. */
export async function removeResponse(
  { pool, changes, now }: PingsDeps,
  callerId: UserId,
  pingId: PingId,
): Promise<void> {
  await changes.commit(pool, async (db, announce) => {
    await queries.lockPing(db, pingId)
    const before = await queries.findResponseRow(db, pingId, callerId)
    const ping = await queries.findPingRow(db, pingId, now())
    if (!before || !ping) return
    await queries.deleteResponse(db, pingId, callerId)
    const audience = await queries.listAudience(db, pingId)
    // Someone who is no friend any more takes back what nobody sees.
    if (!audience.includes(callerId)) return
    announce.delete('ping_responses', before, responseAudience(ping, callerId, audience))
  })
}

/** For the owner, and for those invited where the owner shows it to them. */
export async function listResponses(
  { pool, now }: PingsDeps,
  callerId: UserId,
  pingId: PingId,
): Promise<PingResponse[]> {
  const ping = await queries.findPing(pool, callerId, pingId, now())
  if (!ping) required(await queries.findPublicPing(pool, callerId, pingId, now()))
  if (!ping || (ping.user_id !== callerId && !ping.responses_visible)) throw new Refusal('responses_hidden')
  return ping.responses
}

/**
 * Call while the two are still friends, in the transaction that ends it: each loses sight of the other's pings, and
 * everyone of the answers that one gave to the other's.
 */
export async function announceSightLost(db: Db, announce: Announce, a: UserId, b: UserId, now: Date): Promise<void> {
  await eachPingBetween(db, a, b, async (ping, invitee) => {
    const row = await pingRow(db, ping, now)
    const audience = await queries.listAudience(db, ping)
    for (const response of await queries.listResponseRows(db, ping)) {
      const seenBy = responseAudience(row, response.user_id, audience)
      if (response.user_id === invitee) announce.delete('ping_responses', response, seenBy)
      else if (seenBy.includes(invitee)) announce.delete('ping_responses', response, [invitee])
    }
    announce.delete('location_pins', row, [invitee])
  })
}

/** The reverse, once the two are friends again. */
export async function announceSightGained(db: Db, announce: Announce, a: UserId, b: UserId, now: Date): Promise<void> {
  await eachPingBetween(db, a, b, async (ping, invitee) => {
    const row = await pingRow(db, ping, now)
    const audience = await queries.listAudience(db, ping)
    announce.insert('location_pins', row, [invitee])
    for (const response of await queries.listResponseRows(db, ping)) {
      const seenBy = responseAudience(row, response.user_id, audience)
      if (response.user_id === invitee) announce.insert('ping_responses', response, seenBy)
      else if (seenBy.includes(invitee)) announce.insert('ping_responses', response, [invitee])
    }
  })
}

/** Tells what time has done to up to `limit` pings, once whatever the number of nodes. Answers how many there were. */
export async function announceDue({ pool, changes, now }: PingsDeps, limit: number): Promise<number> {
  return changes.commit(pool, async (db, announce) => {
    const due = await queries.claimDue(db, now(), limit)
    for (const { id, announced_status } of due) {
      const row = await pingRow(db, id, now())
      announce.update('location_pins', row, { ...row, status: announced_status }, await queries.listAudience(db, id))
    }
    return due.length
  })
}

async function erasePing(db: Db, announce: Announce, pingId: PingId, now: Date): Promise<void> {
  const row = await pingRow(db, pingId, now)
  announce.delete('location_pins', row, await queries.listAudience(db, pingId))
  await queries.deletePing(db, pingId)
}

async function eachPingBetween(db: Db, a: UserId, b: UserId, tell: (ping: PingId, invitee: UserId) => Promise<void>) {
  for (const id of await queries.listPingIdsBetween(db, a, b)) await tell(id, b)
  for (const id of await queries.listPingIdsBetween(db, b, a)) await tell(id, a)
}

/** `audience`: of the ping. An answer is the owner's to see, and the answerer's own; the others' where the owner shows it. */
function responseAudience(
  ping: Pick<PingRow, 'user_id' | 'responses_visible'>,
  userId: UserId,
  audience: readonly UserId[],
): UserId[] {
  return audience.filter((id) => ping.responses_visible || id === ping.user_id || id === userId)
}

async function pingRow(db: Db, pingId: PingId, now: Date): Promise<PingRow> {
  return required(await queries.findPingRow(db, pingId, now))
}

function required<T>(found: T | undefined): T {
  if (found === undefined) throw new Refusal('ping_not_found')
  return found
}

/** What the viewer may see of a ping, by the same rule as `getPing` and without the sign of having seen it. */
export async function findVisiblePing(
  db: Db,
  viewerId: UserId,
  pingId: PingId,
  now: Date,
): Promise<PublicPing | undefined> {
  return (await queries.findPing(db, viewerId, pingId, now)) ?? queries.findPublicPing(db, viewerId, pingId, now)
}

/**
 * Joins the caller's transaction, and holds the ping until it ends. Announced also where one picture takes the place of
 * another, since nothing else tells the audience to fetch it again.
 */
export async function setPingHasImage(
  db: Db,
  announce: Announce,
  pingId: PingId,
  hasImage: boolean,
  now: Date,
): Promise<void> {
  await queries.lockPing(db, pingId)
  const before = await pingRow(db, pingId, now)
  if (!before.has_image && !hasImage) return
  await queries.updateHasImage(db, pingId, hasImage)
  const after = { ...before, has_image: hasImage }
  announce.update('location_pins', after, before, await queries.listAudience(db, pingId))
}
