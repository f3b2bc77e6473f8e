import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { GivenResponse, PingResponse, ResponseType } from '@hither/contract/pings.ts'
import { feeds } from '../../feeds/feeds.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { inOrder } from '../../platform/db/in-order.ts'
import { endTripsWithResponse, showTripsTo } from '../../trips/audience/trip-endings.service.ts'
import { type LockedPing, lockPingAndRead } from '../../users/user-locks.ts'
import { respondAsGuest, withdrawAsGuest } from '../guests/guest-accounts.service.ts'
import { lockInvitation } from '../invitation-lock.queries.ts'
import { assertCanListResponses, assertCanRespond, seenRevision } from '../pings.rules.ts'
import { getSeenPing, type PingsDeps } from '../pings.service.ts'
import { announcePlaceAfterAnswer } from '../place/place.service.ts'
import * as queries from './responses.queries.ts'

/** Adds or replaces the response of the caller, as an invitee or as a guest. Pending pings accept responses too. */
export async function respondToPing(
  { pool, changes, now }: PingsDeps,
  callerId: UserId,
  input: { ping_id: PingId; response_type: ResponseType; revision?: number },
): Promise<GivenResponse> {
  const { ping_id: pingId, response_type: type } = input
  return changes.commit(pool, async (tx, announce, withCommit) => {
    const { context, ping } = await lockResponse(tx, callerId, pingId, now())
    if (context && (context.access === 'link' || context.access === null))
      return respondAsGuest(tx, announce, withCommit, { pingId: ping, callerId, type, seen: input.revision, now })
    // The clock is read after the wait for the locks.
    const at = now()
    assertCanRespond(context, at)
    const before = responseOf(context, callerId)
    const updated_at = at.toISOString()
    const first = { ...responderOf(context), ping_id: context.id, user_id: callerId, created_at: updated_at }
    const revision = seenRevision(context, input.revision)
    const after = { ...(before ?? first), response_type: type, revision, updated_at }
    const audience = feeds.ping_responses.audience(after, context)
    withCommit(queries.upsertResponse(tx, { pingId, userId: callerId, type, revision, now: at }))
    if (before?.response_type !== type)
      announce.publish({
        kind: 'ping_answered',
        pingId: context.id,
        responderId: callerId,
        ownerId: context.user_id,
        at,
      })
    const wasGoing = before?.response_type === 'accepted'
    const isGoing = type === 'accepted'
    if (context.has_trips && wasGoing && !isGoing) await endTripsWithResponse(tx, announce, ping, callerId, at)
    if (before) announce.update('ping_responses', after, before, audience)
    else announce.insert('ping_responses', after, audience)
    const answer = { userId: callerId, before: before?.response_type ?? null, after: type }
    const place = await announcePlaceAfterAnswer(tx, announce, context, answer, at)
    if (context.has_trips && isGoing && !wasGoing) await showTripsTo(tx, announce, ping, [callerId], at)
    return { ...after, ...(place && { place }) }
  })
}

/**
 * Removes the response of the caller, also as a guest. Succeeds without a response too, and after the ping expired or the friendship
 * ended.
 */
export async function removeResponse(
  { pool, changes, now }: PingsDeps,
  callerId: UserId,
  pingId: PingId,
): Promise<void> {
  await changes.commit(pool, async (tx, announce) => {
    const { context, ping } = await lockResponse(tx, callerId, pingId, now())
    if (context && context.access !== 'invitee') await withdrawAsGuest(tx, announce, ping, callerId, now())
    const response = context && responseOf(context, callerId)
    if (!response) return
    if (context.has_trips) await endTripsWithResponse(tx, announce, ping, callerId, now())
    await queries.deleteResponse(tx, pingId, callerId)
    announce.delete('ping_responses', response, feeds.ping_responses.audience(response, context))
    const answer = { userId: callerId, before: response.response_type, after: null }
    await announcePlaceAfterAnswer(tx, announce, context, answer, now())
  })
}

/** Locks the audience of the ping and the response of this user until the transaction ends. */
async function lockResponse(
  tx: Tx,
  callerId: UserId,
  pingId: PingId,
  now: Date,
): Promise<{ context: queries.ResponseContext | undefined; ping: LockedPing }> {
  const [ping, [, context]] = await lockPingAndRead(tx, pingId, callerId, () =>
    inOrder([lockInvitation(tx, pingId, callerId), queries.findResponseContext(tx, callerId, pingId, now)]),
  )
  return { context, ping }
}

function responseOf(context: queries.ResponseContext, userId: UserId): PingResponse | undefined {
  const { id: ping_id, response_type, response_revision: revision, created_at, updated_at } = context
  if (response_type === null || revision === null || created_at === null || updated_at === null) return undefined
  return { ping_id, user_id: userId, ...responderOf(context), response_type, revision, created_at, updated_at }
}

function responderOf({ responder_username: username, responder_display_name: display_name }: queries.ResponseContext) {
  return { username, display_name }
}

/** Returns the response of one invitee, as the owner sees it. */
export function findResponse(db: Db, pingId: PingId, userId: UserId): Promise<PingResponse | undefined> {
  return queries.findResponse(db, pingId, userId)
}

/** Lists the responses that the viewer may see, in the order in which they were first given. */
export async function listResponses(
  { pool, now }: PingsDeps,
  viewerId: UserId,
  pingId: PingId,
): Promise<PingResponse[]> {
  const ping = await getSeenPing(pool, viewerId, pingId, now())
  assertCanListResponses(ping)
  return ping.responses
}

/**
 * Deletes the user's invitations and responses and announces nothing: the end of their
 * friendships has already been announced for both.
 */
export async function eraseParticipation(tx: Tx, userId: UserId): Promise<void> {
  await queries.deleteParticipation(tx, userId)
}
