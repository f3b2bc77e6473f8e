import type { FriendRequestRow, FriendshipRow } from '@hither/contract/feeds.ts'
import type { LockedUser, LockedUsers } from './user-locks.ts'

/** A friendship whose two users are locked. */
export type LockedFriendship = FriendshipRow & Readonly<Record<'requester_id' | 'requested_id', LockedUser>>

/** A pending request whose two users are locked. */
export type LockedRequest = FriendRequestRow & Readonly<Record<'from_user_id' | 'to_user_id', LockedUser>>

export function lockedFriendship(users: LockedUsers, row: FriendshipRow): LockedFriendship {
  return { ...row, requester_id: users.get(row.requester_id), requested_id: users.get(row.requested_id) }
}

export function lockedRequest(users: LockedUsers, row: FriendRequestRow): LockedRequest {
  return { ...row, from_user_id: users.get(row.from_user_id), to_user_id: users.get(row.to_user_id) }
}
