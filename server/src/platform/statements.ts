import { type Db } from './database.ts'
import { type PendingQuery, type Row } from './sql.ts'

// Statements whose text is the same for every call is put together once, as the program starts. A template of the library is
// put together, with each template within it, every time it is asked.

/** A part of statements, with the names of the values it takes. */
export interface Piece<Name extends string> {
  readonly parts: readonly (string | Value<Name>)[]
}

interface Value<Name extends string> {
  readonly name: Name
}

type Part = string | Piece<string>
type NameOf<P> = P extends string ? P : P extends Piece<infer Name> ? Name : never

/** What stands in braces is another piece, or the name of a value. */
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

/** A text of the program's own. */
export function literal(text: string): Piece<never> {
  return { parts: [`'${text.replaceAll("'", "''")}'`] }
}

/** A time inside of JSON, where the database writes it in a form of its own. */
export function isoTime<N extends string>(column: Piece<N>): Piece<N> {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

type Given = string | number | boolean | Date | null | readonly string[]

/** Each value is sent once, however often it is named. */
export type Statement<Name extends string> = <R extends object = object>(
  db: Db,
  values: Readonly<Record<Name, Given>>,
) => PendingQuery<(R & Row)[]>

/** Written as `sql`. */
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
