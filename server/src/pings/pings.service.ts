import type { FoundArea } from '@hither/contract/geo.ts'
import type { PingId, UserId } from '@hither/contract/ids.ts'
import type {
  AnonymousPing,
  ChangePing,
  CreatePing,
  OwnPing,
  Ping,
  PingRow,
  PreviewedPing,
  ShownPing,
} from '@hither/contract/pings.ts'
import type { Trip } from '@hither/contract/trips.ts'
import { assertFound, findCircles } from '../circles/circle-members.service.ts'
import type { Changes } from '../events/changes.ts'
import { feeds } from '../feeds/feeds.ts'
import type { Access } from '../ping-access/ping-access.visibility.ts'
import type { Db, Pool } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { inOrder } from '../platform/db/in-order.ts'
import type { Queried } from '../platform/db/json-parts.ts'
import { type JsonText, jsonOf } from '../platform/db/json-text.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { type Page, pageValues } from '../platform/http/pages.ts'
import { listFriendIds } from '../relations/relations.service.ts'
import { endTripsToEnded } from '../trips/audience/trip-endings.service.ts'
import { lockUser, lockUserAndRead, pingOf } from '../users/user-locks.ts'
import * as creation from './creation.queries.ts'
import { findAnnounced } from './ping-audience.queries.ts'
import type { PingChats } from './ping-chats.ts'
import { removePing } from './ping-removal.service.ts'
import * as queries from './pings.queries.ts'
import {
  assertBelowPingLimit,
  assertCanChange,
  assertCanDelete,
  chooseRecipients,
  endOf,
  individuals,
  planPing,
  rowOf,
  updateTime,
} from './pings.rules.ts'
import { areaPlaceOf } from './place/place.rules.ts'
import { rowsByPlace } from './place/place-announcements.ts'

export interface PingsDeps {
  pool: Pool
  changes: Changes
  now: () => Date
  readonly chats: PingChats
}

/**
 * Creates a ping. A request that repeats a `client_id` of the owner is answered with the first ping and announces
 * nothing.
 */
export async function createPing(
  deps: PingsDeps,
  ownerId: UserId,
  { client_id: clientId = null, ...input }: CreatePing,
  area: FoundArea,
): Promise<{ ping: OwnPing; isNew: boolean }> {
  const now = deps.now()
  const { circle_ids: circleIds } = input
  return deps.changes.commit(deps.pool, async (tx, announce) => {
    // The lock serializes the creations of an owner, so that two cannot both pass the limit, and keeps their
    // friendships unchanged.
    const [owner, [state, friendIds, circles]] = await lockUserAndRead(tx, ownerId, (locked) =>
      inOrder([
        creation.getCreationState(tx, ownerId, clientId, now),
        listFriendIds(tx, ownerId),
        circleIds ? findCircles(tx, locked, circleIds) : null,
      ]),
    )
    const { unexpired, made_id: madeId } = state
    if (owner === null) throw new Refusal('authentication_required')
    if (madeId !== null) return { ping: await getOwnPing(tx, ownerId, madeId, now), isNew: false }
    // Validated only here: the start of a repeated request may have passed since the first one.
    const plan = planPing(input, now, area)
    if (circles) assertFound(circles)
    assertBelowPingLimit(unexpired)
    const recipientIds = chooseRecipients(input, friendIds, circles?.memberIds)
    const choice = circles && { circleIds: circles.circleIds, individualIds: individuals(input) }
    const id = newId<PingId>()
    const announcedStatus = plan.activatesAt ? 'pending' : 'active'
    const [, ping] = await inOrder([
      creation.insertPing(tx, { ...plan, id, ownerId, clientId, announcedStatus, recipientIds }, choice),
      creation.findCreated(tx, ownerId, id, now),
    ])
    announce.publish({ kind: 'ping_created', pingId: id, inviteeIds: recipientIds, at: now })
    const audience = feeds.location_pins.audience({ user_id: ownerId, invitee_ids: recipientIds })
    for (const [row, people] of rowsByPlace(ping, audience)) announce.insert('location_pins', row, people)
    announce.pingDue(plan.activatesAt ?? plan.expiresAt)
    return { ping, isNew: true }
  })
}

/** Lists the pings that the viewer sees: active before pending, then newest first. With `own`, only theirs have recipients. */
export async function listPings(
  { pool, now }: PingsDeps,
  viewerId: UserId,
  { recipients, ...page }: { recipients?: 'own' } & Page<PingId>,
): Promise<JsonText<Ping[]>> {
  return jsonOf(await queries.listPings(pool, viewerId, now(), recipients, page))
}

/** Returns a page in the order of My Pins. Includes expired pings until they are erased. */
export async function listMyPings({ pool, now }: PingsDeps, ownerId: UserId, page: Page<PingId>): Promise<OwnPing[]> {
  return queries.listOwnPings(pool, ownerId, now(), pageValues(page))
}

/** All pings of the owner, for the export of an account. */
export function exportPings(db: Db, ownerId: UserId, now: Date): Queried<OwnPing[]> {
  return queries.listOwnPings(db, ownerId, now, { limit: null, before: null })
}

/** Returns a ping limited to what the viewer may see. Marks it as seen for an invitee. */
export async function getPing(deps: PingsDeps, viewerId: UserId | null, pingId: PingId): Promise<ShownPing> {
  if (viewerId === null) return getOpenPing(deps, pingId)
  const { pool, changes, now } = deps
  const ping = await getSeenPing(pool, viewerId, pingId, now())
  if (ping.access === 'link') {
    const { access, can_respond, guest, response_counts } = ping
    return { access, can_respond, guest, response_counts, ...rowOf(ping) }
  }
  const own = ping.recipients.find(({ recipient_id }) => recipient_id === viewerId)
  if (own?.has_seen === false) {
    await changes.commit(pool, (tx) => queries.updateSeen(tx, viewerId, pingId))
    own.has_seen = true
  }
  return ping
}

async function getOpenPing({ pool, now }: PingsDeps, pingId: PingId): Promise<AnonymousPing> {
  const ping = await queries.findOpenPing(pool, pingId, now())
  if (!ping) throw new Refusal('ping_not_found')
  return ping
}

/** Returns what link previews show. Undefined unless the ping is public and unexpired. */
export function findPreviewed(db: Db, pingId: PingId, now: Date): Promise<PreviewedPing | undefined> {
  return queries.findPreviewed(db, pingId, now)
}

/**
 * Returns a ping as the viewer sees it. Throws the same refusal for a missing ping and for one that the viewer may not
 * see.
 */
export async function getSeenPing(db: Db, viewerId: UserId, pingId: PingId, now: Date): Promise<queries.SeenPing> {
  const ping = await queries.findPing(db, viewerId, pingId, now)
  if (!ping) throw new Refusal('ping_not_found')
  return ping
}

/** Like `getSeenPing`, for the owner. Refuses all others as if the ping did not exist. */
async function getOwnPing(db: Db, ownerId: UserId, pingId: PingId, now: Date): Promise<OwnPing> {
  const ping = await getSeenPing(db, ownerId, pingId, now)
  if (ping.access !== 'owner') throw new Refusal('ping_not_found')
  return ping
}

/** Returns the access of the viewer to a ping, for features that belong to pings. Undefined if they may not see it. */
export async function findAccess(db: Db, viewerId: UserId, pingId: PingId, now: Date): Promise<Access | undefined> {
  return (await findVisible(db, viewerId, pingId, now))?.access
}

/** Returns the access of the viewer with the fields that the ping shows them, without invitees and responses. */
export function findVisible(
  db: Db,
  viewerId: UserId,
  pingId: PingId,
  now: Date,
): Promise<(PingRow & { access: Access }) | undefined> {
  return queries.findVisiblePing(db, viewerId, pingId, now)
}

/**
 * Extends an active ping by these minutes, or ends it now without them. Owner only. The change is announced at once and the announcing job does not
 * repeat it; an activation without an announcement yet is announced with it.
 */
export async function changePing(
  { pool, changes, now, chats }: PingsDeps,
  callerId: UserId,
  pingId: PingId,
  change: Pick<ChangePing, 'extend_minutes'>,
): Promise<OwnPing> {
  const minutes = change.extend_minutes ?? null
  return changes.commit(pool, async (tx, announce) => {
    // This and the announcing job wait for each other, and the clock is read after the wait.
    const owner = await lockUser(tx, callerId)
    const at = now()
    const before = await queries.findPing(tx, callerId, pingId, at)
    assertCanChange(before)
    if (owner === null) throw new Refusal('ping_not_found')
    const locked = pingOf(owner, pingId)
    const expiresAt = endOf(before, minutes, at)
    const announcedStatus = minutes === null ? 'expired' : 'active'
    const updatedAt = updateTime(before, at)
    // The audience is read after the change.
    const [previousAnnouncedStatus, after] = await inOrder([
      queries.updateEnd(tx, locked, { expiresAt, announcedStatus, updatedAt }),
      // A ping never ends before it starts, which may be later than now.
      findAnnounced(tx, pingId, minutes === null ? expiresAt : at),
      before.conversation_id &&
        chats.moveDate(tx, announce, before.conversation_id, {
          before: before.expires_at,
          after: expiresAt.toISOString(),
        }),
    ])
    if (!after) throw new Refusal('ping_not_found')
    const ping = {
      ...before,
      // The exact place may be stored until the end only.
      ...(after.hidden_place_ids.includes(callerId) ? areaPlaceOf(after) : {}),
      expires_at: expiresAt.toISOString(),
      updated_at: updatedAt.toISOString(),
      status: announcedStatus,
      trips: minutes === null ? ([] as Trip[]) : before.trips,
    } as const
    if (minutes === null) await endTripsToEnded(tx, announce, [locked])
    const audience = feeds.location_pins.audience(after)
    const { expires_at, updated_at } = before
    const old = { expires_at, updated_at, status: previousAnnouncedStatus ?? before.status }
    for (const [row, people] of rowsByPlace(after, audience))
      announce.update('location_pins', row, { ...row, ...old }, people)
    if (minutes !== null) announce.pingDue(expiresAt)
    if (previousAnnouncedStatus === 'pending' && minutes !== null)
      announce.publish({ kind: 'ping_activated', pingId, audience, at })
    return ping
  })
}

/** Deletes a ping of the caller. It disappears with its responses for everyone who saw it. */
export async function deletePing(
  { pool, changes, now, chats }: PingsDeps,
  callerId: UserId,
  pingId: PingId,
): Promise<void> {
  await changes.commit(pool, async (tx, announce) => {
    const owner = await lockUser(tx, callerId)
    assertCanDelete(await findAccess(tx, callerId, pingId, now()))
    if (owner === null) throw new Refusal('ping_not_found')
    await removePing(tx, announce, chats, pingOf(owner, pingId), now())
  })
}

/** Deletes the newest active ping of the caller. */
export async function deleteMyPing({ pool, changes, now, chats }: PingsDeps, callerId: UserId): Promise<void> {
  await changes.commit(pool, async (tx, announce) => {
    const owner = await lockUser(tx, callerId)
    const pingId = owner && (await queries.findNewestActive(tx, owner, now()))
    if (!pingId) throw new Refusal('no_active_ping')
    await removePing(tx, announce, chats, pingId, now())
  })
}
