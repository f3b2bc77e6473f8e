import type { Db } from './database.ts'
import type { PendingQuery, Row } from './sql.ts'

// The text of a statement that is the same for every call is built once, when the program starts. The library builds a
// template, with each template in it, on every call.

/** A part of statements, with the names of its values. */
export interface Piece<Name extends string> {
  readonly parts: readonly (string | Value<Name>)[]
}

interface Value<Name extends string> {
  readonly name: Name
}

type Part = string | Piece<string>
type NameOf<P> = P extends string ? P : P extends Piece<infer Name> ? Name : never

/** Braces contain another part, or the name of a value. */
export function sql<const P extends readonly Part[]>(
  texts: TemplateStringsArray,
  ...parts: P
): Piece<NameOf<P[number]>> {
  const all = texts.flatMap((text, index) => {
    const part = parts[index]
    if (part === undefined) return [text]
    return typeof part === 'string' ? [text, { name: part }] : [text, ...part.parts]
  })
  return { parts: all as (string | Value<NameOf<P[number]>>)[] }
}

/** A constant text of the program. */
export function literal(text: string): Piece<never> {
  return { parts: [`'${text.replaceAll("'", "''")}'`] }
}

/** A time inside JSON, which the database writes in a different form. */
export function isoTime<N extends string>(column: Piece<N>): Piece<N> {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** How a statement writes a time: `isoTime` inside JSON, `plainTime` in a column of a row. */
export type TimeForm = <N extends string>(column: Piece<N>) => Piece<N>

export const plainTime: TimeForm = (column) => column

type Given = string | number | boolean | Date | Uint8Array | null | readonly string[]

/** Each value is sent once, even if its name occurs several times. */
type Statement<Name extends string> = <R extends object = object>(
  db: Db,
  values: Readonly<Record<Name, Given>>,
) => PendingQuery<(R & Row)[]>

/** Has the same form as `sql`. */
export function statement<const P extends readonly Part[]>(
  texts: TemplateStringsArray,
  ...parts: P
): Statement<NameOf<P[number]>> {
  const names: NameOf<P[number]>[] = []
  const numberOf = (name: NameOf<P[number]>) => {
    if (!names.includes(name)) names.push(name)
    return names.indexOf(name) + 1
  }
  const text = sql(texts, ...parts)
    .parts.map((part) => (typeof part === 'string' ? part : `$${numberOf(part.name)}`))
    .join('')
  return (db, values) => {
    const given = names.map((name) => values[name] as never)
    return db.unsafe(text, given, prepared) as never
  }
}

const prepared = { prepare: true }
