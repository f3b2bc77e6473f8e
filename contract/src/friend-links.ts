import { type Static, Type } from 'typebox'
import { FriendLinkId, UserId } from './ids.ts'
import type { Operation } from './operation.ts'
import * as runtime from './runtime/friend-links.ts'
import { NoContent, nullable, oneOf, Timestamp, text } from './values.ts'

/**
 * The code of a friend link, with or without a suffix that is reserved for later. Any string is allowed: a malformed code
 * is refused like an unknown one.
 */
export const FriendCode = Type.String({ maxLength: runtime.friendLinkLimits.codeMax })

/** `qr` is shown as a QR code for a few minutes; `link` is a URL to send. */
export const FriendLinkKind = oneOf(['qr', 'link'])
export type FriendLinkKind = Static<typeof FriendLinkKind>

export const FriendLink = Type.Object({
  id: FriendLinkId,
  kind: FriendLinkKind,
  note: Type.String({ description: 'Only the creator sees it' }),
  requires_approval: Type.Boolean({
    description: 'Whether the people who use the link send a friend request instead of becoming friends at once',
  }),
  admits_signup: Type.Boolean({ description: 'Whether a new account can be created with the link at this moment' }),
  uses_max: Type.Integer(),
  uses_left: Type.Integer(),
  created_at: Timestamp,
  expires_at: Timestamp,
  used_by: Type.Array(Type.Object({ user_id: UserId, username: Type.String(), used_at: Timestamp }), {
    maxItems: runtime.friendLinkLimits.qrUses,
  }),
})
export type FriendLink = Static<typeof FriendLink>

export const CreatedFriendLink = Type.Object({
  ...FriendLink.properties,
  url: Type.String({
    description: 'The secret URL. Returned only once: the server stores only the digest of its code',
  }),
})
export type CreatedFriendLink = Static<typeof CreatedFriendLink>

/** `qr` ignores `uses` and `days`. */
export const NewFriendLink = Type.Object({
  kind: FriendLinkKind,
  uses: Type.Optional(Type.Unsafe<1 | 5 | 20>({ type: 'integer', enum: [1, 5, 20] })),
  days: Type.Optional(Type.Unsafe<1 | 7 | 30>({ type: 'integer', enum: [1, 7, 30] })),
  /** Spaces around it are removed. A rule of the server checks the length of the rest. */
  note: Type.Optional(text({ maxLength: 80 * runtime.friendLinkLimits.noteMax })),
})
export type NewFriendLink = Static<typeof NewFriendLink>

const visitorFields = {
  username: Type.String(),
  requires_approval: Type.Boolean(),
  admits_signup: Type.Boolean(),
  expires_at: Timestamp,
}

export const FriendLinkRelation = oneOf(['none', 'own', 'friends', 'request_sent', 'request_received'])
export type FriendLinkRelation = Static<typeof FriendLinkRelation>

/** What a link shows of its creator. Visitors get only the first four fields. */
export const FriendLinkPreview = Type.Object({
  ...visitorFields,
  user_id: Type.Optional(UserId),
  has_image: Type.Optional(Type.Boolean()),
  relation: Type.Optional(FriendLinkRelation),
})
export type FriendLinkPreview = Static<typeof FriendLinkPreview>

/** What became of the friend link of a sign-up. */
export const FriendLinkResult = Type.Object({
  status: oneOf(['accepted', 'pending', 'invalid']),
  username: nullable(Type.String({ description: 'The creator of the link; null if the link is invalid' })),
})
export type FriendLinkResult = Static<typeof FriendLinkResult>

export const AcceptedFriendLink = Type.Object({
  status: oneOf(['accepted', 'pending']),
  user_id: UserId,
  username: Type.String(),
})
export type AcceptedFriendLink = Static<typeof AcceptedFriendLink>

/** The friend links of a user in the export of their data. */
export const FriendLinksExport = Type.Object({
  friend_links: Type.Array(
    Type.Object({
      kind: FriendLinkKind,
      note: Type.String(),
      requires_approval: Type.Boolean(),
      uses_max: Type.Integer(),
      uses_left: Type.Integer(),
      created_at: Timestamp,
      expires_at: Timestamp,
      revoked_at: nullable(Timestamp),
      used_by: Type.Array(Type.Object({ username: Type.String(), used_at: Timestamp })),
    }),
  ),
  friend_links_used: Type.Array(Type.Object({ creator_username: Type.String(), used_at: Timestamp })),
})
export type FriendLinksExport = Static<typeof FriendLinksExport>

const CodeBody = Type.Object({ code: FriendCode })
const minute = 60
const hour = 3600

export const createFriendLink = {
  address: 'POST /friends/links',
  auth: 'required',
  tag: 'friends',
  summary: 'Create a friend link or QR code; its URL is returned only once',
  body: NewFriendLink,
  replies: { 201: CreatedFriendLink },
  refusals: ['too_many_friend_links'],
  rateLimits: [{ by: 'person', max: 30, seconds: hour }],
} as const satisfies Operation

export const listFriendLinks = {
  address: 'GET /friends/links',
  auth: 'required',
  tag: 'friends',
  summary: "List the caller's friend links that are neither expired nor revoked, newest first",
  replies: {
    200: Type.Array(FriendLink, {
      maxItems: runtime.friendLinkLimits.activeMax + runtime.friendLinkLimits.activeQrMax,
    }),
  },
} as const satisfies Operation

export const revokeFriendLink = {
  address: 'DELETE /friends/links/:id',
  auth: 'required',
  tag: 'friends',
  summary: 'Revoke a friend link; also succeeds if it is already revoked or expired',
  params: Type.Object({ id: FriendLinkId }),
  replies: { 204: NoContent },
  refusals: ['friend_link_not_found'],
} as const satisfies Operation

export const lookUpFriendLink = {
  address: 'POST /friends/links/lookup',
  auth: 'optional',
  tag: 'friends',
  summary: 'Get the creator of a friend link; changes nothing',
  body: CodeBody,
  replies: { 200: FriendLinkPreview },
  refusals: ['friend_link_invalid'],
  rateLimits: [
    { by: 'visitor', max: 30, seconds: minute },
    { by: 'person', max: 60, seconds: minute },
  ],
} as const satisfies Operation

export const acceptFriendLink = {
  address: 'POST /friends/links/accept',
  auth: 'required',
  tag: 'friends',
  summary: 'Become a friend of the creator of a link, or send them a friend request if the link requires approval',
  body: CodeBody,
  replies: { 200: AcceptedFriendLink },
  refusals: ['friend_link_invalid', 'own_friend_link'],
  rateLimits: [
    { by: 'person', max: 60, seconds: hour },
    { by: 'address', max: 120, seconds: hour },
  ],
} as const satisfies Operation
