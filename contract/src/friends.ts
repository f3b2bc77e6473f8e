import { type Static, Type } from 'typebox'
import { FriendRequestId, FriendshipId, UserId } from './ids.ts'
import { type Operation } from './operation.ts'
import { NoContent, oneOf, Timestamp, text } from './values.ts'

/** Stands for the name of someone whom a block hides. */
export const blockedUserName = 'Blocked user'

/** `id` names the friendship, `user_id` the friend. */
export const Friend = Type.Object({
  id: FriendshipId,
  user_id: UserId,
  username: Type.String(),
  has_image: Type.Boolean(),
  is_online: Type.Boolean(),
  created_at: Timestamp,
})
export type Friend = Static<typeof Friend>

export const ReceivedRequest = Type.Object({
  id: FriendRequestId,
  requester_id: UserId,
  requester_username: Type.String(),
  has_image: Type.Boolean(),
  created_at: Timestamp,
})
export type ReceivedRequest = Static<typeof ReceivedRequest>

export const SentRequest = Type.Object({
  id: FriendRequestId,
  requested_id: UserId,
  requested_username: Type.String(),
  has_image: Type.Boolean(),
  created_at: Timestamp,
})
export type SentRequest = Static<typeof SentRequest>

export const FriendRequestStatus = oneOf(['pending', 'accepted', 'rejected'])
export type FriendRequestStatus = Static<typeof FriendRequestStatus>

/** `declined` and `rejected` mean the same; stored and announced as `rejected`. */
export const FriendRequestAction = oneOf(['accepted', 'declined', 'rejected'])
export type FriendRequestAction = Static<typeof FriendRequestAction>

export const BlockedUser = Type.Object({ user_id: UserId, username: Type.String(), created_at: Timestamp })
export type BlockedUser = Static<typeof BlockedUser>

const UsernameParam = Type.Object({ username: text({ minLength: 1, maxLength: 100 }) })

export const listFriends = {
  method: 'GET',
  path: '/friends/',
  tag: 'friends',
  summary: "The caller's friends, by username",
  auth: 'required',
  replies: { 200: Type.Array(Friend) },
} as const satisfies Operation

export const listReceivedRequests = {
  method: 'GET',
  path: '/friends/requests/received',
  tag: 'friends',
  summary: 'Requests waiting for the caller, newest first',
  auth: 'required',
  replies: { 200: Type.Array(ReceivedRequest) },
} as const satisfies Operation

export const listSentRequests = {
  method: 'GET',
  path: '/friends/requests/sent',
  tag: 'friends',
  summary: 'Requests of the caller that wait for an answer, newest first',
  auth: 'required',
  replies: { 200: Type.Array(SentRequest) },
} as const satisfies Operation

export const sendFriendRequest = {
  method: 'POST',
  path: '/friends/request',
  tag: 'friends',
  summary: 'Ask to be friends; accepts at once where the other has already asked',
  auth: 'required',
  body: Type.Object({ username: text({ minLength: 1, maxLength: 100 }) }),
  replies: {
    201: Type.Object({
      id: Type.Unsafe<FriendRequestId | FriendshipId>({ type: 'string', format: 'uuid' }),
      status: oneOf(['pending', 'accepted']),
      user_id: UserId,
      username: Type.String(),
    }),
  },
  refusals: ['user_not_found', 'own_friend_request', 'already_friends', 'friend_request_sent'],
  rateLimits: [{ by: 'person', max: 60, seconds: 3600 }],
} as const satisfies Operation

export const respondToFriendRequest = {
  method: 'PATCH',
  path: '/friends/:id/respond',
  tag: 'friends',
  summary: 'Accept or reject a request; the sender may only reject, which cancels it',
  auth: 'required',
  params: Type.Object({ id: FriendRequestId }),
  body: Type.Object({ action: FriendRequestAction }),
  replies: { 200: Type.Object({ id: FriendRequestId, status: FriendRequestStatus }) },
  refusals: ['friend_request_not_found', 'friend_request_not_yours_to_accept'],
} as const satisfies Operation

export const removeFriend = {
  method: 'DELETE',
  path: '/friends/:id',
  tag: 'friends',
  summary: 'End a friendship, by either side',
  auth: 'required',
  params: Type.Object({ id: FriendshipId }),
  replies: { 204: NoContent },
  refusals: ['friend_not_found'],
} as const satisfies Operation

export const blockUser = {
  method: 'POST',
  path: '/friends/block/:username',
  tag: 'friends',
  summary: 'Block a person: ends friendship and requests and hides each from the other; idempotent',
  auth: 'required',
  params: UsernameParam,
  replies: { 204: NoContent },
  refusals: ['user_not_found'],
  rateLimits: [{ by: 'person', max: 60, seconds: 3600 }],
} as const satisfies Operation

export const unblockUser = {
  method: 'DELETE',
  path: '/friends/block/:username',
  tag: 'friends',
  summary: 'Take a block back',
  auth: 'required',
  params: UsernameParam,
  replies: { 204: NoContent },
} as const satisfies Operation

export const listBlocked = {
  method: 'GET',
  path: '/friends/blocked',
  tag: 'friends',
  summary: 'People the caller has blocked',
  auth: 'required',
  replies: { 200: Type.Array(BlockedUser) },
} as const satisfies Operation

export const friendTexts = {
  requestSent: 'Friend request sent!',
  loadFailed: 'Failed to load friends data',
  requestFailed: 'Failed to send friend request',
  acceptFailed: 'Failed to accept friend request',
  declineFailed: 'Failed to decline friend request',
  cancelFailed: 'Failed to cancel friend request',
  removeFailed: 'Failed to remove friend',
} as const
