import { type Db } from '../platform/database.ts'

/** Other servers on this database than the one that asks. */
export async function countOthers(db: Db): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and application_name = 'hither' and pid <> pg_backend_pid()`
  return row.count
}

export async function countUsers(db: Db): Promise<number> {
  const [row] = await db<[{ count: number }]>`select count(*)::integer as count from users`
  return row.count
}

/** All tables and functions that are not an extension's. */
export async function dropEverything(db: Db): Promise<void> {
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class c
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')`
  for (const { name } of tables) await db`drop table if exists ${db(name)} cascade`
  const functions = await db<{ signature: string }[]>`
    select oid::regprocedure::text as signature from pg_proc p
    where pronamespace = current_schema()::regnamespace
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')`
  // PostgreSQL wrote and quoted the signature.
  for (const { signature } of functions) await db.unsafe(`drop function if exists ${signature} cascade`)
}

/** Makes the table ready for the rows of a backup: none of its own, and nothing that a row's coming would set off. */
export async function prepareTable(db: Db, table: string): Promise<void> {
  await db`alter table ${db(table)} disable trigger user`
  await db`delete from ${db(table)}`
}

export async function insertRows(
  db: Db,
  table: string,
  columns: readonly string[],
  rows: readonly string[],
): Promise<void> {
  const list = db(columns as string[])
  await db`
    insert into ${db(table)} (${list}) overriding system value
    select ${list} from json_populate_recordset(null::${db(table)}, ${`[${rows.join(',')}]`}::text::json)`
}

export async function enableTriggers(db: Db, table: string): Promise<void> {
  await db`alter table ${db(table)} enable trigger user`
}

export async function setSequence(db: Db, name: string, lastValue: string): Promise<void> {
  await db`select setval(${name}::text::regclass, ${lastValue}::text::bigint)`
}

/** Ended, as far as an access token may still look good; and gone, with all devices and what waits for them. */
export async function endAllSessions(db: Db, now: Date): Promise<number> {
  await db`
    insert into revoked_sessions (session_id, revoked_at) select id, ${now}::timestamptz from sessions on conflict do nothing`
  return (await db`delete from sessions`).count
}

export async function insertErasures(db: Db, keys: readonly string[]): Promise<void> {
  await db`insert into erasures (storage_key) select unnest(${keys as string[]}::text[]) on conflict do nothing`
}

export async function listErasures(db: Db): Promise<string[]> {
  const rows = await db<{ storage_key: string }[]>`select storage_key from erasures`
  return rows.map(({ storage_key }) => storage_key)
}

export async function deleteErasures(db: Db, keys: readonly string[]): Promise<void> {
  await db`delete from erasures where storage_key = any (${keys as string[]}::text[])`
}

/** A picture whose files are gone is none. */
export async function deleteImagesOf(db: Db, keys: readonly string[]): Promise<void> {
  await db`
    delete from images where storage_key = any (${keys as string[]}::text[]) or thumb_storage_key = any (${keys as string[]}::text[])`
}

export async function hasTables(db: Db): Promise<boolean> {
  const rows = await db`
    select 1 from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') limit 1`
  return rows.length > 0
}
