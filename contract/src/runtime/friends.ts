import type { Address } from '../operation.ts'

/** Replaces the name of a user whom a block hides. */
export const blockedUserName = 'Blocked user'

export const listFriends = {
  method: 'GET',
  path: '/friends/',
  auth: 'required',
} as const satisfies Address

export const listReceivedRequests = {
  method: 'GET',
  path: '/friends/requests/received',
  auth: 'required',
} as const satisfies Address

export const listSentRequests = {
  method: 'GET',
  path: '/friends/requests/sent',
  auth: 'required',
} as const satisfies Address

export const sendFriendRequest = {
  method: 'POST',
  path: '/friends/request',
  auth: 'required',
} as const satisfies Address

export const respondToFriendRequest = {
  method: 'PATCH',
  path: '/friends/:id/respond',
  auth: 'required',
} as const satisfies Address

export const removeFriend = {
  method: 'DELETE',
  path: '/friends/:id',
  auth: 'required',
} as const satisfies Address

export const blockUser = {
  method: 'POST',
  path: '/friends/block/:username',
  auth: 'required',
} as const satisfies Address

export const unblockUser = {
  method: 'DELETE',
  path: '/friends/block/:username',
  auth: 'required',
} as const satisfies Address

export const listBlocked = {
  method: 'GET',
  path: '/friends/blocked',
  auth: 'required',
} as const satisfies Address
