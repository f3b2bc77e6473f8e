import type { Tx } from './database.ts'
import { rowBatches } from './row-batches.ts'
import { isQuery, type PendingQuery } from './sql.ts'

/** A value in which each list is the query that reads it. */
export type Queried<T> = T extends readonly (infer R)[]
  ? PendingQuery<R[]>
  : T extends object
    ? { readonly [K in keyof T]: Queried<T[K]> }
    : T

/** Writes the value as JSON, with the rows of its queries. Never more than one batch of rows is in memory. */
export async function* jsonParts(tx: Tx, value: unknown): AsyncGenerator<string> {
  if (isQuery(value)) yield* jsonRows(tx, value)
  else if (typeof value !== 'object' || value === null) yield JSON.stringify(value)
  else {
    let before = '{'
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue
      yield `${before}${JSON.stringify(key)}:`
      yield* jsonParts(tx, member)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  }
}

async function* jsonRows(tx: Tx, query: PendingQuery): AsyncGenerator<string> {
  let before = '['
  for await (const rows of rowBatches(tx, query)) {
    yield before + rows.map((row) => JSON.stringify(row)).join(',')
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}
