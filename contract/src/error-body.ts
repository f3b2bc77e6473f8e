import { type Static, Type } from 'typebox'

/**
 * One invalid field of an input: its location (`loc` starts with `body`, `query`, `path` or `header`), a message for users, a
 * machine-readable type, and the code of the error with what its text names, for example a limit. Servers of earlier versions send
 * no code.
 */
export const FieldError = Type.Object({
  loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
  msg: Type.String(),
  type: Type.String(),
  code: Type.Optional(Type.String()),
  params: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
})
export type FieldError = Static<typeof FieldError>

/**
 * The body of every reply that is not a success. A list means 422. `code` is the code of a refusal, `invalid_input` or
 * `internal_error`; `incident` is the id of the line of the log. Servers of earlier versions send neither.
 */
export const ErrorBody = Type.Object({
  detail: Type.Union([Type.String(), Type.Array(FieldError)]),
  code: Type.Optional(Type.String()),
  incident: Type.Optional(Type.String()),
})
export type ErrorBody = Static<typeof ErrorBody>
