import { type Friend, type ReceivedRequest, type SentRequest } from '@hither/contract/friends.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { type Changes } from '../platform/changes.ts'
import { type Db, type Pool } from '../platform/database.ts'
import { type Presence } from '../platform/presence.ts'
import * as queries from './friends.queries.ts'

export interface FriendsDeps {
  pool: Pool
  changes: Changes
  presence: Presence
  now: () => Date
}

/** Everyone who is a friend of this person at this moment. Joins the caller's transaction. */
export async function listFriendIds(db: Db, userId: UserId): Promise<UserId[]> {
  const [row] = await queries.listFriendIds(db, userId)
  return row?.ids ?? []
}

/** By username. */
export async function listFriends({ pool, presence }: FriendsDeps, viewerId: UserId): Promise<Friend[]> {
  const rows = await queries.listFriends(pool, viewerId)
  const online = await presence.onlineAmong(rows.map((row) => row.user_id))
  return rows.map((row) => ({ ...row, is_online: online.has(row.user_id) }))
}

/** Newest first. */
export async function listReceivedRequests({ pool }: FriendsDeps, viewerId: UserId): Promise<ReceivedRequest[]> {
  return queries.listReceivedRequests(pool, viewerId)
}

/** Newest first. */
export async function listSentRequests({ pool }: FriendsDeps, viewerId: UserId): Promise<SentRequest[]> {
  return queries.listSentRequests(pool, viewerId)
}
