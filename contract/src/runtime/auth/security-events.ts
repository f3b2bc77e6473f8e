import type { Address } from '../../operation.ts'

export const securityEventLimits = {
  listMax: 50,
  keepDays: 90,
} as const

/** Changes to how an account can be entered. */
export const securityEventKinds = [
  'passkey_added',
  'passkey_removed',
  'provider_linked',
  'provider_unlinked',
  'recovery_codes_created',
  'recovery_code_used',
  'password_changed',
  'password_reset',
  'reset_link_created',
] as const
export type SecurityEventKind = (typeof securityEventKinds)[number]

export const listSecurityEvents = {
  method: 'GET',
  path: '/auth/security-events',
  auth: 'required',
} as const satisfies Address

export const markSecurityEventsSeen = {
  method: 'POST',
  path: '/auth/security-events/seen',
  auth: 'required',
} as const satisfies Address
