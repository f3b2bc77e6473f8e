import { type Static, Type } from 'typebox'
import { type Operation } from './operation.ts'
import { oneOf, Timestamp } from './values.ts'

export const diagnosticsLimits = {
  /** So long each part has to answer. */
  answerWithinMs: 3000,
  mailWithinMs: 10_000,
} as const

/** What is not set up is `off`; that is somebody's choice, and no fault. */
export const CheckState = oneOf(['ok', 'warning', 'failed', 'off'])
export type CheckState = Static<typeof CheckState>

export const CheckId = oneOf([
  'public_address',
  'proxy',
  'database',
  'nodes',
  'storage',
  'mail',
  'push',
  'geocoder',
  'disk',
  'clock',
])
export type CheckId = Static<typeof CheckId>

export const Check = Type.Object({
  id: CheckId,
  state: CheckState,
  text: Type.String({ description: 'What was found and, where something is wrong, what to do' }),
})
export type Check = Static<typeof Check>

export const Diagnostics = Type.Object({
  /** By the clock of the server that answers, as it answers. */
  checked_at: Timestamp,
  public_url: Type.String(),
  checks: Type.Array(Check),
})
export type Diagnostics = Static<typeof Diagnostics>

export const TestMail = Type.Object({ state: CheckState, text: Type.String() })
export type TestMail = Static<typeof TestMail>

const minute = 60

export const diagnose = {
  method: 'GET',
  path: '/admin/diagnostics',
  tag: 'admin',
  summary: 'Admins: whether each part of this server works, as far as the one that answers can tell',
  auth: 'required',
  replies: { 200: Diagnostics },
  refusals: ['route_not_found'],
  // Each asks everything that this server stands on.
  rateLimits: [
    { by: 'person', max: 20, seconds: minute },
    { by: 'address', max: 60, seconds: minute },
  ],
} as const satisfies Operation

export const sendTestMail = {
  method: 'POST',
  path: '/admin/diagnostics/mail',
  tag: 'admin',
  summary: 'Admins: a mail to their own address, and what the mail server said to it',
  auth: 'required',
  replies: { 200: TestMail },
  refusals: ['route_not_found'],
  rateLimits: [
    { by: 'person', max: 5, seconds: 10 * minute },
    { by: 'address', max: 20, seconds: 10 * minute },
  ],
} as const satisfies Operation
