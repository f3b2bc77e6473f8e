import type { Address } from '../operation.ts'

/** In the order in which they are listed. */
export const storedKinds = [
  'exact_places',
  'pins',
  'responses',
  'trips',
  'messages',
  'photos',
  'places',
  'reactions',
  'chats',
  'friends',
  'friend_requests',
  'blocked_people',
  'circles',
  'pictures',
  'devices',
  'sign_in_methods',
  'friend_links',
  'security_events',
  'reports_made',
  'account',
] as const

export const getStoredData = {
  method: 'GET',
  path: '/users/me/stored-data',
  auth: 'required',
} as const satisfies Address
