import type { Address } from '../operation.ts'

export const diagnosticsLimits = {
  /** Timeout of each check. */
  answerWithinMs: 3000,
  mailWithinMs: 10_000,
} as const

export const diagnose = {
  method: 'GET',
  path: '/admin/diagnostics',
  auth: 'required',
} as const satisfies Address

export const sendTestMail = {
  method: 'POST',
  path: '/admin/diagnostics/mail',
  auth: 'required',
} as const satisfies Address
