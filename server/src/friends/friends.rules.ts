import type { FriendRequestRow } from '@hither/contract/feeds.ts'
import type { FriendRequestAction } from '@hither/contract/friends.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import type { LockedFriendship, LockedRequest } from '../users/locked-rows.ts'

/** The relation of two users at one moment. */
export interface Relation {
  readonly blockerIds: readonly UserId[]
  readonly friendship: LockedFriendship | undefined
  readonly request: LockedRequest | undefined
}

/**
 * Returns `accept` if the other user's own request to the caller is pending. A block is refused like an unknown user.
 */
export function judgeNewRequest(callerId: UserId, relation: Relation): 'send' | 'accept' {
  if (relation.blockerIds.length > 0) throw new Refusal('user_not_found')
  if (relation.friendship) throw new Refusal('already_friends')
  if (!relation.request) return 'send'
  if (relation.request.from_user_id === callerId) throw new Refusal('friend_request_sent')
  return 'accept'
}

/** Returns the outcome of an action on a request. The receiver may accept or reject, the sender may only cancel. */
export function outcomeOf(
  callerId: UserId,
  request: FriendRequestRow,
  action: FriendRequestAction,
): 'accepted' | 'rejected' | 'cancelled' {
  if (request.from_user_id !== callerId) return action === 'accepted' ? 'accepted' : 'rejected'
  if (action === 'accepted') throw new Refusal('friend_request_not_yours_to_accept')
  return 'cancelled'
}
