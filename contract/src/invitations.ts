import { type Static, Type } from 'typebox'
import { InvitationId } from './ids.ts'
import type { Operation } from './operation.ts'
import * as runtime from './runtime/moderation.ts'
import { NoContent, nullable, oneOf, Timestamp, text } from './values.ts'

export const RegistrationMode = oneOf(['open', 'invite', 'closed'])
export type RegistrationMode = Static<typeof RegistrationMode>

/** The number of accounts that each user may create with friend links in 30 days, in the mode `invite`. */
export const MemberInvites = Type.Unsafe<0 | 3 | 10 | 50>({ type: 'integer', enum: [0, 3, 10, 50] })
export type MemberInvites = Static<typeof MemberInvites>

export const Invitation = Type.Object({
  id: InvitationId,
  note: Type.String(),
  uses_max: Type.Integer(),
  uses_left: Type.Integer(),
  created_by_username: nullable(Type.String()),
  created_at: Timestamp,
  expires_at: Timestamp,
})
export type Invitation = Static<typeof Invitation>

export const NewInvitation = Type.Object({
  note: Type.Optional(text({ maxLength: runtime.moderationLimits.invitationNoteMax })),
  uses: Type.Optional(Type.Integer({ minimum: 1, maximum: runtime.moderationLimits.invitationUsesMax })),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: runtime.moderationLimits.invitationDaysMax })),
})
export type NewInvitation = Static<typeof NewInvitation>

export const MadeInvitation = Type.Object({
  ...Invitation.properties,
  url: Type.String({ description: 'The link. Returned only once: the server stores only its digest' }),
})
export type MadeInvitation = Static<typeof MadeInvitation>

export const setRegistration = {
  address: 'PUT /admin/registration',
  auth: 'required',
  tag: 'admin',
  summary: 'Admins: set who may sign up',
  body: Type.Object({ mode: RegistrationMode, member_invites: Type.Optional(MemberInvites) }),
  replies: { 204: NoContent },
  refusals: ['route_not_found'],
} as const satisfies Operation

export const listInvitations = {
  address: 'GET /admin/invitations',
  auth: 'required',
  tag: 'admin',
  summary: 'Admins: list the invitation links, newest first',
  replies: { 200: Type.Array(Invitation, { maxItems: runtime.moderationLimits.invitationsMax }) },
  refusals: ['route_not_found'],
} as const satisfies Operation

export const createInvitation = {
  address: 'POST /admin/invitations',
  auth: 'required',
  tag: 'admin',
  summary: 'Admins: create an invitation link',
  body: NewInvitation,
  replies: { 201: MadeInvitation },
  refusals: ['route_not_found', 'too_many_invitations'],
} as const satisfies Operation

export const revokeInvitation = {
  address: 'DELETE /admin/invitations/:id',
  auth: 'required',
  tag: 'admin',
  summary: 'Admins: revoke an invitation link',
  params: Type.Object({ id: InvitationId }),
  replies: { 204: NoContent },
  refusals: ['route_not_found', 'invitation_not_found'],
} as const satisfies Operation
