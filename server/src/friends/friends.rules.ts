import { type FriendRequestRow, type FriendshipRow } from '@hither/contract/feeds.ts'
import { type FriendRequestAction } from '@hither/contract/friends.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { Refusal } from '../platform/refusal.ts'

/** What stands between two people at one moment. */
export interface Relation {
  readonly blockerIds: readonly UserId[]
  readonly friendship: FriendshipRow | undefined
  readonly request: FriendRequestRow | undefined
}

/** `accept`: the other's own request to the caller is waiting. A block is not told from a person who does not exist. */
export function judgeNewRequest(callerId: UserId, relation: Relation): 'send' | 'accept' {
  if (relation.blockerIds.length > 0) throw new Refusal('user_not_found')
  if (relation.friendship) throw new Refusal('already_friends')
  if (!relation.request) return 'send'
  if (relation.request.from_user_id === callerId) throw new Refusal('friend_request_sent')
  return 'accept'
}

/** The person who was asked may answer as they like; the one who asked may only take it back. */
export function outcomeOf(
  callerId: UserId,
  request: FriendRequestRow,
  action: FriendRequestAction,
): 'accepted' | 'rejected' | 'cancelled' {
  if (request.from_user_id !== callerId) return action === 'accepted' ? 'accepted' : 'rejected'
  if (action === 'accepted') throw new Refusal('friend_request_not_yours_to_accept')
  return 'cancelled'
}
