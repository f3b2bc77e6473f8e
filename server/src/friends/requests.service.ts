import { type FriendRequestRow } from '@hither/contract/feeds.ts'
import { type FriendRequestAction, type FriendRequestStatus, type sendFriendRequest } from '@hither/contract/friends.ts'
import { type FriendRequestId, type UserId } from '@hither/contract/ids.ts'
import { type Reply } from '@hither/contract/operation.ts'
import { tellOfFriendRequest } from '../notifications/pushes.service.ts'
import { type Announce } from '../platform/changes.ts'
import { type Db } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { lookUpUser } from '../users/users.service.ts'
import * as queries from './friends.queries.ts'
import { judgeNewRequest, outcomeOf, type Relation } from './friends.rules.ts'
import { type FriendsDeps } from './friends.service.ts'
import { startFriendship } from './friendships.service.ts'

/** Asks a person by name; where they have asked the caller already, the two are friends at once. */
export async function requestFriend(
  { pool, changes, presence, now }: FriendsDeps,
  callerId: UserId,
  name: string,
): Promise<Reply<typeof sendFriendRequest>> {
  return changes.commit(pool, async (db, announce) => {
    const { user_id, username } = await lookUpUser(db, callerId, name)
    if (user_id === callerId) throw new Refusal('own_friend_request')
    // Two requests that cross see one another only when one waits for the other.
    if ((await queries.lockPair(db, callerId, user_id)) < 2) throw new Refusal('user_not_found')
    const relation = await findRelation(db, callerId, user_id)
    if (judgeNewRequest(callerId, relation) === 'accept' && relation.request) {
      const { id } = await acceptRequest({ presence }, db, announce, relation.request, now())
      return { id, status: 'accepted', user_id, username }
    }
    const id = newId<FriendRequestId>()
    const request = await queries.insertRequest(db, { id, fromId: callerId, toId: user_id, now: now() })
    announce.insert('friend_requests', request, [callerId, user_id])
    await tellOfFriendRequest(db, announce, id, user_id, now())
    return { id, status: 'pending', user_id, username }
  })
}

/** The receiver accepts or rejects, the sender takes it back; to anyone else there is no such request. */
export async function answerRequest(
  { pool, changes, presence, now }: FriendsDeps,
  callerId: UserId,
  requestId: FriendRequestId,
  action: FriendRequestAction,
): Promise<{ id: FriendRequestId; status: FriendRequestStatus }> {
  return changes.commit(pool, async (db, announce) => {
    const found = await queries.findRequest(db, callerId, requestId)
    if (!found) throw new Refusal('friend_request_not_found')
    await queries.lockPair(db, found.from_user_id, found.to_user_id)
    // Read again: whoever held the pair may have answered it.
    const request = await queries.findRequest(db, callerId, requestId)
    if (!request) throw new Refusal('friend_request_not_found')
    switch (outcomeOf(callerId, request, action)) {
      case 'accepted':
        await acceptRequest({ presence }, db, announce, request, now())
        return { id: requestId, status: 'accepted' }
      case 'rejected':
        await queries.deleteRequest(db, requestId)
        announce.update('friend_requests', { ...request, status: 'rejected' }, request, pairOf(request))
        return { id: requestId, status: 'rejected' }
      case 'cancelled':
        await withdrawRequest(db, announce, request)
        return { id: requestId, status: 'rejected' }
    }
  })
}

/**
 * The request vanishes with no word of why: this is how it looks when the sender takes it back, and, so that it looks no
 * different, when one of the two blocks the other. Needs the pair locked.
 */
export async function withdrawRequest(db: Db, announce: Announce, request: FriendRequestRow): Promise<void> {
  await queries.deleteRequest(db, request.id)
  announce.delete('friend_requests', request, pairOf(request))
}

/** One that waits for an answer of this person's. */
export async function findWaitingRequest(
  db: Db,
  askedId: UserId,
  requestId: FriendRequestId,
): Promise<FriendRequestRow | undefined> {
  const request = await queries.findRequest(db, askedId, requestId)
  return request?.to_user_id === askedId ? request : undefined
}

/** Needs the pair locked, as everything that decides by it. */
export async function findRelation(db: Db, a: UserId, b: UserId): Promise<Relation> {
  return {
    blockerIds: await queries.listBlockersBetween(db, a, b),
    friendship: await queries.findFriendshipBetween(db, a, b),
    request: await queries.findRequestBetween(db, a, b),
  }
}

async function acceptRequest(
  deps: Pick<FriendsDeps, 'presence'>,
  db: Db,
  announce: Announce,
  request: FriendRequestRow,
  now: Date,
) {
  await queries.deleteRequest(db, request.id)
  announce.update('friend_requests', { ...request, status: 'accepted' }, request, pairOf(request))
  return startFriendship(deps, db, announce, request, now)
}

function pairOf(request: FriendRequestRow): UserId[] {
  return [request.from_user_id, request.to_user_id]
}
