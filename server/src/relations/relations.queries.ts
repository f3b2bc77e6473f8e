import type { UserId } from '@hither/contract/ids.ts'
import type { Db } from '../platform/db/database.ts'
import { statement } from '../platform/db/statements.ts'
import { friendsOfUser } from './relations.visibility.ts'

const friendIds = statement`
  select coalesce(json_agg(friend_id), '[]') as ids from ${friendsOfUser} f`

/** Returns all ids in one row. Returned before it runs, so that a test can ask the database for its plan. */
export function listFriendIds(db: Db, userId: UserId) {
  return friendIds<{ ids: UserId[] }>(db, { userId })
}
