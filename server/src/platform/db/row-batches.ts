import type { Tx } from './database.ts'
import type { PendingQuery } from './sql.ts'

/** The rows that are in memory at once. A row with the longest texts has some ten kilobytes. */
const batchRows = 100

/** Reads the rows of a query that was not sent yet, in batches, so that their number does not affect the memory. */
export async function* rowBatches<R>(tx: Tx, query: PendingQuery<R[]>, size = batchRows): AsyncGenerator<R[]> {
  const { text, values } = query.statement()
  await tx.unsafe(`declare row_batches no scroll cursor for ${text}`, values)
  while (true) {
    const rows = await tx.unsafe<R[]>(`fetch ${size} from row_batches`)
    if (rows.length > 0) yield rows
    if (rows.length < size) break
  }
  await tx`close row_batches`
}
