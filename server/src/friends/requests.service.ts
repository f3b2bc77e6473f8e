import type { FriendRequestRow } from '@hither/contract/feeds.ts'
import type { FriendRequestAction, FriendRequestStatus, sendFriendRequest } from '@hither/contract/friends.ts'
import type { FriendRequestId, UserId } from '@hither/contract/ids.ts'
import type { Reply } from '@hither/contract/operation.ts'
import type { Announce } from '../events/changes.ts'
import { feeds } from '../feeds/feeds.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { type LockedRequest, lockedFriendship, lockedRequest } from '../users/locked-rows.ts'
import { type LockedUser, type LockedUsers, lockUsers } from '../users/user-locks.ts'
import { lookUpUser } from '../users/users.service.ts'
import * as queries from './friends.queries.ts'
import { judgeNewRequest, outcomeOf, type Relation } from './friends.rules.ts'
import type { FriendsDeps } from './friends.service.ts'
import { startFriendship } from './friendships.service.ts'

/**
 * Sends a friend request by name. If the other user has already sent one to the caller, the two become friends at once.
 */
export async function requestFriend(
  { pool, changes, presence, now }: FriendsDeps,
  callerId: UserId,
  name: string,
): Promise<Reply<typeof sendFriendRequest>> {
  return changes.commit(pool, async (tx, announce) => {
    const { user_id, username, display_name } = await lookUpUser(tx, callerId, name)
    if (user_id === callerId) throw new Refusal('own_friend_request')
    // The lock makes two crossing requests see each other.
    const users = await lockUsers(tx, [callerId, user_id])
    if (!users.has(callerId) || !users.has(user_id)) throw new Refusal('user_not_found')
    const [caller, other] = [users.get(callerId), users.get(user_id)]
    const relation = await findRelation(tx, users, caller, other)
    if (judgeNewRequest(callerId, relation) === 'accept' && relation.request) {
      const { id } = await acceptRequest({ presence }, tx, announce, relation.request, now())
      return { id, status: 'accepted', user_id, username, display_name }
    }
    const { id } = await sendRequest(tx, announce, { fromId: caller, toId: other }, now())
    return { id, status: 'pending', user_id, username, display_name }
  })
}

/** Accepts or rejects a request as its receiver, or cancels it as its sender. For everyone else it does not exist. */
export async function answerRequest(
  { pool, changes, presence, now }: FriendsDeps,
  callerId: UserId,
  requestId: FriendRequestId,
  action: FriendRequestAction,
): Promise<{ id: FriendRequestId; status: FriendRequestStatus }> {
  return changes.commit(pool, async (tx, announce) => {
    const found = await queries.findRequest(tx, callerId, requestId)
    if (!found) throw new Refusal('friend_request_not_found')
    const users = await lockUsers(tx, [found.from_user_id, found.to_user_id])
    // Read again under the lock: another transaction may have answered it.
    const current = await queries.findRequest(tx, callerId, requestId)
    if (!current) throw new Refusal('friend_request_not_found')
    const request = lockedRequest(users, current)
    switch (outcomeOf(callerId, request, action)) {
      case 'accepted':
        await acceptRequest({ presence }, tx, announce, request, now())
        return { id: requestId, status: 'accepted' }
      case 'rejected':
        await queries.deleteRequest(tx, requestId)
        announce.update(
          'friend_requests',
          { ...request, status: 'rejected' },
          request,
          feeds.friend_requests.audience(request),
        )
        return { id: requestId, status: 'rejected' }
      case 'cancelled':
        await withdrawRequest(tx, announce, request)
        return { id: requestId, status: 'rejected' }
    }
  })
}

/** Sends a request and announces it. There must be neither a friendship nor a request between the two. */
export async function sendRequest(
  tx: Tx,
  announce: Announce,
  { fromId, toId }: { fromId: LockedUser; toId: LockedUser },
  now: Date,
): Promise<FriendRequestRow> {
  const request = await queries.insertRequest(tx, { id: newId<FriendRequestId>(), fromId, toId, now })
  announce.insert('friend_requests', request, feeds.friend_requests.audience(request))
  announce.publish({ kind: 'friend_requested', requestId: request.id, recipientId: toId, at: now })
  return request
}

/** Deletes a request and announces no reason. A cancelled request and one that ends by a block look the same. */
export async function withdrawRequest(tx: Tx, announce: Announce, request: LockedRequest): Promise<void> {
  await queries.deleteRequest(tx, request.id)
  announce.delete('friend_requests', request, feeds.friend_requests.audience(request))
}

/** Finds a pending request to this user. */
export async function findWaitingRequest(
  db: Db,
  askedId: UserId,
  requestId: FriendRequestId,
): Promise<FriendRequestRow | undefined> {
  const request = await queries.findRequest(db, askedId, requestId)
  return request?.to_user_id === askedId ? request : undefined
}

/** Returns the relation of two of these users. */
export async function findRelation(tx: Tx, users: LockedUsers, a: LockedUser, b: LockedUser): Promise<Relation> {
  const blockerIds = await queries.listBlockersBetween(tx, a, b)
  const friendship = await queries.findFriendshipBetween(tx, a, b)
  const request = await queries.findRequestBetween(tx, a, b)
  return {
    blockerIds,
    friendship: friendship && lockedFriendship(users, friendship),
    request: request && lockedRequest(users, request),
  }
}

function acceptRequest(
  deps: Pick<FriendsDeps, 'presence'>,
  tx: Tx,
  announce: Announce,
  { id: requestId, from_user_id: requesterId, to_user_id: requestedId }: LockedRequest,
  now: Date,
) {
  return startFriendship(deps, tx, announce, { requesterId, requestedId, requestId }, now)
}
