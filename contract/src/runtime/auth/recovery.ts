import type { Address } from '../../operation.ts'

export const recoveryLimits = {
  codes: 8,
  /** Letters of a code without its hyphens: 80 random bits in Crockford's base32. */
  codeLength: 16,
  /** As typed, with spaces and hyphens. */
  codeInputMax: 64,
  resetMinutes: 10,
  /** How long a reset link by an admin or by the operator is valid. */
  linkHours: 24,
} as const

export const createRecoveryCodes = {
  method: 'POST',
  path: '/auth/recovery-codes',
  auth: 'required',
} as const satisfies Address

export const getRecoveryCodes = {
  method: 'GET',
  path: '/auth/recovery-codes',
  auth: 'required',
} as const satisfies Address

export const recover = {
  method: 'POST',
  path: '/auth/recover',
  auth: 'none',
} as const satisfies Address

export const createResetLink = {
  method: 'POST',
  path: '/admin/users/:id/reset-link',
  auth: 'required',
} as const satisfies Address
