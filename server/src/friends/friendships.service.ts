import { type FriendRequestRow, type FriendshipRow } from '@hither/contract/feeds.ts'
import { type FriendshipId, type UserId } from '@hither/contract/ids.ts'
import { holdDirect } from '../messages/directs.service.ts'
import { announceSightGained, announceSightLost } from '../pings/pings.service.ts'
import { type Announce } from '../platform/changes.ts'
import { type Db } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { deleteFriendship, findFriendship, insertFriendship, lockPair } from './friends.queries.ts'
import { type FriendsDeps } from './friends.service.ts'

/** By either side. The other sees the friendship and the pings vanish, and nothing that says why. */
export async function removeFriend(
  { pool, changes, now }: FriendsDeps,
  callerId: UserId,
  friendshipId: FriendshipId,
): Promise<void> {
  await changes.commit(pool, async (db, announce) => {
    const found = await findFriendship(db, callerId, friendshipId)
    if (!found) throw new Refusal('friend_not_found')
    await lockPair(db, found.requester_id, found.requested_id)
    // Read again: whoever held the pair may have ended it.
    const friendship = await findFriendship(db, callerId, friendshipId)
    if (!friendship) throw new Refusal('friend_not_found')
    await endFriendship(db, announce, friendship, now())
  })
}

/** Makes the two of an accepted request friends. Needs the pair locked. */
export async function startFriendship(
  { presence }: Pick<FriendsDeps, 'presence'>,
  db: Db,
  announce: Announce,
  { from_user_id: requesterId, to_user_id: requestedId }: FriendRequestRow,
  now: Date,
): Promise<FriendshipRow> {
  const id = newId<FriendshipId>()
  const friendship = await insertFriendship(db, { id, requesterId, requestedId, now })
  announce.insert('friendships', friendship, [requesterId, requestedId])
  announceOnline(announce, friendship, await presence.onlineAmong([requesterId, requestedId]))
  // Pings that one sent the other while they were friends before.
  await announceSightGained(db, announce, requesterId, requestedId, now)
  announce.friendsChanged(requesterId, requestedId)
  return friendship
}

/** The friendship does not say who of the two is online, and they may stay so for long without a change. */
function announceOnline(announce: Announce, friendship: FriendshipRow, online: ReadonlySet<UserId>): void {
  const { requester_id, requester_username, requester_has_image } = friendship
  const { requested_id, requested_username, requested_has_image } = friendship
  const requester = { id: requester_id, username: requester_username, has_image: requester_has_image }
  const requested = { id: requested_id, username: requested_username, has_image: requested_has_image }
  for (const [one, other] of [
    [requester, requested],
    [requested, requester],
  ] as const) {
    if (!online.has(one.id)) continue
    announce.update('users', { ...one, is_online: true }, { ...one, is_online: false }, [other.id])
  }
}

/** Needs the pair locked. */
export async function endFriendship(db: Db, announce: Announce, friendship: FriendshipRow, now: Date): Promise<void> {
  const { requester_id: a, requested_id: b } = friendship
  // While they are still friends: afterwards nobody could tell what each of them saw.
  await announceSightLost(db, announce, a, b, now)
  await holdDirect(db, a, b)
  await deleteFriendship(db, friendship.id)
  announce.delete('friendships', friendship, [a, b])
  announce.friendsChanged(a, b)
}
