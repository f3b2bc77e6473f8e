import type { Tx } from '../platform/db/database.ts'
import type { Change, OutboxEvent } from './bus.ts'
import { listMentioning, updateBody } from './outbox.queries.ts'

/**
 * Rewrites the stored changes that mention an id, so that no row of the outbox contains an erased text any more. Nodes
 * that have delivered such a change stored its text in memory only. Joins the transaction that erases the text.
 */
export async function rewriteChanges(tx: Tx, id: string, rewrite: (change: Change) => Change): Promise<void> {
  for (const row of await listMentioning(tx, id)) {
    const events = JSON.parse(row.body) as OutboxEvent[]
    const rewritten = events.map((event) =>
      event.kind === 'changes' ? { ...event, changes: event.changes.map(rewrite) } : event,
    )
    await updateBody(tx, row.id, JSON.stringify(rewritten))
  }
}
