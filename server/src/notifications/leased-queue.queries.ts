import type { Db, Tx } from '../platform/db/database.ts'
import { type Piece, sql, statement } from '../platform/db/statements.ts'

/**
 * The statements of a queue in a table with the columns `id`, `due_at` and `attempts`. An item that is claimed is due again at
 * the end of its lease, unless it is finished by then: if a node crashes, another one takes its items.
 */
export function leasedQueue(table: Piece<never>) {
  const waiting = statement`
    select count(*)::integer as count,
      coalesce(extract(epoch from ${'now'}::timestamptz - min(due_at)), 0)::double precision as oldest_s
    from ${table} where due_at <= ${'now'}::timestamptz`
  const due = statement`update ${table} set due_at = ${'dueAt'}::timestamptz where id = ${'id'}`
  return {
    /**
     * Returns the statement that claims the items of `chosen`, a table expression with their ids that may be recursive, until
     * `leaseUntil`. Of concurrent callers each item goes to one. `joined` begins with `from` and ends with `and`.
     */
    claimOf: <C extends string, R extends string>(
      chosen: Piece<C>,
      returned: Piece<R>,
      joined: Piece<never> = sql`where`,
    ) =>
      // Another node may have claimed a chosen item meanwhile, so that it is locked or no longer due.
      statement`
        with recursive chosen ${chosen}
        update ${table} d set due_at = ${'leaseUntil'}::timestamptz, attempts = d.attempts + 1
        ${joined} d.id = any(array(
          select w.id from ${table} w
          where w.id = any(array(select id from chosen)) and w.due_at <= ${'now'}::timestamptz for update skip locked))
        returning ${returned}`,
    async updateDue(tx: Tx, id: string, dueAt: Date): Promise<void> {
      await due(tx, { id, dueAt })
    },
    /** Counts the items that are due and not sent. */
    async getWaiting(db: Db, now: Date): Promise<{ count: number; oldest_s: number }> {
      const [row] = await waiting<{ count: number; oldest_s: number }>(db, { now })
      return row as NonNullable<typeof row>
    },
  }
}
