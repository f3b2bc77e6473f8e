import type { UserId } from '@hither/contract/ids.ts'
import type { Db } from '../platform/db/database.ts'
import * as queries from './relations.queries.ts'

/** Returns the ids of the current friends of a user. */
export async function listFriendIds(db: Db, userId: UserId): Promise<UserId[]> {
  const [row] = await queries.listFriendIds(db, userId)
  return row?.ids ?? []
}
