import { type Static, Type } from 'typebox'
import { identityProof } from './identity-proof.ts'
import { ConversationId, PingId, SessionId, UserId } from './ids.ts'
import { ModerationExport } from './moderation.ts'
import { NotificationExport } from './notifications.ts'
import { type Operation } from './operation.ts'
import { Ping } from './pings.ts'
import { NoContent, nullable, Timestamp, text } from './values.ts'

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
  rateLimits: [{ by: 'person', max: 60, seconds: 3600 }],
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
  rateLimits: [{ by: 'person', max: 60, seconds: 60 }],
} as const satisfies Operation

const PersonSince = Type.Object({ username: Type.String(), created_at: Timestamp })

/** All that the service holds on the caller. Of others it tells their username and nothing else. */
export const AccountExport = Type.Object({
  exported_at: Timestamp,
  account: Type.Object({ ...User.properties, has_password: Type.Boolean() }),
  identities: Type.Array(Type.Object({ issuer: Type.String(), subject: Type.String(), created_at: Timestamp })),
  sessions: Type.Array(
    Type.Object({
      id: SessionId,
      device: nullable(Type.String()),
      created_at: Timestamp,
      last_used_at: Timestamp,
      expires_at: Timestamp,
      ended_at: nullable(Timestamp),
    }),
  ),
  known_devices: Type.Array(
    Type.Object({ last_used_at: Timestamp }, { description: 'Devices that guesses at the password do not delay' }),
  ),
  friends: Type.Array(PersonSince),
  friend_requests_sent: Type.Array(PersonSince),
  friend_requests_received: Type.Array(PersonSince),
  blocked: Type.Array(PersonSince),
  images: Type.Array(
    Type.Object({
      ping_id: nullable(PingId),
      width: Type.Integer(),
      height: Type.Integer(),
      bytes: Type.Integer(),
      created_at: Timestamp,
    }),
  ),
  pings: Type.Array(Ping),
  invitations: Type.Array(Type.Object({ ping_id: PingId, username: Type.String(), has_seen: Type.Boolean() })),
  responses: Type.Array(
    Type.Object({
      ping_id: PingId,
      username: Type.String({ description: 'Whose ping it is' }),
      response_type: Type.String(),
      created_at: Timestamp,
      updated_at: Timestamp,
    }),
  ),
  conversations: Type.Array(
    Type.Object({
      id: ConversationId,
      type: Type.String(),
      name: nullable(Type.String()),
      username: nullable(Type.String({ description: 'With whom, where it is direct' })),
      role: Type.String(),
      joined_at: Timestamp,
      last_read_seq: Type.Integer(),
      read_at: Timestamp,
    }),
  ),
  messages: Type.Array(
    Type.Object({
      conversation_id: ConversationId,
      seq: Type.Integer(),
      content: Type.String(),
      created_at: Timestamp,
    }),
  ),
  conversations_removed_from: Type.Array(Type.Object({ conversation_id: ConversationId, removed_at: Timestamp })),
  notifications: NotificationExport,
  moderation: ModerationExport,
})
export type AccountExport = Static<typeof AccountExport>

export const exportAccount = {
  method: 'GET',
  path: '/users/me/export',
  tag: 'users',
  summary: 'All that the service holds on the caller, to be saved',
  auth: 'required',
  download: 'hither-export.json',
  replies: { 200: AccountExport },
  rateLimits: [{ by: 'person', max: 10, seconds: 3600 }],
} as const satisfies Operation

export const deleteAccount = {
  method: 'DELETE',
  path: '/users/me',
  tag: 'users',
  summary:
    'Erase the account and all that hangs on it; needs the password, or where there is none a fresh identity token',
  auth: 'required',
  body: Type.Object({ password: Type.Optional(text({ maxLength: 256 })), ...identityProof }),
  replies: { 204: NoContent },
  refusals: ['wrong_password', 'identity_required', 'invalid_identity_token', 'identity_provider_unreachable'],
  rateLimits: [{ by: 'person', max: 10, seconds: 900 }],
} as const satisfies Operation
