import type { Db, Pool } from './database.ts'

/** The tables of the current schema that the database user owns, in alphabetical order. */
export async function listOwnTables(db: Db): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
      and c.relowner = (select oid from pg_roles where rolname = current_user)
    order by c.relname`
  return rows.map(({ name }) => name)
}

/**
 * Removes deleted and replaced rows from a table and its indexes. PostgreSQL refuses it inside a transaction, so it takes
 * the pool. A table that another node vacuums at that moment is skipped.
 */
export async function vacuumTable(pool: Pool, table: string): Promise<void> {
  await pool`vacuum (skip_locked, index_cleanup on) ${pool(table)}`
}
