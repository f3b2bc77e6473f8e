import { type Static, Type } from 'typebox'
import { identityProof } from './auth/identity-proof.ts'
import { CirclesExport } from './circles.ts'
import { faults } from './faults.ts'
import { FriendLinksExport } from './friend-links.ts'
import { ConversationId, PingId, SessionId, UserId } from './ids.ts'
import { ModerationExport } from './moderation.ts'
import { NotificationExport } from './notifications.ts'
import type { Operation } from './operation.ts'
import { OwnPing } from './pings.ts'
import * as runtime from './runtime/users.ts'
import { NameInput, NoContent, nullable, Timestamp, text } from './values.ts'

/** The caller's own account. */
export const User = Type.Object({
  id: UserId,
  email: Type.String(),
  email_confirmed_at: nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  username: Type.String(),
  display_name: nullable(Type.String()),
  has_image: Type.Boolean(),
  auto_join_chats: Type.Boolean(),
  /** The chosen language, or null for automatic. */
  locale: nullable(Type.String()),
})
export type User = Static<typeof User>

/** What any signed-in user may see of another. `is_online` is present only between friends. */
export const PublicUser = Type.Object({
  id: UserId,
  username: Type.String(),
  display_name: nullable(Type.String()),
  has_image: Type.Boolean(),
  created_at: Timestamp,
  is_online: Type.Optional(Type.Boolean()),
})
export type PublicUser = Static<typeof PublicUser>

export const UserLookup = Type.Object({
  username: Type.String(),
  display_name: nullable(Type.String()),
  user_id: UserId,
  has_image: Type.Boolean(),
})
export type UserLookup = Static<typeof UserLookup>

export const getMe = {
  address: 'GET /users/me',
  auth: 'required',
  tag: 'users',
  summary: 'Get the caller',
  replies: { 200: User },
} as const satisfies Operation

export const getUser = {
  address: 'GET /users/:id',
  auth: 'required',
  tag: 'users',
  summary: 'Get another user',
  params: Type.Object({ id: UserId }),
  replies: { 200: PublicUser },
  refusals: ['user_not_found'],
} as const satisfies Operation

export const updateUser = {
  address: 'PATCH /users/:id',
  auth: 'required',
  tag: 'users',
  summary: "Change the caller's profile",
  params: Type.Object({ id: UserId }),
  body: Type.Object({
    username: Type.Optional(
      text({
        minLength: runtime.userLimits.usernameMin,
        maxLength: runtime.userLimits.usernameMax,
        pattern: runtime.userLimits.usernamePattern,
      }),
    ),
    /** Spaces around it are removed. Null removes the display name. A rule of the server checks the rest, with its own text. */
    display_name: Type.Optional(nullable(NameInput)),
    auto_join_chats: Type.Optional(Type.Boolean()),
    /** Null is automatic. A rule of the server checks that the language is listed, with its own text. */
    locale: Type.Optional(nullable(text({ maxLength: 12_000 }))),
  }),
  faults: { 'body.locale': { type: 'locale_unknown', msg: faults.locale_unknown } },
  replies: { 200: User },
  refusals: ['not_own_profile', 'username_taken'],
  rateLimits: [{ by: 'person', max: 60, seconds: 3600 }],
} as const satisfies Operation

export const lookupUser = {
  address: 'POST /users/lookup',
  auth: 'required',
  tag: 'users',
  summary: 'Find a user by exact username, ignoring case',
  body: Type.Object({ username: text({ minLength: 1, maxLength: 100 }) }),
  replies: { 200: UserLookup },
  refusals: ['user_not_found'],
  rateLimits: [{ by: 'person', max: 60, seconds: 60, group: 'look-ups of users' }],
} as const satisfies Operation

const { body: lookedUp, ...lookup } = lookupUser

/** Kept for clients of the previous release: proxies log the address. */
export const lookupUserInAddress = {
  ...lookup,
  address: 'GET /users/lookup/:username',
  params: lookedUp,
  deprecated: true,
} as const satisfies Operation

const PersonSince = Type.Object({ username: Type.String(), created_at: Timestamp })

const ExportedPlace = Type.Object({
  name: nullable(Type.String()),
  address: nullable(Type.String()),
  latitude: Type.Number(),
  longitude: Type.Number(),
})

/** All data that the service stores about the caller. It contains only the usernames of other users. */
export const AccountExport = Type.Object({
  exported_at: Timestamp,
  account: Type.Object({ ...User.properties, has_password: Type.Boolean() }),
  identities: Type.Array(
    Type.Object({
      issuer: Type.String(),
      subject: Type.String(),
      email: nullable(Type.String()),
      created_at: Timestamp,
    }),
  ),
  passkeys: Type.Array(Type.Object({ name: Type.String(), created_at: Timestamp, last_used_at: nullable(Timestamp) })),
  recovery_codes: Type.Integer({ description: 'The number of recovery codes that were not used yet' }),
  security_events: Type.Array(
    Type.Object({
      kind: Type.String(),
      device: nullable(Type.String()),
      created_at: Timestamp,
      seen_at: nullable(Timestamp),
    }),
  ),
  sessions: Type.Array(
    Type.Object({
      id: SessionId,
      device: nullable(Type.String()),
      created_at: Timestamp,
      last_used_at: Timestamp,
      expires_at: Timestamp,
      ended_at: nullable(Timestamp),
      method: nullable(Type.String()),
      locale: nullable(Type.String()),
    }),
  ),
  known_devices: Type.Array(
    Type.Object(
      { last_used_at: Timestamp },
      { description: 'Known devices, whose sign-ins are not delayed when somebody guesses the password' },
    ),
  ),
  friends: Type.Array(PersonSince),
  friend_requests_sent: Type.Array(PersonSince),
  friend_requests_received: Type.Array(PersonSince),
  blocked: Type.Array(PersonSince),
  circles: CirclesExport,
  ...FriendLinksExport.properties,
  images: Type.Array(
    Type.Object({
      ping_id: nullable(PingId),
      width: Type.Integer(),
      height: Type.Integer(),
      bytes: Type.Integer(),
      created_at: Timestamp,
    }),
  ),
  pings: Type.Array(OwnPing),
  invitations: Type.Array(Type.Object({ ping_id: PingId, username: Type.String(), has_seen: Type.Boolean() })),
  responses: Type.Array(
    Type.Object({
      ping_id: PingId,
      username: Type.String({ description: 'The owner of the ping' }),
      response_type: Type.String(),
      revision: Type.Integer(),
      created_at: Timestamp,
      updated_at: Timestamp,
    }),
  ),
  trips: Type.Array(
    Type.Object({
      ping_id: PingId,
      username: Type.String({ description: 'The owner of the ping' }),
      state: Type.String(),
      arrives_at: Timestamp,
      started_at: Timestamp,
      updated_at: Timestamp,
    }),
    { description: 'The arrival times that the caller shares at the moment' },
  ),
  guest_responses: Type.Array(
    Type.Object({
      ping_id: PingId,
      username: Type.String({ description: 'The owner of the ping' }),
      response_type: Type.String(),
      revision: Type.Integer(),
      created_at: Timestamp,
      updated_at: Timestamp,
    }),
  ),
  conversations: Type.Array(
    Type.Object({
      id: ConversationId,
      type: Type.String(),
      name: nullable(Type.String()),
      username: nullable(Type.String({ description: 'The other participant of a direct conversation' })),
      role: Type.String(),
      joined_at: Timestamp,
      last_read_seq: Type.Integer(),
      read_at: Timestamp,
      pinned_at: nullable(Timestamp),
      archived_at: nullable(Timestamp),
      erase_at: nullable(Timestamp),
      kept_at: nullable(Timestamp),
      asked_to_keep: Type.Boolean(),
    }),
  ),
  messages: Type.Array(
    Type.Object({
      conversation_id: ConversationId,
      seq: Type.Integer(),
      content: Type.String(),
      created_at: Timestamp,
      edited_at: nullable(Timestamp),
      caption: nullable(Type.String({ description: 'Of a photo or a place; null for a text' })),
      has_photo: Type.Boolean(),
      place: Type.Union([ExportedPlace, Type.Null()]),
    }),
  ),
  reactions: Type.Array(
    Type.Object({
      conversation_id: ConversationId,
      message_seq: Type.Integer(),
      emoji: Type.String(),
      created_at: Timestamp,
    }),
  ),
  conversations_removed_from: Type.Array(Type.Object({ conversation_id: ConversationId, removed_at: Timestamp })),
  conversations_left: Type.Array(Type.Object({ conversation_id: ConversationId, left_at: Timestamp })),
  notifications: NotificationExport,
  moderation: ModerationExport,
})
export type AccountExport = Static<typeof AccountExport>

const exportLimits = [{ by: 'person', max: 10, seconds: 3600, group: 'account export' }] as const

export const exportAccount = {
  address: 'GET /users/me/export',
  auth: 'required',
  download: runtime.exportFileName,
  tag: 'users',
  summary: 'Export all data that the server stores about the caller; needs a recent sign-in',
  replies: { 200: AccountExport },
  refusals: ['recent_sign_in_required', 'export_running', 'disk_low', 'server_busy'],
  rateLimits: exportLimits,
} as const satisfies Operation

/** For a caller who proves themselves with their password, which no URL may contain. */
export const exportAccountWithPassword = {
  address: 'POST /users/me/export',
  auth: 'required',
  download: runtime.exportFileName,
  tag: 'users',
  summary: 'Export all data that the server stores about the caller; needs a recent sign-in or the password',
  body: Type.Object({ password: Type.Optional(text({ maxLength: 256 })) }),
  isBodyOptional: true,
  replies: { 200: AccountExport },
  refusals: ['recent_sign_in_required', 'wrong_password', 'export_running', 'disk_low', 'server_busy'],
  rateLimits: exportLimits,
} as const satisfies Operation

export const deleteAccount = {
  address: 'DELETE /users/me',
  auth: 'required',
  tag: 'users',
  summary:
    'Delete the account and all its data; requires the password or, for an account without one, a fresh identity token',
  body: Type.Object({ password: Type.Optional(text({ maxLength: 256 })), ...identityProof }),
  replies: { 204: NoContent },
  refusals: [
    'wrong_password',
    'identity_required',
    'recent_sign_in_required',
    'invalid_identity_token',
    'identity_provider_unreachable',
  ],
  rateLimits: [{ by: 'person', max: 10, seconds: 900 }],
} as const satisfies Operation
