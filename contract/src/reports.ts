import { type Static, Type } from 'typebox'
import { ReportId, UserId } from './ids.ts'
import type { Operation } from './operation.ts'
import * as runtime from './runtime/moderation.ts'
import { Bytes, NoContent, nullable, oneOf, Timestamp, text } from './values.ts'

/** What can be reported: a user, a ping, a message, a user's picture, the picture of a ping or a guest of an own ping. */
export const ReportSubject = oneOf(['user', 'ping', 'message', 'profile_image', 'pin_image', 'guest'])
export type ReportSubject = Static<typeof ReportSubject>

export const ReportReason = oneOf(['harassment', 'threat', 'sexual', 'spam', 'impersonation', 'other'])
export type ReportReason = Static<typeof ReportReason>

export const ReportOutcome = oneOf(['open', 'dismissed', 'deleted', 'suspended'])
export type ReportOutcome = Static<typeof ReportOutcome>

export const NewReport = Type.Object({
  subject: ReportSubject,
  /** The id of the user, ping, message or guest. For a picture, the id of its user or ping. */
  subject_id: Type.Unsafe<string>({ type: 'string', format: 'uuid' }),
  reason: ReportReason,
  text: Type.Optional(nullable(text({ maxLength: runtime.moderationLimits.reportTextMax }))),
})
export type NewReport = Static<typeof NewReport>

export const ReportReceipt = Type.Object({ id: ReportId, created_at: Timestamp })
export type ReportReceipt = Static<typeof ReportReceipt>

/** Visible to admins only. `username`, `display_name`, `name`, `content` and the location are those at the time of the report. */
export const Report = Type.Object({
  id: ReportId,
  subject: ReportSubject,
  reason: ReportReason,
  text: nullable(Type.String()),
  created_at: Timestamp,
  reporter_username: nullable(Type.String({ description: 'Null if they have deleted their account' })),
  user_id: nullable(UserId),
  username: Type.String({ description: 'For a guest without account, the name that the guest gave' }),
  display_name: nullable(Type.String()),
  name: nullable(Type.String({ description: 'The name of the ping or of the place' })),
  content: nullable(
    Type.String({ description: 'The content of the message, the message of the ping, or the answer of the guest' }),
  ),
  address: nullable(Type.String()),
  latitude: nullable(Type.Number()),
  longitude: nullable(Type.Number()),
  made_at: nullable(Timestamp),
  has_picture: Type.Boolean(),
  is_suspended: Type.Boolean({ description: 'Whether the user is currently suspended' }),
  outcome: ReportOutcome,
  handled_at: nullable(Timestamp),
  handled_by_username: nullable(Type.String()),
})
export type Report = Static<typeof Report>

const ReportParam = Type.Object({ id: ReportId })
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: runtime.moderationLimits.pageMax }))
const hour = 3600

export const createReport = {
  address: 'POST /reports',
  auth: 'required',
  tag: 'reports',
  summary: 'Report something the caller can see; a second report returns the first one while it is open',
  body: NewReport,
  replies: { 201: ReportReceipt, 200: ReportReceipt },
  refusals: [
    'user_not_found',
    'ping_not_found',
    'message_not_found',
    'image_not_found',
    'guest_not_found',
    'own_report',
  ],
  rateLimits: [
    { by: 'person', max: 20, seconds: hour },
    { by: 'address', max: 60, seconds: hour },
  ],
} as const satisfies Operation

export const listReports = {
  address: 'GET /admin/reports',
  auth: 'required',
  tag: 'admin',
  summary: 'Admins: list open or handled reports, newest first; `before` is the last report of the previous page',
  query: Type.Object({ state: oneOf(['open', 'handled']), before: Type.Optional(ReportId), limit }),
  replies: { 200: Type.Array(Report) },
  refusals: ['route_not_found'],
} as const satisfies Operation

export const getReportPicture = {
  address: 'GET /admin/reports/:id/picture',
  auth: 'required',
  content: 'image/webp',
  tag: 'admin',
  summary: 'Admins: get the picture as it was when it was reported',
  params: ReportParam,
  replies: { 200: Bytes },
  refusals: ['route_not_found', 'image_not_found'],
} as const satisfies Operation

export const dismissReport = {
  address: 'POST /admin/reports/:id/dismiss',
  auth: 'required',
  tag: 'admin',
  summary: 'Admins: dismiss a report',
  params: ReportParam,
  replies: { 204: NoContent },
  refusals: ['route_not_found', 'report_not_found', 'report_handled'],
} as const satisfies Operation

export const deleteReported = {
  address: 'POST /admin/reports/:id/delete',
  auth: 'required',
  tag: 'admin',
  summary: 'Admins: delete the reported ping, message or picture; handles all its open reports',
  params: ReportParam,
  replies: { 204: NoContent },
  refusals: ['route_not_found', 'report_not_found', 'report_not_deletable', 'report_handled'],
} as const satisfies Operation
