import { type Static, type TSchema, Type } from 'typebox'

/** Free text. PostgreSQL cannot store the NUL character, so no field takes it. Lengths are in Unicode code points, as Ajv counts them. */
export function text(options: { minLength?: number; maxLength?: number; pattern?: string }) {
  return Type.String({ pattern: '^[^\\u0000]*$', ...options })
}

/** ISO 8601 UTC with milliseconds and `Z`, as the server writes it. */
export type Timestamp = string
export const Timestamp = Type.Unsafe<Timestamp>({ type: 'string', examples: ['2026-11-21T18:04:05.678Z'] })

/** A point in time sent by a client: ISO 8601 with an offset or `Z`. */
export const InstantInput = Type.String({ format: 'date-time', maxLength: 40 })

/** The same schema with `null` allowed, as a type list rather than `anyOf`, which serialises faster and reads better in refusals. */
export function nullable<T extends TSchema>(schema: T) {
  const { type } = schema as { type?: string }
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [type ?? 'string', 'null'] })
}

/** One of these words. */
export function oneOf<const Words extends readonly string[]>(words: Words) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: words })
}

/** The operation's `content` says of what kind. */
export const Bytes = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })

/** A 204: nothing in the body. */
export const NoContent = Type.Null()
