import { type PingId, type UserId } from '@hither/contract/ids.ts'
import { type PingResponse, type ResponseType } from '@hither/contract/pings.ts'
import { tellOfResponse } from '../notifications/pushes.service.ts'
import { type Db } from '../platform/database.ts'
import { findVisiblePing, getAudience, lockAudience } from './pings.queries.ts'
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
  return changes.commit(pool, async (db, announce) => {
    await lockAudience(db, [pingId])
    const at = now()
    assertCanRespond(await findVisiblePing(db, callerId, pingId, at))
    // Of two answers of one person at once, the second changes the first.
    await queries.lockInvitation(db, pingId, callerId)
    const before = await queries.findResponse(db, pingId, callerId)
    const after = await queries.upsertResponse(db, { pingId, userId: callerId, type, now: at })
    const audience = await getAudience(db, pingId)
    const seers = seersOf(after, audience)
    if (before?.response_type !== type)
      await tellOfResponse(db, announce, { pingId, responderId: callerId }, audience.user_id, at)
    if (before) announce.update('ping_responses', after, before, seers)
    else announce.insert('ping_responses', after, seers)
    return after
  })
}

/** Whether or not there was one, and whatever became of the ping or the friendship: the caller's own may always go. */
export async function removeResponse({ pool, changes }: PingsDeps, callerId: UserId, pingId: PingId): Promise<void> {
  await changes.commit(pool, async (db, announce) => {
    await lockAudience(db, [pingId])
    await queries.lockInvitation(db, pingId, callerId)
    const response = await queries.findResponse(db, pingId, callerId)
    if (!response) return
    await queries.deleteResponse(db, pingId, callerId)
    announce.delete('ping_responses', response, seersOf(response, await getAudience(db, pingId)))
  })
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
