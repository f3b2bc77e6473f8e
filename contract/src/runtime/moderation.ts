import type { Address } from '../operation.ts'

export const moderationLimits = {
  reportTextMax: 1000,
  suspensionReasonMax: 500,
  suspensionDaysMax: 365,
  invitationNoteMax: 100,
  invitationUsesMax: 1000,
  invitationDaysMax: 90,
  invitationsMax: 500,
  /** How long an invitation link is valid by default. */
  invitationDaysDefault: 7,
  pageDefault: 30,
  pageMax: 100,
  /** Days until a handled report is erased. */
  handledDays: 30,
  /** Days until a report that no admin has handled is erased. */
  openDays: 180,
  adminCodeHours: 24,
} as const

export const createReport = {
  method: 'POST',
  path: '/reports',
  auth: 'required',
} as const satisfies Address

export const getAdminRole = {
  method: 'GET',
  path: '/admin/role',
  auth: 'required',
} as const satisfies Address

export const claimAdmin = {
  method: 'POST',
  path: '/admin/claim',
  auth: 'required',
} as const satisfies Address

export const getServiceStatus = {
  method: 'GET',
  path: '/admin/status',
  auth: 'required',
} as const satisfies Address

export const listReports = {
  method: 'GET',
  path: '/admin/reports',
  auth: 'required',
} as const satisfies Address

export const getReportPicture = {
  method: 'GET',
  path: '/admin/reports/:id/picture',
  auth: 'required',
  content: 'image/webp',
} as const satisfies Address

export const dismissReport = {
  method: 'POST',
  path: '/admin/reports/:id/dismiss',
  auth: 'required',
} as const satisfies Address

export const deleteReported = {
  method: 'POST',
  path: '/admin/reports/:id/delete',
  auth: 'required',
} as const satisfies Address

export const listUsers = {
  method: 'POST',
  path: '/admin/users/search',
  auth: 'required',
} as const satisfies Address

export const suspendUser = {
  method: 'POST',
  path: '/admin/users/:id/suspend',
  auth: 'required',
} as const satisfies Address

export const liftSuspension = {
  method: 'DELETE',
  path: '/admin/users/:id/suspend',
  auth: 'required',
} as const satisfies Address

export const appointAdmin = {
  method: 'PUT',
  path: '/admin/users/:id/admin',
  auth: 'required',
} as const satisfies Address

export const dismissAdmin = {
  method: 'DELETE',
  path: '/admin/users/:id/admin',
  auth: 'required',
} as const satisfies Address

export const setRegistration = {
  method: 'PUT',
  path: '/admin/registration',
  auth: 'required',
} as const satisfies Address

export const listInvitations = {
  method: 'GET',
  path: '/admin/invitations',
  auth: 'required',
} as const satisfies Address

export const createInvitation = {
  method: 'POST',
  path: '/admin/invitations',
  auth: 'required',
} as const satisfies Address

export const revokeInvitation = {
  method: 'DELETE',
  path: '/admin/invitations/:id',
  auth: 'required',
} as const satisfies Address

export const listAdminActions = {
  method: 'GET',
  path: '/admin/actions',
  auth: 'required',
} as const satisfies Address
