import { type BlockedUser } from '@hither/contract/friends.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { hideDirect, showDirect } from '../messages/directs.service.ts'
import { announceResponsesBetween, listOwnersOfShared } from '../pings/pings.service.ts'
import { type Db } from '../platform/database.ts'
import { Refusal } from '../platform/refusal.ts'
import * as queries from './friends.queries.ts'
import { type FriendsDeps } from './friends.service.ts'
import { endFriendship } from './friendships.service.ts'
import { findRelation, withdrawRequest } from './requests.service.ts'

/**
 * Ends friendship and requests, and hides each from the other. Again changes nothing. Someone who has blocked the caller
 * is refused as if they did not exist, or the answer would tell of it.
 */
export async function blockUser(
  { pool, changes, now }: FriendsDeps,
  callerId: UserId,
  username: string,
): Promise<void> {
  await changes.commit(pool, async (db, announce) => {
    const userId = await queries.findBlockableByName(db, callerId, username)
    if (!userId || userId === callerId) throw new Refusal('user_not_found')
    await lockPairAndOwners(db, callerId, userId)
    if ((await queries.lockPair(db, callerId, userId)) < 2) throw new Refusal('user_not_found')
    const { blockerIds, friendship, request } = await findRelation(db, callerId, userId)
    if (blockerIds.includes(userId)) throw new Refusal('user_not_found')
    if (!blockerIds.includes(callerId))
      await announceResponsesBetween(db, announce, [callerId, userId], 'delete', now())
    await queries.insertBlock(db, { blockerId: callerId, blockedId: userId, now: now() })
    if (request) await withdrawRequest(db, announce, request)
    if (friendship) await endFriendship(db, announce, friendship, now())
    if (!blockerIds.includes(callerId)) await hideDirect(db, announce, callerId, userId)
  })
}

/** Gives back nothing of what the block ended but the direct conversation. Whoever is not blocked, or does not exist, is unblocked already. */
export async function unblockUser(
  { pool, changes, now }: FriendsDeps,
  callerId: UserId,
  username: string,
): Promise<void> {
  await changes.commit(pool, async (db, announce) => {
    const userId = await queries.findBlockedByName(db, callerId, username)
    if (!userId) return
    // Of two who unblock one another at once, the one who waits sees that no block is left.
    await lockPairAndOwners(db, callerId, userId)
    if (!(await queries.deleteBlock(db, callerId, userId))) return
    const blockerIds = await queries.listBlockersBetween(db, callerId, userId)
    if (blockerIds.length > 0) return
    await announceResponsesBetween(db, announce, [callerId, userId], 'insert', now())
    await showDirect(db, announce, callerId, userId)
  })
}

/** Locks both, and the owners of the pings to which both are invited, so that the audience of their responses stays. */
async function lockPairAndOwners(db: Db, a: UserId, b: UserId): Promise<void> {
  await queries.lockPeople(db, [a, b, ...(await listOwnersOfShared(db, a, b))])
}

/** Latest first. */
export async function listBlocked({ pool }: FriendsDeps, viewerId: UserId): Promise<BlockedUser[]> {
  return queries.listBlocked(pool, viewerId)
}
