import { type Static, Type } from 'typebox'
import { AdminActionId, InvitationId, ReportId, UserId } from './ids.ts'
import { type Operation } from './operation.ts'
import { Bytes, NoContent, nullable, oneOf, Timestamp, text } from './values.ts'

export const moderationLimits = {
  reportTextMax: 1000,
  suspensionReasonMax: 500,
  suspensionDaysMax: 365,
  invitationNoteMax: 100,
  invitationUsesMax: 1000,
  invitationDaysMax: 90,
  /** As long as a link is good that nobody has said anything else about. */
  invitationDaysDefault: 7,
  pageDefault: 30,
  pageMax: 100,
  /** A handled report is erased after so many days, and one that nobody has looked at after so many. */
  handledDays: 30,
  openDays: 180,
  adminCodeHours: 24,
} as const

export const moderationTexts = {
  reported: 'Thank you. We will look at it.',
  reportFailed: 'Failed to send the report',
  loadFailed: 'Failed to load',
  actionFailed: 'That did not work. Please try again.',
} as const

/** What can be reported: a person, their ping or message, their picture or the one of their ping. */
export const ReportSubject = oneOf(['user', 'ping', 'message', 'profile_image', 'pin_image'])
export type ReportSubject = Static<typeof ReportSubject>

export const ReportReason = oneOf(['harassment', 'threat', 'sexual', 'spam', 'impersonation', 'other'])
export type ReportReason = Static<typeof ReportReason>

export const ReportOutcome = oneOf(['open', 'dismissed', 'deleted', 'suspended'])
export type ReportOutcome = Static<typeof ReportOutcome>

export const NewReport = Type.Object({
  subject: ReportSubject,
  /** Of the person, ping or message, and of the person or ping whose picture it is. */
  subject_id: Type.Unsafe<string>({ type: 'string', format: 'uuid' }),
  reason: ReportReason,
  text: Type.Optional(nullable(text({ maxLength: moderationLimits.reportTextMax }))),
})
export type NewReport = Static<typeof NewReport>

export const ReportReceipt = Type.Object({ id: ReportId, created_at: Timestamp })
export type ReportReceipt = Static<typeof ReportReceipt>

/** For admins. `username`, `name`, `content` and the place are as they were when it was reported. */
export const Report = Type.Object({
  id: ReportId,
  subject: ReportSubject,
  reason: ReportReason,
  text: nullable(Type.String()),
  created_at: Timestamp,
  reporter_username: nullable(Type.String({ description: 'Null where they have deleted their account' })),
  user_id: nullable(UserId),
  username: Type.String(),
  name: nullable(Type.String({ description: 'Of the ping' })),
  content: nullable(Type.String({ description: 'Of the message, or the message of the ping' })),
  address: nullable(Type.String()),
  latitude: nullable(Type.Number()),
  longitude: nullable(Type.Number()),
  made_at: nullable(Timestamp),
  has_picture: Type.Boolean(),
  is_suspended: Type.Boolean({ description: 'Whether the person is at this moment' }),
  outcome: ReportOutcome,
  handled_at: nullable(Timestamp),
  handled_by_username: nullable(Type.String()),
})
export type Report = Static<typeof Report>

export const Suspension = Type.Object({
  reason: Type.String(),
  suspended_at: Timestamp,
  suspended_until: nullable(Timestamp),
})
export type Suspension = Static<typeof Suspension>

export const AdminUser = Type.Object({
  id: UserId,
  username: Type.String(),
  created_at: Timestamp,
  is_admin: Type.Boolean(),
  suspension: Type.Union([Suspension, Type.Null()]),
  open_reports: Type.Integer(),
})
export type AdminUser = Static<typeof AdminUser>

export const RegistrationMode = oneOf(['open', 'invite', 'closed'])
export type RegistrationMode = Static<typeof RegistrationMode>

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
  note: Type.Optional(text({ maxLength: moderationLimits.invitationNoteMax })),
  uses: Type.Optional(Type.Integer({ minimum: 1, maximum: moderationLimits.invitationUsesMax })),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: moderationLimits.invitationDaysMax })),
})
export type NewInvitation = Static<typeof NewInvitation>

export const MadeInvitation = Type.Object({
  ...Invitation.properties,
  url: Type.String({ description: 'The link. Told this once: only a digest of it is kept' }),
})
export type MadeInvitation = Static<typeof MadeInvitation>

export const AdminActionName = oneOf([
  'claim',
  'appoint',
  'dismiss_admin',
  'dismiss_report',
  'delete_reported',
  'suspend',
  'lift',
  'set_registration',
  'create_invitation',
  'revoke_invitation',
])
export type AdminActionName = Static<typeof AdminActionName>

export const AdminAction = Type.Object({
  id: AdminActionId,
  admin_username: nullable(Type.String()),
  action: AdminActionName,
  username: nullable(Type.String()),
  note: nullable(Type.String()),
  acted_at: Timestamp,
})
export type AdminAction = Static<typeof AdminAction>

export const ServiceStatus = Type.Object({
  version: Type.String(),
  started_at: Timestamp,
  database: oneOf(['embedded', 'postgresql']),
  database_version: Type.String({ description: 'Of PostgreSQL, such as 18.4' }),
  database_bytes: Type.Number(),
  pictures: Type.Integer(),
  picture_bytes: Type.Number(),
  disk_free_bytes: nullable(Type.Number({ description: 'Where the data folder is' })),
  users: Type.Integer(),
  live_pings: Type.Integer(),
  open_reports: Type.Integer(),
  waiting: Type.Object({
    mails: Type.Integer(),
    pushes: Type.Integer(),
    files_to_erase: Type.Integer(),
  }),
  registration: RegistrationMode,
})
export type ServiceStatus = Static<typeof ServiceStatus>

/** All that is held on a person, for themselves. Who has reported them is not theirs to know. */
export const ModerationExport = Type.Object({
  admin_since: nullable(Timestamp),
  reports: Type.Array(
    Type.Object({
      subject: ReportSubject,
      reason: ReportReason,
      text: nullable(Type.String()),
      created_at: Timestamp,
    }),
  ),
  invitations: Type.Array(Type.Object({ note: Type.String(), created_at: Timestamp, expires_at: Timestamp })),
  admin_actions: Type.Array(
    Type.Object({ action: AdminActionName, note: nullable(Type.String()), acted_at: Timestamp }),
  ),
})
export type ModerationExport = Static<typeof ModerationExport>

const UserParam = Type.Object({ id: UserId })
const ReportParam = Type.Object({ id: ReportId })
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: moderationLimits.pageMax }))
const minute = 60
const hour = 3600

export const createReport = {
  method: 'POST',
  path: '/reports',
  tag: 'reports',
  summary: 'Report something the caller can see; again, while it is open, answers with the first',
  auth: 'required',
  body: NewReport,
  replies: { 201: ReportReceipt, 200: ReportReceipt },
  refusals: ['user_not_found', 'ping_not_found', 'message_not_found', 'image_not_found', 'own_report'],
  rateLimits: [
    { by: 'person', max: 20, seconds: hour },
    { by: 'address', max: 60, seconds: hour },
  ],
} as const satisfies Operation

export const getAdminRole = {
  method: 'GET',
  path: '/admin/role',
  tag: 'admin',
  summary: 'Whether the caller is an admin; and whether nobody is yet, so that the code of the start makes them one',
  auth: 'required',
  replies: { 200: Type.Object({ is_admin: Type.Boolean(), is_claimable: Type.Boolean() }) },
} as const satisfies Operation

export const claimAdmin = {
  method: 'POST',
  path: '/admin/claim',
  tag: 'admin',
  summary: 'Become the first admin with the code that the server printed at its start; good once',
  auth: 'required',
  body: Type.Object({ code: text({ minLength: 1, maxLength: 100 }) }),
  replies: { 204: NoContent },
  refusals: ['admin_code_invalid'],
  rateLimits: [
    { by: 'person', max: 5, seconds: 15 * minute },
    { by: 'address', max: 20, seconds: hour },
  ],
} as const satisfies Operation

export const getServiceStatus = {
  method: 'GET',
  path: '/admin/status',
  tag: 'admin',
  summary: 'Admins: how the service does',
  auth: 'required',
  replies: { 200: ServiceStatus },
  refusals: ['route_not_found'],
} as const satisfies Operation

export const listReports = {
  method: 'GET',
  path: '/admin/reports',
  tag: 'admin',
  summary: 'Admins: the open reports, or the handled ones, newest first; `before` is the last one of the page before',
  auth: 'required',
  query: Type.Object({ state: oneOf(['open', 'handled']), before: Type.Optional(ReportId), limit }),
  replies: { 200: Type.Array(Report) },
  refusals: ['route_not_found'],
} as const satisfies Operation

export const getReportPicture = {
  method: 'GET',
  path: '/admin/reports/:id/picture',
  tag: 'admin',
  summary: 'Admins: the picture as it was when it was reported',
  auth: 'required',
  params: ReportParam,
  content: 'image/webp',
  replies: { 200: Bytes },
  refusals: ['route_not_found', 'image_not_found'],
} as const satisfies Operation

export const dismissReport = {
  method: 'POST',
  path: '/admin/reports/:id/dismiss',
  tag: 'admin',
  summary: 'Admins: there is nothing to do about it',
  auth: 'required',
  params: ReportParam,
  replies: { 204: NoContent },
  refusals: ['route_not_found', 'report_not_found', 'report_handled'],
} as const satisfies Operation

export const deleteReported = {
  method: 'POST',
  path: '/admin/reports/:id/delete',
  tag: 'admin',
  summary: 'Admins: delete the ping, message or picture; handles all open reports of it',
  auth: 'required',
  params: ReportParam,
  replies: { 204: NoContent },
  refusals: ['route_not_found', 'report_not_found', 'report_not_deletable', 'report_handled'],
} as const satisfies Operation

export const listUsers = {
  method: 'GET',
  path: '/admin/users',
  tag: 'admin',
  summary:
    'Admins: people by name; `q` begins the name or is the whole e-mail, `after` the last name of the page before',
  auth: 'required',
  query: Type.Object({
    q: Type.Optional(text({ maxLength: 254 })),
    only: Type.Optional(oneOf(['admins', 'suspended'])),
    after: Type.Optional(text({ maxLength: 100 })),
    limit,
  }),
  replies: { 200: Type.Array(AdminUser) },
  refusals: ['route_not_found'],
} as const satisfies Operation

export const suspendUser = {
  method: 'POST',
  path: '/admin/users/:id/suspend',
  tag: 'admin',
  summary: 'Admins: shut a person out, for so many days or for good; their sessions and live pings end at once',
  auth: 'required',
  params: UserParam,
  body: Type.Object({
    reason: text({ minLength: 1, maxLength: moderationLimits.suspensionReasonMax }),
    /** Absent or null: for good. */
    days: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: moderationLimits.suspensionDaysMax }))),
    /** Which is handled by it. */
    report_id: Type.Optional(nullable(ReportId)),
  }),
  replies: { 204: NoContent },
  refusals: ['route_not_found', 'user_not_found', 'admin_not_suspendable', 'report_not_found'],
} as const satisfies Operation

export const liftSuspension = {
  method: 'DELETE',
  path: '/admin/users/:id/suspend',
  tag: 'admin',
  summary: 'Admins: let a person in again; idempotent',
  auth: 'required',
  params: UserParam,
  replies: { 204: NoContent },
  refusals: ['route_not_found', 'user_not_found'],
} as const satisfies Operation

export const appointAdmin = {
  method: 'PUT',
  path: '/admin/users/:id/admin',
  tag: 'admin',
  summary: 'Admins: make a person an admin; idempotent',
  auth: 'required',
  params: UserParam,
  replies: { 204: NoContent },
  refusals: ['route_not_found', 'user_not_found', 'suspended_not_appointable'],
} as const satisfies Operation

export const dismissAdmin = {
  method: 'DELETE',
  path: '/admin/users/:id/admin',
  tag: 'admin',
  summary: 'Admins: a person is none any more, as long as one remains; idempotent',
  auth: 'required',
  params: UserParam,
  replies: { 204: NoContent },
  refusals: ['route_not_found', 'user_not_found', 'last_admin'],
} as const satisfies Operation

export const setRegistration = {
  method: 'PUT',
  path: '/admin/registration',
  tag: 'admin',
  summary: 'Admins: who may sign up',
  auth: 'required',
  body: Type.Object({ mode: RegistrationMode }),
  replies: { 204: NoContent },
  refusals: ['route_not_found'],
} as const satisfies Operation

export const listInvitations = {
  method: 'GET',
  path: '/admin/invitations',
  tag: 'admin',
  summary: 'Admins: the invitation links, newest first',
  auth: 'required',
  replies: { 200: Type.Array(Invitation) },
  refusals: ['route_not_found'],
} as const satisfies Operation

export const createInvitation = {
  method: 'POST',
  path: '/admin/invitations',
  tag: 'admin',
  summary: 'Admins: a link to sign up with',
  auth: 'required',
  body: NewInvitation,
  replies: { 201: MadeInvitation },
  refusals: ['route_not_found', 'too_many_invitations'],
} as const satisfies Operation

export const revokeInvitation = {
  method: 'DELETE',
  path: '/admin/invitations/:id',
  tag: 'admin',
  summary: 'Admins: the link is good for nobody any more',
  auth: 'required',
  params: Type.Object({ id: InvitationId }),
  replies: { 204: NoContent },
  refusals: ['route_not_found', 'invitation_not_found'],
} as const satisfies Operation

export const listAdminActions = {
  method: 'GET',
  path: '/admin/actions',
  tag: 'admin',
  summary: 'Admins: what admins have done, newest first; `before` is the last one of the page before',
  auth: 'required',
  query: Type.Object({ before: Type.Optional(AdminActionId), limit }),
  replies: { 200: Type.Array(AdminAction) },
  refusals: ['route_not_found'],
} as const satisfies Operation
