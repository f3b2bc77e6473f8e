import { type Static, Type } from 'typebox'
import { UserId } from '../ids.ts'
import type { Operation } from '../operation.ts'
import { authLimits } from '../runtime/auth/auth.ts'
import * as runtime from '../runtime/auth/recovery.ts'
import { nullable, Timestamp, text } from '../values.ts'
import { OwnPassword, signInChangeLimits } from './auth.ts'

/** Shown once: the server stores only hashes. */
export const NewRecoveryCodes = Type.Object({
  codes: Type.Array(Type.String({ examples: ['K7QM-2XPD-9TRA-H4WE'] }), { maxItems: runtime.recoveryLimits.codes }),
  created_at: Timestamp,
})
export type NewRecoveryCodes = Static<typeof NewRecoveryCodes>

export const RecoveryCodes = Type.Object({
  remaining: Type.Integer({ description: 'Codes that were not used yet' }),
  created_at: nullable(Timestamp),
})
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const Recovery = Type.Object({
  reset_token: Type.String({ description: 'For `POST /auth/reset-password`; valid once' }),
  expires_in: Type.Integer({ description: 'In seconds' }),
})
export type Recovery = Static<typeof Recovery>

export const ResetLink = Type.Object({
  url: Type.String({
    description: 'The address of the web app, with the token in the fragment: `/reset-password#token=…`',
  }),
  expires_at: Timestamp,
})
export type ResetLink = Static<typeof ResetLink>

const hour = 3600
/**
 * Limits wrong codes for one address, from all networks. A right code is accepted above it: nobody guesses 80 random bits, but
 * somebody who sends wrong codes would lock out the owner.
 */
export const wrongCodeLimit = { max: 20, seconds: hour } as const

export const createRecoveryCodes = {
  address: 'POST /auth/recovery-codes',
  auth: 'required',
  tag: 'auth',
  summary: 'Create recovery codes, which end the previous ones; needs a recent sign-in or the password',
  body: Type.Object({ password: OwnPassword }),
  isBodyOptional: true,
  replies: { 201: NewRecoveryCodes },
  refusals: ['recent_sign_in_required', 'wrong_password'],
  rateLimits: signInChangeLimits,
} as const satisfies Operation

export const getRecoveryCodes = {
  address: 'GET /auth/recovery-codes',
  auth: 'required',
  tag: 'auth',
  summary: 'Get how many recovery codes of the caller were not used yet',
  replies: { 200: RecoveryCodes },
} as const satisfies Operation

export const recover = {
  address: 'POST /auth/recover',
  auth: 'none',
  tag: 'auth',
  summary:
    'Exchange a recovery code for a reset token; the response is the same for an unknown address and a wrong code. Case, spaces and hyphens of the code are ignored',
  body: Type.Object({
    email: text({ maxLength: authLimits.emailMax }),
    code: text({ maxLength: runtime.recoveryLimits.codeInputMax }),
  }),
  replies: { 200: Recovery },
  refusals: ['recovery_invalid', 'account_suspended'],
  rateLimits: [
    { by: 'address', max: 30, seconds: hour },
    { by: 'email_and_address', max: 5, seconds: hour },
  ],
} as const satisfies Operation

export const createResetLink = {
  address: 'POST /admin/users/:id/reset-link',
  auth: 'required',
  tag: 'admin',
  summary: "Admins: create a link that sets a new password for a member's account; replaces earlier links of admins",
  params: Type.Object({ id: UserId }),
  replies: { 201: ResetLink },
  refusals: ['route_not_found', 'user_not_found', 'admin_not_resettable'],
  rateLimits: signInChangeLimits,
} as const satisfies Operation
