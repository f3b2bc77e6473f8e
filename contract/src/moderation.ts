import { type Static, Type } from 'typebox'
import { AdminActionId, ReportId, UserId } from './ids.ts'
import { MemberInvites, RegistrationMode } from './invitations.ts'
import { inAddress, type Operation } from './operation.ts'
import { ReportReason, ReportSubject } from './reports.ts'
import * as runtime from './runtime/moderation.ts'
import { NoContent, nullable, oneOf, Timestamp, text } from './values.ts'

const Suspension = Type.Object({
  reason: Type.String(),
  suspended_at: Timestamp,
  suspended_until: nullable(Timestamp),
})

export const AdminUser = Type.Object({
  id: UserId,
  username: Type.String(),
  display_name: nullable(Type.String()),
  created_at: Timestamp,
  is_admin: Type.Boolean(),
  suspension: Type.Union([Suspension, Type.Null()]),
  open_reports: Type.Integer(),
  picture_bytes: Type.Number({ description: 'Of all stored pictures of the user' }),
  invited_by: nullable(
    Type.String({
      description: 'The creator of the friend link that the account was created with, while it is stored',
    }),
  ),
})
export type AdminUser = Static<typeof AdminUser>

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
  'create_reset_link',
  'banner_set',
  'banner_removed',
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
  database_version: Type.String({ description: 'The version of PostgreSQL, such as 18.4' }),
  database_bytes: Type.Number(),
  pictures: Type.Integer(),
  picture_bytes: Type.Number(),
  picture_bytes_per_user_max: Type.Number({ description: 'The share of one user' }),
  most_pictures: Type.Array(Type.Object({ username: Type.String(), picture_bytes: Type.Number() }), {
    maxItems: 5,
    description: 'The users whose pictures need the most space',
  }),
  disk_free_bytes: nullable(Type.Number({ description: 'On the disk of the data folder' })),
  backups: Type.Optional(
    Type.Object(
      {
        is_on: Type.Boolean({ description: 'Whether this server makes a backup every night' }),
        keep_days: Type.Integer({ description: 'After how many days it deletes them' }),
        newest_at: nullable(Timestamp),
        is_encrypted: Type.Boolean({ description: 'Whether new backups are encrypted' }),
        unencrypted_count: Type.Integer({ description: 'The backups in the folder that are not encrypted' }),
      },
      { description: 'Absent on a server of an earlier version' },
    ),
  ),
  users: Type.Integer(),
  live_pings: Type.Integer(),
  open_reports: Type.Integer(),
  waiting: Type.Object({
    mails: Type.Integer(),
    pushes: Type.Integer(),
    files_to_erase: Type.Integer(),
  }),
  registration: RegistrationMode,
  member_invites: MemberInvites,
  update: Type.Optional(
    Type.Union(
      [
        Type.Object({
          version: nullable(
            Type.String({ description: 'The newest release; null if it is not newer than this server' }),
          ),
          notes_url: nullable(Type.String({ description: 'The page about it' })),
          checked_at: Timestamp,
          failed: Type.Boolean({ description: 'Whether the last check failed' }),
        }),
        Type.Null(),
      ],
      { description: 'Null without `UPDATE_CHECK_URL`. Absent on a server of an earlier version' },
    ),
  ),
})
export type ServiceStatus = Static<typeof ServiceStatus>

/** All stored moderation data about the caller. It does not reveal who has reported them. */
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
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: runtime.moderationLimits.pageMax }))
const minute = 60
const hour = 3600

export const getAdminRole = {
  address: 'GET /admin/role',
  auth: 'required',
  tag: 'admin',
  summary:
    'Get whether the caller is an admin, and whether the server has no admin yet, so that the code printed at start can be used',
  replies: { 200: Type.Object({ is_admin: Type.Boolean(), is_claimable: Type.Boolean() }) },
} as const satisfies Operation

export const claimAdmin = {
  address: 'POST /admin/claim',
  auth: 'required',
  tag: 'admin',
  summary: 'Become the first admin with the code that the server printed at start; valid once',
  body: Type.Object({ code: text({ minLength: 1, maxLength: 100 }) }),
  replies: { 204: NoContent },
  refusals: ['admin_code_invalid'],
  rateLimits: [
    { by: 'person', max: 5, seconds: 15 * minute },
    { by: 'address', max: 20, seconds: hour },
  ],
} as const satisfies Operation

export const getServiceStatus = {
  address: 'GET /admin/status',
  auth: 'required',
  tag: 'admin',
  summary: 'Admins: get the status of the server',
  replies: { 200: ServiceStatus },
  refusals: ['route_not_found'],
} as const satisfies Operation

export const listUsers = {
  address: 'POST /admin/users/search',
  auth: 'required',
  tag: 'admin',
  summary:
    'Admins: list users by name; `q` is the beginning of the name or the complete email, `after` the last name of the previous page',
  body: Type.Object({
    q: Type.Optional(text({ maxLength: 254 })),
    only: Type.Optional(oneOf(['admins', 'suspended'])),
    after: Type.Optional(text({ maxLength: 100 })),
    limit,
  }),
  replies: { 200: Type.Array(AdminUser) },
  refusals: ['route_not_found'],
} as const satisfies Operation

/** Kept for clients of the previous release: proxies log the address. */
export const listUsersInAddress = { ...inAddress(listUsers), address: 'GET /admin/users' } as const satisfies Operation

export const suspendUser = {
  address: 'POST /admin/users/:id/suspend',
  auth: 'required',
  tag: 'admin',
  summary: 'Admins: suspend a user, for a number of days or permanently; their sessions and live pings end at once',
  params: UserParam,
  body: Type.Object({
    reason: text({ minLength: 1, maxLength: runtime.moderationLimits.suspensionReasonMax }),
    /** Absent or null means permanently. */
    days: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: runtime.moderationLimits.suspensionDaysMax }))),
    /** The report that the suspension closes. */
    report_id: Type.Optional(nullable(ReportId)),
  }),
  replies: { 204: NoContent },
  refusals: ['route_not_found', 'user_not_found', 'admin_not_suspendable', 'report_not_found'],
} as const satisfies Operation

export const liftSuspension = {
  address: 'DELETE /admin/users/:id/suspend',
  auth: 'required',
  tag: 'admin',
  summary: 'Admins: lift the suspension of a user; idempotent',
  params: UserParam,
  replies: { 204: NoContent },
  refusals: ['route_not_found', 'user_not_found'],
} as const satisfies Operation

export const appointAdmin = {
  address: 'PUT /admin/users/:id/admin',
  auth: 'required',
  tag: 'admin',
  summary: 'Admins: make a user an admin; idempotent',
  params: UserParam,
  replies: { 204: NoContent },
  refusals: ['route_not_found', 'user_not_found', 'suspended_not_appointable'],
} as const satisfies Operation

export const dismissAdmin = {
  address: 'DELETE /admin/users/:id/admin',
  auth: 'required',
  tag: 'admin',
  summary: 'Admins: remove a user as admin, unless it is the last admin; idempotent',
  params: UserParam,
  replies: { 204: NoContent },
  refusals: ['route_not_found', 'user_not_found', 'last_admin'],
} as const satisfies Operation

export const listAdminActions = {
  address: 'GET /admin/actions',
  auth: 'required',
  tag: 'admin',
  summary: 'Admins: list the actions of admins, newest first; `before` is the last action of the previous page',
  query: Type.Object({ before: Type.Optional(AdminActionId), limit }),
  replies: { 200: Type.Array(AdminAction) },
  refusals: ['route_not_found'],
} as const satisfies Operation
