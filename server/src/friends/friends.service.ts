import type { Friend, ReceivedRequest, SentRequest } from '@hither/contract/friends.ts'
import type { FriendRequestId, UserId } from '@hither/contract/ids.ts'
import type { Changes } from '../events/changes.ts'
import type { Pool } from '../platform/db/database.ts'
import type { Page } from '../platform/http/pages.ts'
import type { Presence } from '../presence/presence.ts'
import * as queries from './friends.queries.ts'

export interface FriendsDeps {
  pool: Pool
  changes: Changes
  presence: Presence
  now: () => Date
}

/** Lists the friends of a user by username. */
export async function listFriends(
  { pool, presence }: FriendsDeps,
  viewerId: UserId,
  page: Page<UserId>,
): Promise<Friend[]> {
  const rows = await queries.listFriends(pool, viewerId, page)
  const online = await presence.onlineAmong(rows.map((row) => row.user_id))
  return rows.map((row) => ({ ...row, is_online: online.has(row.user_id) }))
}

/** Lists the pending requests to a user, newest first. */
export async function listReceivedRequests(
  { pool }: FriendsDeps,
  viewerId: UserId,
  page: Page<FriendRequestId>,
): Promise<ReceivedRequest[]> {
  return queries.listReceivedRequests(pool, viewerId, page)
}

/** Lists the pending requests of a user, newest first. */
export async function listSentRequests(
  { pool }: FriendsDeps,
  viewerId: UserId,
  page: Page<FriendRequestId>,
): Promise<SentRequest[]> {
  return queries.listSentRequests(pool, viewerId, page)
}
