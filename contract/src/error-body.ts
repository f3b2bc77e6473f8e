import { type Static, Type } from 'typebox'

/** One invalid field of an input: its location (`loc` starts with `body`, `query`, `path` or `header`), a message for users, and a machine-readable type. */
export const FieldError = Type.Object({
  loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
  msg: Type.String(),
  type: Type.String(),
})
export type FieldError = Static<typeof FieldError>

/** The body of every reply that is not a success. A list means 422. */
export const ErrorBody = Type.Object({ detail: Type.Union([Type.String(), Type.Array(FieldError)]) })
export type ErrorBody = Static<typeof ErrorBody>
