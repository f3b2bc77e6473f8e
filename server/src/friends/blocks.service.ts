import type { BlockedUser } from '@hither/contract/friends.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { Announce } from '../events/changes.ts'
import { hideDirect, showDirect } from '../messages/directs.service.ts'
import { deleteGuestsBetween } from '../pings/guests/guest-endings.service.ts'
import { announceResponsesBetween, listOwnersOfShared } from '../pings/ping-audience.service.ts'
import type { Tx } from '../platform/db/database.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import type { Page } from '../platform/http/pages.ts'
import { type LockedUsers, lockUsers } from '../users/user-locks.ts'
import * as queries from './friends.queries.ts'
import type { FriendsDeps } from './friends.service.ts'
import { endFriendship } from './friendships.service.ts'
import { findRelation, withdrawRequest } from './requests.service.ts'

/**
 * Blocks a user: ends the friendship and requests and hides each from the other. Idempotent. A user who has blocked the
 * caller is refused as if they did not exist, so that the answer does not reveal the block.
 */
export async function blockUser(
  { pool, changes, now }: FriendsDeps,
  callerId: UserId,
  username: string,
): Promise<void> {
  await changes.commit(pool, async (tx, announce) => {
    const userId = await queries.findBlockableByName(tx, callerId, username)
    if (!userId || userId === callerId) throw new Refusal('user_not_found')
    const users = await lockPairAndOwners(tx, callerId, userId)
    if (!users.has(callerId) || !users.has(userId)) throw new Refusal('user_not_found')
    const blockerIds = await queries.listBlockersBetween(tx, callerId, userId)
    if (blockerIds.includes(userId)) throw new Refusal('user_not_found')
    await makeBlock(tx, announce, users, { blockerId: callerId, blockedId: userId, now: now() })
  })
}

interface Block {
  readonly blockerId: UserId
  readonly blockedId: UserId
  readonly now: Date
}

/** Makes the block and ends what it ends. */
export async function makeBlock(tx: Tx, announce: Announce, users: PairAndOwners, block: Block): Promise<void> {
  const { now } = block
  const [blockerId, blockedId] = [users.get(block.blockerId), users.get(block.blockedId)]
  const { blockerIds, friendship, request } = await findRelation(tx, users, blockerId, blockedId)
  if (blockerIds.length === 0) await announceResponsesBetween(tx, announce, [blockerId, blockedId], 'delete', now)
  await deleteGuestsBetween(tx, announce, [blockerId, blockedId], now)
  await queries.insertBlock(tx, { blockerId, blockedId, now })
  if (request) await withdrawRequest(tx, announce, request)
  if (friendship) await endFriendship(tx, announce, friendship, now)
  if (blockerIds.length === 0) await hideDirect(tx, announce, blockerId, blockedId)
}

/** Repeats, in a restored database, that a block was lifted. Nobody is connected, so nothing is announced. */
export const liftBlock = queries.deleteBlock

/**
 * Unblocks a user. Restores only the direct conversation. Succeeds also if the user is not blocked or does not exist.
 */
export async function unblockUser(
  { pool, changes, now }: FriendsDeps,
  callerId: UserId,
  username: string,
): Promise<void> {
  await changes.commit(pool, async (tx, announce) => {
    const userId = await queries.findBlockedByName(tx, callerId, username)
    if (!userId) return
    // If two users unblock each other concurrently, the one who waits sees that no block is left.
    const users = await lockPairAndOwners(tx, callerId, userId)
    if (!(await queries.deleteBlock(tx, callerId, userId))) return
    const blockerIds = await queries.listBlockersBetween(tx, callerId, userId)
    if (blockerIds.length > 0) return
    const [caller, other] = [users.get(callerId), users.get(userId)]
    await announceResponsesBetween(tx, announce, [caller, other], 'insert', now())
    await showDirect(tx, announce, caller, other)
  })
}

declare const hasOwners: unique symbol

/** Two users and the owners of the pings that they share. */
type PairAndOwners = LockedUsers & { readonly [hasOwners]: true }

/**
 * Locks both users and the owners of the pings to which both are invited, so that the audience of their responses does
 * not change.
 */
export async function lockPairAndOwners(tx: Tx, a: UserId, b: UserId): Promise<PairAndOwners> {
  return (await lockUsers(tx, [a, b, ...(await listOwnersOfShared(tx, a, b))])) as PairAndOwners
}

/** Lists the users whom the viewer has blocked, the latest first. */
export async function listBlocked({ pool }: FriendsDeps, viewerId: UserId, page: Page<UserId>): Promise<BlockedUser[]> {
  return queries.listBlocked(pool, viewerId, page)
}
