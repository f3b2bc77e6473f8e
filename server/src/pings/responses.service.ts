import { type PingId, type UserId } from '@hither/contract/ids.ts'
import { type PingResponse, type ResponseType } from '@hither/contract/pings.ts'
import { tellOfResponse } from '../notifications/pushes.service.ts'
import { type Db } from '../platform/database.ts'
import { lockAudience } from './pings.queries.ts'
import { assertCanListResponses, assertCanRespond, seersOf } from './pings.rules.ts'
import { getSeenPing, type PingsDeps } from './pings.service.ts'
import * as queries from './responses.queries.ts'

/** The caller's first answer, or another in its place; to a scheduled ping as to an active one. */
export async function respondToPing(
  { pool, changes, now }: PingsDeps,
  callerId: UserId,
  input: { ping_id: PingId; response_type: ResponseType },
): Promise<PingResponse> {
  const { ping_id: pingId, response_type: type } = input
  return changes.commit(pool, async (db, announce, lastly) => {
    const asked = await hold(db, callerId, pingId, now())
    // The clock is read after the wait.
    const at = now()
    assertCanRespond(asked, at)
    const before = responseOf(asked, pingId, callerId)
    const updated_at = at.toISOString()
    const first = { ping_id: pingId, user_id: callerId, username: asked.responder_username, created_at: updated_at }
    const after = { ...(before ?? first), response_type: type, updated_at }
    const seers = seersOf(after, asked)
    lastly(queries.upsertResponse(db, { pingId, userId: callerId, type, now: at }))
    if (before?.response_type !== type)
      tellOfResponse({ db, announce, lastly }, { pingId, responderId: callerId }, asked.user_id, at)
    if (before) announce.update('ping_responses', after, before, seers)
    else announce.insert('ping_responses', after, seers)
    return after
  })
}

/** Whether or not there was one, and whatever became of the ping or the friendship: the caller's own may always go. */
export async function removeResponse(
  { pool, changes, now }: PingsDeps,
  callerId: UserId,
  pingId: PingId,
): Promise<void> {
  await changes.commit(pool, async (db, announce) => {
    const asked = await hold(db, callerId, pingId, now())
    const response = asked && responseOf(asked, pingId, callerId)
    if (!response) return
    await queries.deleteResponse(db, pingId, callerId)
    announce.delete('ping_responses', response, seersOf(response, asked))
  })
}

/** Keeps who sees the ping, and what this person has answered, until the transaction ends. */
async function hold(db: Db, callerId: UserId, pingId: PingId, now: Date): Promise<queries.Asked | undefined> {
  // Sent in one go; each is read once the one before it has its lock.
  const [, , asked] = await Promise.all([
    lockAudience(db, [pingId], callerId),
    queries.lockInvitation(db, pingId, callerId),
    queries.findAsked(db, callerId, pingId, now),
  ])
  return asked
}

function responseOf(asked: queries.Asked, pingId: PingId, userId: UserId): PingResponse | undefined {
  const { responder_username: username, response_type, created_at, updated_at } = asked
  if (response_type === null || created_at === null || updated_at === null) return undefined
  return { ping_id: pingId, user_id: userId, username, response_type, created_at, updated_at }
}

/** One guest's, as the owner is told of it. */
export function findAnswer(db: Db, pingId: PingId, userId: UserId): Promise<PingResponse | undefined> {
  return queries.findAnswer(db, pingId, userId)
}

/** In the order in which they came. */
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
 * Joins the caller's transaction. Deletes the user's invitations and responses and announces nothing: the end of their
 * friendships has already been announced for both.
 */
export async function eraseParticipation(db: Db, userId: UserId): Promise<void> {
  await queries.deleteParticipation(db, userId)
}
