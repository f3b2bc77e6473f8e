import { type Db } from '../platform/database.ts'

/** Every table of ours is in them, whichever feature it belongs to: a backup that names its tables forgets the next one. */
export interface Table {
  name: string
  /** But for generated ones. */
  columns: string[]
  /** Whose rows have to be there before its own. */
  references: string[]
}

/** What these hold is delivered or deleted within minutes, and belongs to one database. */
const transient = ['outbox', 'outbox_state']

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
  /** Null: nothing was taken of it yet. */
  last_value: string | null
}

export async function listSequences(db: Db): Promise<Sequence[]> {
  return db<Sequence[]>`
    select sequencename as name, last_value::text as last_value
    from pg_sequences where schemaname = current_schema() order by sequencename`
}

/** Rows as JSON, a thousand at a time, so that a large table needs no more memory. Needs a transaction. */
export async function* readRows(db: Db, { name, columns }: Table): AsyncIterable<{ row: string }[]> {
  // Of exactly these columns, in their order.
  await db`
    declare backup_rows no scroll cursor for
    select to_json(t)::text as row from (select ${db(columns)} from ${db(name)}) t`
  while (true) {
    const rows = await db<{ row: string }[]>`fetch 1000 from backup_rows`
    if (rows.length === 0) break
    yield rows
  }
  await db`close backup_rows`
}

/** Which columns name files, in whichever table; what waits to be erased is not kept. */
export async function listKeyColumns(db: Db): Promise<{ table_name: string; column_name: string }[]> {
  return db<{ table_name: string; column_name: string }[]>`
    select table_name::text, column_name::text from information_schema.columns
    where table_schema = current_schema() and column_name like '%storage_key' and table_name <> 'erasures'
    order by table_name, column_name`
}

export async function listKeys(db: Db, table: string, column: string): Promise<string[]> {
  const rows = await db<{ key: string }[]>`
    select distinct ${db(column)} as key from ${db(table)} where ${db(column)} is not null`
  return rows.map(({ key }) => key)
}

/** Every file that a row names. */
export async function listFiles(db: Db): Promise<Set<string>> {
  const keys = new Set<string>()
  for (const { table_name, column_name } of await listKeyColumns(db)) {
    for (const key of await listKeys(db, table_name, column_name)) keys.add(key)
  }
  return keys
}

export async function listMigrations(db: Db): Promise<{ name: string; checksum: string }[]> {
  return db<{ name: string; checksum: string }[]>`select name, checksum from migrations order by name`
}

/** When this database was first used; null for one that never was. */
export async function findFirstStart(db: Db): Promise<Date | null> {
  const [row] = await db<[{ at: string | null }]>`select min(applied_at) as at from migrations`
  return row.at === null ? null : new Date(row.at)
}

export async function isThere(db: Db, table: string): Promise<boolean> {
  const rows = await db`
    select 1 from pg_class where relname = ${table} and relkind = 'r' and relnamespace = current_schema()::regnamespace`
  return rows.length > 0
}

/** Each after those it refers to. */
export function inOrder(tables: readonly Table[]): Table[] {
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
