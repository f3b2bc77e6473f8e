import { type Static, Type } from 'typebox'
import { SecurityEventId } from '../ids.ts'
import type { Operation } from '../operation.ts'
import * as runtime from '../runtime/auth/security-events.ts'
import { NoContent, nullable, oneOf, Timestamp } from '../values.ts'
import { signInChangeLimits } from './auth.ts'

export const SecurityEvent = Type.Object({
  id: SecurityEventId,
  kind: oneOf(runtime.securityEventKinds),
  device: nullable(Type.String({ description: 'Such as "Firefox on Windows"; null if unknown, or not of the caller' })),
  created_at: Timestamp,
  seen_at: nullable(Timestamp),
})
export type SecurityEvent = Static<typeof SecurityEvent>

export const listSecurityEvents = {
  address: 'GET /auth/security-events',
  auth: 'required',
  tag: 'auth',
  summary:
    "List the latest changes to how the caller's account can be entered, newest first; a change by the session that asks counts as seen",
  replies: { 200: Type.Array(SecurityEvent, { maxItems: runtime.securityEventLimits.listMax }) },
} as const satisfies Operation

export const markSecurityEventsSeen = {
  address: 'POST /auth/security-events/seen',
  auth: 'required',
  tag: 'auth',
  summary: 'Mark the security events of the caller as seen, up to the newest one that was shown; idempotent',
  body: Type.Object({ up_to: SecurityEventId }),
  replies: { 204: NoContent },
  rateLimits: signInChangeLimits,
} as const satisfies Operation
