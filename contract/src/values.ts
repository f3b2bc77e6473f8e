import { type Static, type TSchema, Type } from 'typebox'
import { pageMax } from './runtime/pages.ts'

/** Free text. PostgreSQL cannot store the NUL character, so no field accepts it. Lengths are in Unicode code points, as Ajv counts them. */
export function text(options: { minLength?: number; maxLength?: number; pattern?: string }) {
  return Type.String({ pattern: '^[^\\u0000]*$', ...options })
}

/** A name. A rule of the server checks it (`isName`), because its errors have their own texts. */
export const NameInput = Type.String()

/** ISO 8601 UTC with milliseconds and `Z`, as the server writes it. */
export type Timestamp = string
export const Timestamp = Type.Unsafe<Timestamp>({ type: 'string', examples: ['2026-11-21T18:04:05.678Z'] })

/** A point in time sent by a client, which `readInstant` can read. */
export const InstantInput = Type.String({ format: 'date-time', maxLength: 40 })

const instantPattern = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/
/** The years that the database and ISO 8601 write with four digits. */
const [firstMs, lastMs] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]

/**
 * Reads a time of a client: ISO 8601 with an offset in hours and minutes, or `Z`. Returns `null` for everything else, for
 * dates and times that do not exist, leap seconds included, and for years before 1 or after 9999 in UTC.
 */
export function readInstant(text: string): Date | null {
  const [isWhole, date, time, fraction = '', sign, hours, minutes] = instantPattern.exec(text) ?? []
  if (isWhole !== text) return null
  const local = new Date(`${date}T${time}${fraction.slice(0, 4)}Z`)
  // JavaScript turns some days that do not exist into those of the next month.
  if (Number.isNaN(local.getTime()) || local.toISOString().slice(0, 19) !== `${date}T${time}`) return null
  const offsetMs = sign ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000 : 0
  const ms = local.getTime() - offsetMs
  return ms >= firstMs && ms <= lastMs ? new Date(ms) : null
}

/** The same schema with `null` allowed. It uses a type list instead of `anyOf`, which serializes faster and gives clearer validation errors. */
export function nullable<T extends TSchema>(schema: T) {
  const { type } = schema as { type?: string }
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [type ?? 'string', 'null'] })
}

/** A string that is one of the given words. */
export function oneOf<const Words extends readonly string[]>(words: Words) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: words })
}

export const Latitude = Type.Number({ minimum: -90, maximum: 90 })
export const Longitude = Type.Number({ minimum: -180, maximum: 180 })

/** The query of a list with pages. `before` is the last row of the page before, by the id that the list names its rows with. */
export function page<Id extends TSchema>(before: Id) {
  return Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageMax })),
    before: Type.Optional(before),
  })
}

/** A binary body. The operation's `content` is its media type. */
export const Bytes = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })

/** The empty body of a 204. */
export const NoContent = Type.Null()
