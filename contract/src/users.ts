import { type Static, Type } from 'typebox'
import { UserId } from './ids.ts'
import { type Operation } from './operation.ts'
import { nullable, Timestamp, text } from './values.ts'

export const userLimits = {
  usernameMin: 2,
  usernameMax: 30,
  usernamePattern: '^[A-Za-z0-9_.-]+$',
} as const

/** The caller's own account. */
export const User = Type.Object({
  id: UserId,
  email: Type.String(),
  email_confirmed_at: nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  username: Type.String(),
  has_image: Type.Boolean(),
  auto_join_chats: Type.Boolean(),
})
export type User = Static<typeof User>

/** What any signed-in person may see of another; `is_online` only between friends. */
export const PublicUser = Type.Object({
  id: UserId,
  username: Type.String(),
  has_image: Type.Boolean(),
  created_at: Timestamp,
  is_online: Type.Optional(Type.Boolean()),
})
export type PublicUser = Static<typeof PublicUser>

export const UserLookup = Type.Object({ username: Type.String(), user_id: UserId, has_image: Type.Boolean() })
export type UserLookup = Static<typeof UserLookup>

export const getMe = {
  method: 'GET',
  path: '/users/me',
  tag: 'users',
  summary: 'The caller',
  auth: 'required',
  replies: { 200: User },
} as const satisfies Operation

export const getUser = {
  method: 'GET',
  path: '/users/:id',
  tag: 'users',
  summary: 'Another user',
  auth: 'required',
  params: Type.Object({ id: UserId }),
  replies: { 200: PublicUser },
  refusals: ['user_not_found'],
} as const satisfies Operation

export const updateUser = {
  method: 'PATCH',
  path: '/users/:id',
  tag: 'users',
  summary: "Change one's own profile",
  auth: 'required',
  params: Type.Object({ id: UserId }),
  body: Type.Object({
    username: Type.Optional(
      text({
        minLength: userLimits.usernameMin,
        maxLength: userLimits.usernameMax,
        pattern: userLimits.usernamePattern,
      }),
    ),
    auto_join_chats: Type.Optional(Type.Boolean()),
  }),
  replies: { 200: User },
  refusals: ['not_own_profile', 'username_taken'],
} as const satisfies Operation

export const lookupUser = {
  method: 'GET',
  path: '/users/lookup/:username',
  tag: 'users',
  summary: 'Find a person by their exact username, without regard to case',
  auth: 'required',
  params: Type.Object({ username: text({ minLength: 1, maxLength: 100 }) }),
  replies: { 200: UserLookup },
  refusals: ['user_not_found'],
} as const satisfies Operation
