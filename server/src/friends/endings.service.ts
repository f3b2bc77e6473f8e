import { type UserId } from '@hither/contract/ids.ts'
import { type Announce } from '../platform/changes.ts'
import { Moved } from '../platform/conflicts.ts'
import { type Db } from '../platform/database.ts'
import * as queries from './friends.queries.ts'
import { endFriendship } from './friendships.service.ts'
import { withdrawRequest } from './requests.service.ts'

/**
 * Holds a person and everyone they have to do with until the transaction ends, all in one order, as who holds a pair does.
 * Throws `Moved` where someone came to be among them meanwhile: then it all has to begin again.
 */
export async function lockRelations(db: Db, userId: UserId): Promise<void> {
  const before = [userId, ...(await queries.listRelatedIds(db, userId))]
  await queries.lockPeople(db, before)
  const after = await queries.listRelatedIds(db, userId)
  if (after.some((id) => !before.includes(id))) throw new Moved()
}

/** All friendships and requests of a person, as if each had been ended. Needs `lockRelations`. */
export async function endAllRelations(db: Db, announce: Announce, userId: UserId, now: Date): Promise<void> {
  for (const request of await queries.listRequests(db, userId)) await withdrawRequest(db, announce, request)
  for (const friendship of await queries.listFriendships(db, userId)) await endFriendship(db, announce, friendship, now)
}

/** Joins the caller's transaction. Blocks by others stay, or emptying an account would be a way around them. */
export async function eraseOwnBlocks(db: Db, userId: UserId): Promise<void> {
  await queries.deleteBlocksBy(db, userId)
}
