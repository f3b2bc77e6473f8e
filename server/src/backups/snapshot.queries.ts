import type { Db, Tx } from '../platform/db/database.ts'
import { rowBatches } from '../platform/db/row-batches.ts'

/** Backups include every table, whichever feature it belongs to: a fixed list of tables would miss new ones. */
export interface Table {
  name: string
  /** All columns except generated ones. */
  columns: string[]
  /** The tables whose rows must exist before the rows of this one. */
  references: string[]
}

/** The rows of these tables are delivered or deleted within minutes or hours, and belong to one database. */
const transient = ['outbox', 'outbox_state', 'ping_trips', 'ping_trip_notices']

export async function listTables(db: Db): Promise<Table[]> {
  return db<Table[]>`
    select c.relname as name,
      array(
        select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum
      ) as columns,
      array(
        select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
      ) as references
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and not (c.relname = any (${transient}))
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname`
}

export interface Sequence {
  name: string
  /** Null if the sequence has not been used yet. */
  last_value: string | null
}

export async function listSequences(tx: Tx): Promise<Sequence[]> {
  return tx<Sequence[]>`
    select sequencename as name, last_value::text as last_value
    from pg_sequences where schemaname = current_schema() order by sequencename`
}

/**
 * Returns the rows as JSON in batches of a thousand, so that a large table needs no more memory. Needs a transaction.
 */
export function readRows(tx: Tx, { name, columns }: Table): AsyncIterable<{ row: string }[]> {
  // Exactly these columns, in their order.
  const rows = tx<{ row: string }[]>`select to_json(t)::text as row from (select ${tx(columns)} from ${tx(name)}) t`
  return rowBatches(tx, rows, 1000)
}

/** The columns of all tables that name files. Files waiting to be erased are not included. */
async function listKeyColumns(tx: Tx): Promise<{ table_name: string; column_name: string }[]> {
  return tx<{ table_name: string; column_name: string }[]>`
    select table_name::text, column_name::text from information_schema.columns
    where table_schema = current_schema() and column_name like '%storage_key' and table_name <> 'erasures'
    order by table_name, column_name`
}

async function listKeys(tx: Tx, table: string, column: string): Promise<string[]> {
  const rows = await tx<{ key: string }[]>`
    select distinct ${tx(column)} as key from ${tx(table)} where ${tx(column)} is not null`
  return rows.map(({ key }) => key)
}

/** Returns every file that a row names. */
export async function listFiles(tx: Tx): Promise<Set<string>> {
  const keys = new Set<string>()
  for (const { table_name, column_name } of await listKeyColumns(tx)) {
    for (const key of await listKeys(tx, table_name, column_name)) keys.add(key)
  }
  return keys
}

export async function listMigrations(tx: Tx): Promise<{ name: string; checksum: string }[]> {
  return tx<{ name: string; checksum: string }[]>`select name, checksum from migrations order by name`
}

/** When this database was first used; null if never. */
export async function findFirstStart(db: Db): Promise<Date | null> {
  const [row] = await db<[{ at: string | null }]>`select min(applied_at) as at from migrations`
  return row.at === null ? null : new Date(row.at)
}

export async function hasTable(tx: Tx, table: string): Promise<boolean> {
  const rows = await tx`
    select 1 from pg_class where relname = ${table} and relkind = 'r' and relnamespace = current_schema()::regnamespace`
  return rows.length > 0
}

/** Sorts the tables so that each follows those it refers to. */
export function sortByReference(tables: readonly Table[]): Table[] {
  const ordered: Table[] = []
  const waiting = new Set(tables)
  while (waiting.size > 0) {
    const names = new Set([...waiting].map(({ name }) => name))
    const ready = [...waiting].filter(({ references }) => !references.some((name) => names.has(name)))
    if (ready.length === 0) throw new Error(`The tables ${[...names].join(', ')} refer to one another in a circle`)
    for (const table of ready) {
      ordered.push(table)
      waiting.delete(table)
    }
  }
  return ordered
}
