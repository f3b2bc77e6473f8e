import type { FriendshipRow } from '@hither/contract/feeds.ts'
import type { FriendRequestId, FriendshipId, UserId } from '@hither/contract/ids.ts'
import { removeFromCircles } from '../circles/circle-members.service.ts'
import type { Announce } from '../events/changes.ts'
import { limitAudience } from '../events/feed-declaration.ts'
import { feeds } from '../feeds/feeds.ts'
import { lockDirect } from '../messages/directs.service.ts'
import { announceAccessGained, announceAccessLost } from '../pings/ping-audience.service.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { inOrder } from '../platform/db/in-order.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { type LockedFriendship, lockedFriendship } from '../users/locked-rows.ts'
import { type LockedUser, lockUsers } from '../users/user-locks.ts'
import { deleteFriendship, findFriendship, insertFriendship, takeRequest } from './friends.queries.ts'
import type { FriendsDeps } from './friends.service.ts'

/**
 * Ends a friendship. Either friend may call. For the other one the friendship and the pings disappear without a reason.
 */
export async function removeFriend(
  { pool, changes, now }: FriendsDeps,
  callerId: UserId,
  friendshipId: FriendshipId,
): Promise<void> {
  await changes.commit(pool, async (tx, announce) => {
    const found = await findFriendship(tx, callerId, friendshipId)
    if (!found) throw new Refusal('friend_not_found')
    const users = await lockUsers(tx, [found.requester_id, found.requested_id])
    // Read again under the lock: another transaction may have ended it.
    const friendship = await findFriendship(tx, callerId, friendshipId)
    if (!friendship) throw new Refusal('friend_not_found')
    await endFriendship(tx, announce, lockedFriendship(users, friendship), now())
  })
}

/** Two users, and the pending request between them, if any. */
interface FutureFriends {
  readonly requesterId: LockedUser
  readonly requestedId: LockedUser
  readonly requestId: FriendRequestId | null
}

/** Makes two users friends, accepts the request between them, and announces both. */
export async function startFriendship(
  { presence }: Pick<FriendsDeps, 'presence'>,
  tx: Tx,
  announce: Announce,
  { requesterId, requestedId, requestId }: FutureFriends,
  now: Date,
): Promise<FriendshipRow> {
  const id = newId<FriendshipId>()
  const [request, friendship] = await inOrder([
    requestId === null ? undefined : takeRequest(tx, requestId),
    insertFriendship(tx, { id, requesterId, requestedId, now }),
  ])
  if (request)
    announce.update(
      'friend_requests',
      { ...request, status: 'accepted' },
      request,
      feeds.friend_requests.audience(request),
    )
  announce.insert('friendships', friendship, feeds.friendships.audience(friendship))
  announceOnline(announce, friendship, await presence.onlineAmong([requesterId, requestedId]))
  // Announces the pings that they sent each other in an earlier friendship.
  await announceAccessGained(tx, announce, [requesterId, requestedId], now)
  announce.friendsChanged(requesterId, requestedId)
  return friendship
}

/**
 * Announces who of the two is online. The row of a friendship does not contain it, and the next change may come much later.
 */
function announceOnline(announce: Announce, friendship: FriendshipRow, online: ReadonlySet<UserId>): void {
  const requester = {
    id: friendship.requester_id,
    username: friendship.requester_username,
    display_name: friendship.requester_display_name,
    has_image: friendship.requester_has_image,
  }
  const requested = {
    id: friendship.requested_id,
    username: friendship.requested_username,
    display_name: friendship.requested_display_name,
    has_image: friendship.requested_has_image,
  }
  for (const [one, other] of [
    [requester, requested],
    [requested, requester],
  ] as const) {
    if (!online.has(one.id)) continue
    const audience = limitAudience(feeds.users.audience({ id: one.id, friendIds: [other.id] }), [other.id])
    announce.update('users', { ...one, is_online: true }, { ...one, is_online: false }, audience)
  }
}

/** Ends a friendship and announces it. */
export async function endFriendship(
  tx: Tx,
  announce: Announce,
  friendship: LockedFriendship,
  now: Date,
): Promise<void> {
  const { requester_id: a, requested_id: b } = friendship
  // Runs while they are still friends: what each of them saw is unknown afterwards.
  await announceAccessLost(tx, announce, [a, b], now)
  await lockDirect(tx, a, b)
  const [announceRemoved] = await inOrder([
    removeFromCircles(tx, announce, friendship, now),
    deleteFriendship(tx, friendship.id),
  ])
  announce.delete('friendships', friendship, feeds.friendships.audience(friendship))
  announceRemoved()
  announce.friendsChanged(a, b)
}

/** Finds the friend who used a link of this user, while they are friends. */
export async function findLinkFriend(
  db: Db,
  userId: UserId,
  friendshipId: FriendshipId,
): Promise<{ username: string; display_name: string | null } | undefined> {
  const friendship = await findFriendship(db, userId, friendshipId)
  if (!friendship) return undefined
  return { username: friendship.requester_username, display_name: friendship.requester_display_name }
}
