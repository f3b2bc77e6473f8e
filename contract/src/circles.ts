import { type Static, Type } from 'typebox'
import { CircleId, UserId } from './ids.ts'
import type { Operation } from './operation.ts'
import * as runtime from './runtime/circles.ts'
import { InstantInput, NameInput, NoContent, nullable, page, Timestamp } from './values.ts'

/** A named list of friends that belongs to one user. Only that user ever receives it. */
export const Circle = Type.Object({
  id: CircleId,
  name: Type.String(),
  emoji: nullable(Type.String()),
  member_ids: Type.Array(UserId, { maxItems: runtime.circleLimits.membersMax, description: 'By username' }),
  created_at: Timestamp,
  updated_at: Type.Unsafe<Timestamp>({
    ...Timestamp,
    description: 'The time of the last change of the circle or its members; later with each change',
  }),
})
export type Circle = Static<typeof Circle>

// Rules of the server check all limits, because their errors have their own texts.
const Emoji = nullable(Type.String())
/** A repeated id counts once. */
const MemberIds = Type.Array(UserId)

export const NewCircle = Type.Object({ name: NameInput, emoji: Type.Optional(Emoji), member_ids: MemberIds })
export type NewCircle = Static<typeof NewCircle>

/** Absent fields stay unchanged. `member_ids` replaces the whole list. */
export const ChangeCircle = Type.Object({
  name: Type.Optional(NameInput),
  emoji: Type.Optional(Emoji),
  member_ids: Type.Optional(MemberIds),
  /** The `updated_at` of the circle that the caller has edited. If the circle has changed since then, nothing is saved. */
  expected_updated_at: Type.Optional(InstantInput),
})
export type ChangeCircle = Static<typeof ChangeCircle>

/** The circles of a user in the export of their data. */
export const CirclesExport = Type.Array(
  Type.Object({
    name: Type.String(),
    emoji: nullable(Type.String()),
    members: Type.Array(Type.String()),
    created_at: Timestamp,
  }),
)
export type CirclesExport = Static<typeof CirclesExport>

const CircleParam = Type.Object({ id: CircleId })
const hour = 3600

export const listCircles = {
  address: 'GET /circles',
  auth: 'required',
  tag: 'circles',
  summary: "List the caller's circles, by name",
  query: page(CircleId),
  replies: { 200: Type.Array(Circle) },
} as const satisfies Operation

export const createCircle = {
  address: 'POST /circles',
  auth: 'required',
  tag: 'circles',
  summary: 'Create a circle of friends that only the caller sees',
  body: NewCircle,
  replies: { 201: Circle },
  refusals: ['circle_exists', 'too_many_circles'],
  rateLimits: [{ by: 'person', max: 60, seconds: hour }],
} as const satisfies Operation

export const changeCircle = {
  address: 'PATCH /circles/:id',
  auth: 'required',
  tag: 'circles',
  summary: "Change the name, the emoji or the members of the caller's circle",
  params: CircleParam,
  body: ChangeCircle,
  replies: { 200: Circle },
  refusals: ['circle_not_found', 'circle_exists', 'circle_edit_conflict'],
  rateLimits: [{ by: 'person', max: 60, seconds: hour }],
} as const satisfies Operation

export const deleteCircle = {
  address: 'DELETE /circles/:id',
  auth: 'required',
  tag: 'circles',
  summary: "Delete the caller's circle; idempotent, also for circles that the caller does not have",
  params: CircleParam,
  replies: { 204: NoContent },
} as const satisfies Operation
