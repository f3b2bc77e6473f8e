import type { UserId } from '@hither/contract/ids.ts'
import type { Announce } from '../events/changes.ts'
import { listOwnersOfGuest } from '../pings/guests/guest-endings.service.ts'
import { ConcurrentChangeError } from '../platform/db/conflicts.ts'
import type { Tx } from '../platform/db/database.ts'
import { lockedFriendship, lockedRequest } from '../users/locked-rows.ts'
import { type LockedUsers, lockUsers } from '../users/user-locks.ts'
import * as queries from './friends.queries.ts'
import { endFriendship } from './friendships.service.ts'
import { withdrawRequest } from './requests.service.ts'

declare const areRelations: unique symbol

/** A user and everyone whom the end of their account concerns. */
type LockedRelations = LockedUsers & { readonly [areRelations]: true }

/**
 * Locks a user, everyone that a friendship or a request ties to them, and the owners of the pings at which they are a guest, until the transaction ends. Throws
 * `ConcurrentChangeError` if another user became one of them meanwhile: the caller starts the transaction again.
 */
export async function lockRelations(tx: Tx, userId: UserId): Promise<LockedRelations> {
  const related = async () => [...(await queries.listRelatedIds(tx, userId)), ...(await listOwnersOfGuest(tx, userId))]
  const before = [userId, ...(await related())]
  const users = await lockUsers(tx, before)
  const after = await related()
  if (after.some((id) => !before.includes(id))) throw new ConcurrentChangeError()
  return users as LockedRelations
}

/** Ends all friendships and requests of a user and announces each. */
export async function endAllRelations(
  tx: Tx,
  announce: Announce,
  users: LockedRelations,
  userId: UserId,
  now: Date,
): Promise<void> {
  for (const request of await queries.listRequests(tx, userId))
    await withdrawRequest(tx, announce, lockedRequest(users, request))
  for (const friendship of await queries.listFriendships(tx, userId))
    await endFriendship(tx, announce, lockedFriendship(users, friendship), now)
}

/**
 * Deletes the blocks by a user. Blocks by others stay; otherwise users could escape
 * them by emptying their account.
 */
export async function eraseOwnBlocks(tx: Tx, userId: UserId): Promise<void> {
  await queries.deleteBlocksBy(tx, userId)
}
