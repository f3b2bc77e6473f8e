import { type Static, Type } from 'typebox'
import { FriendRequestId, FriendshipId, UserId } from './ids.ts'
import type { Operation } from './operation.ts'
import { NoContent, nullable, oneOf, page, Timestamp, text } from './values.ts'

/** `id` is the id of the friendship, `user_id` that of the friend. */
export const Friend = Type.Object({
  id: FriendshipId,
  user_id: UserId,
  username: Type.String(),
  display_name: nullable(Type.String()),
  has_image: Type.Boolean(),
  is_online: Type.Boolean(),
  created_at: Timestamp,
})
export type Friend = Static<typeof Friend>

export const ReceivedRequest = Type.Object({
  id: FriendRequestId,
  requester_id: UserId,
  requester_username: Type.String(),
  requester_display_name: nullable(Type.String()),
  has_image: Type.Boolean(),
  created_at: Timestamp,
})
export type ReceivedRequest = Static<typeof ReceivedRequest>

export const SentRequest = Type.Object({
  id: FriendRequestId,
  requested_id: UserId,
  requested_username: Type.String(),
  requested_display_name: nullable(Type.String()),
  has_image: Type.Boolean(),
  created_at: Timestamp,
})
export type SentRequest = Static<typeof SentRequest>

export const FriendRequestStatus = oneOf(['pending', 'accepted', 'rejected'])
export type FriendRequestStatus = Static<typeof FriendRequestStatus>

/** `declined` and `rejected` mean the same. The server stores and announces both as `rejected`. */
export const FriendRequestAction = oneOf(['accepted', 'declined', 'rejected'])
export type FriendRequestAction = Static<typeof FriendRequestAction>

export const BlockedUser = Type.Object({
  user_id: UserId,
  username: Type.String(),
  display_name: nullable(Type.String()),
  created_at: Timestamp,
})
export type BlockedUser = Static<typeof BlockedUser>

const UsernameParam = Type.Object({ username: text({ minLength: 1, maxLength: 100 }) })

export const listFriends = {
  address: 'GET /friends/',
  auth: 'required',
  tag: 'friends',
  summary: "List the caller's friends, by username",
  query: page(UserId),
  replies: { 200: Type.Array(Friend) },
} as const satisfies Operation

export const listReceivedRequests = {
  address: 'GET /friends/requests/received',
  auth: 'required',
  tag: 'friends',
  summary: 'List pending requests to the caller, newest first',
  query: page(FriendRequestId),
  replies: { 200: Type.Array(ReceivedRequest) },
} as const satisfies Operation

export const listSentRequests = {
  address: 'GET /friends/requests/sent',
  auth: 'required',
  tag: 'friends',
  summary: 'List pending requests from the caller, newest first',
  query: page(FriendRequestId),
  replies: { 200: Type.Array(SentRequest) },
} as const satisfies Operation

export const sendFriendRequest = {
  address: 'POST /friends/request',
  auth: 'required',
  tag: 'friends',
  summary: 'Send a friend request; accepts at once if the other user has already sent one',
  body: Type.Object({ username: text({ minLength: 1, maxLength: 100 }) }),
  replies: {
    201: Type.Object({
      id: Type.Unsafe<FriendRequestId | FriendshipId>({ type: 'string', format: 'uuid' }),
      status: oneOf(['pending', 'accepted']),
      user_id: UserId,
      username: Type.String(),
      display_name: nullable(Type.String()),
    }),
  },
  refusals: ['user_not_found', 'own_friend_request', 'already_friends', 'friend_request_sent'],
  rateLimits: [{ by: 'person', max: 60, seconds: 3600 }],
} as const satisfies Operation

export const respondToFriendRequest = {
  address: 'PATCH /friends/:id/respond',
  auth: 'required',
  tag: 'friends',
  summary: 'Accept or reject a friend request; the sender may only reject, which cancels it',
  params: Type.Object({ id: FriendRequestId }),
  body: Type.Object({ action: FriendRequestAction }),
  replies: { 200: Type.Object({ id: FriendRequestId, status: FriendRequestStatus }) },
  refusals: ['friend_request_not_found', 'friend_request_not_yours_to_accept'],
} as const satisfies Operation

export const removeFriend = {
  address: 'DELETE /friends/:id',
  auth: 'required',
  tag: 'friends',
  summary: 'End a friendship; either friend may',
  params: Type.Object({ id: FriendshipId }),
  replies: { 204: NoContent },
  refusals: ['friend_not_found'],
} as const satisfies Operation

export const blockUser = {
  address: 'POST /friends/block/:username',
  auth: 'required',
  tag: 'friends',
  summary: 'Block a user: ends the friendship and requests and hides the users from each other; idempotent',
  params: UsernameParam,
  replies: { 204: NoContent },
  refusals: ['user_not_found'],
  rateLimits: [{ by: 'person', max: 60, seconds: 3600 }],
} as const satisfies Operation

export const unblockUser = {
  address: 'DELETE /friends/block/:username',
  auth: 'required',
  tag: 'friends',
  summary: 'Unblock a user',
  params: UsernameParam,
  replies: { 204: NoContent },
} as const satisfies Operation

export const listBlocked = {
  address: 'GET /friends/blocked',
  auth: 'required',
  tag: 'friends',
  summary: 'List the users that the caller has blocked',
  query: page(UserId),
  replies: { 200: Type.Array(BlockedUser) },
} as const satisfies Operation
