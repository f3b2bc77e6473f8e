import { type Static, Type } from 'typebox'
import type { Operation } from './operation.ts'
import { oneOf, Timestamp } from './values.ts'

/** `off` means that the operator has not configured the part. It is not a failure. */
export const CheckState = oneOf(['ok', 'warning', 'failed', 'off'])
export type CheckState = Static<typeof CheckState>

export const CheckId = oneOf([
  'public_address',
  'proxy',
  'database',
  'nodes',
  'storage',
  'mail',
  'sign_in_provider',
  'passkeys',
  'push',
  'geocoder',
  'disk',
  'clock',
])
export type CheckId = Static<typeof CheckId>

export const Check = Type.Object({
  id: CheckId,
  state: CheckState,
  text: Type.String({ description: 'The result and, for a problem, what to do' }),
})
export type Check = Static<typeof Check>

export const Diagnostics = Type.Object({
  /** The time of the reply, by the clock of the server that sends it. */
  checked_at: Timestamp,
  public_url: Type.String(),
  checks: Type.Array(Check),
})
export type Diagnostics = Static<typeof Diagnostics>

export const TestMail = Type.Object({ state: CheckState, text: Type.String() })
export type TestMail = Static<typeof TestMail>

const minute = 60

export const diagnose = {
  address: 'GET /admin/diagnostics',
  auth: 'required',
  tag: 'admin',
  summary: 'Admins: check each part of the server, as seen by the node that responds',
  replies: { 200: Diagnostics },
  refusals: ['route_not_found'],
  // Each call contacts every dependency of the server.
  rateLimits: [
    { by: 'person', max: 20, seconds: minute },
    { by: 'address', max: 60, seconds: minute },
  ],
} as const satisfies Operation

export const sendTestMail = {
  address: 'POST /admin/diagnostics/mail',
  auth: 'required',
  tag: 'admin',
  summary: 'Admins: send a test email to their own address and return the response of the mail server',
  replies: { 200: TestMail },
  refusals: ['route_not_found'],
  rateLimits: [
    { by: 'person', max: 5, seconds: 10 * minute },
    { by: 'address', max: 20, seconds: 10 * minute },
  ],
} as const satisfies Operation
