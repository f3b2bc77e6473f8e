import type { Tx } from '../platform/db/database.ts'

/** Counts the other servers that are connected to this database. */
export async function countOthers(tx: Tx): Promise<number> {
  const [row] = await tx<[{ count: number }]>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and application_name = 'hither' and pid <> pg_backend_pid()`
  return row.count
}

export async function countUsers(tx: Tx): Promise<number> {
  const [row] = await tx<[{ count: number }]>`select count(*)::integer as count from users`
  return row.count
}

/** All tables and functions that do not belong to an extension. */
export async function dropEverything(tx: Tx): Promise<void> {
  const tables = await tx<{ name: string }[]>`
    select relname as name from pg_class c
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')`
  for (const { name } of tables) await tx`drop table if exists ${tx(name)} cascade`
  const functions = await tx<{ signature: string }[]>`
    select oid::regprocedure::text as signature from pg_proc p
    where pronamespace = current_schema()::regnamespace
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')`
  // PostgreSQL returned the quoted signature.
  for (const { signature } of functions) await tx.unsafe(`drop function if exists ${signature} cascade`)
}

/** A row that refers to a row of the same table may come before it. Such references are checked by `checkConstraints`. */
export async function deferConstraints(tx: Tx): Promise<void> {
  await tx`set constraints all deferred`
}

export async function checkConstraints(tx: Tx): Promise<void> {
  await tx`set constraints all immediate`
}

/** Prepares the table for the rows of a backup: deletes its rows and disables its triggers. */
export async function prepareTable(tx: Tx, table: string): Promise<void> {
  await tx`alter table ${tx(table)} disable trigger user`
  await tx`delete from ${tx(table)}`
}

export async function insertRows(
  tx: Tx,
  table: string,
  columns: readonly string[],
  rows: readonly string[],
): Promise<void> {
  const list = tx(columns as string[])
  await tx`
    insert into ${tx(table)} (${list}) overriding system value
    select ${list} from json_populate_recordset(null::${tx(table)}, ${`[${rows.join(',')}]`}::text::json)`
}

export async function enableTriggers(tx: Tx, table: string): Promise<void> {
  await tx`alter table ${tx(table)} enable trigger user`
}

export async function setSequence(tx: Tx, name: string, lastValue: string): Promise<void> {
  await tx`select setval(${name}::text::regclass, ${lastValue}::text::bigint)`
}

/** Deletes all sessions, with their devices and queued messages, and revokes access tokens that may still be valid. */
export async function endAllSessions(tx: Tx, now: Date): Promise<number> {
  await tx`
    insert into revoked_sessions (session_id, revoked_at) select id, ${now}::timestamptz from sessions on conflict do nothing`
  return (await tx`delete from sessions`).count
}

/** Deletes the challenges of running sign-ins and the tokens that set a new password. */
export async function deleteSignInSecrets(tx: Tx): Promise<void> {
  await tx`delete from auth_challenges`
  await tx`delete from mail_tokens where purpose = 'reset'`
}

export async function insertErasures(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx`insert into erasures (storage_key) select unnest(${keys as string[]}::text[]) on conflict do nothing`
}

export async function listErasures(tx: Tx): Promise<string[]> {
  const rows = await tx<{ storage_key: string }[]>`select storage_key from erasures`
  return rows.map(({ storage_key }) => storage_key)
}

export async function deleteErasures(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx`delete from erasures where storage_key = any (${keys as string[]}::text[])`
}

/** Deletes the pictures that name one of these files. */
export async function deleteImagesOf(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx`
    delete from images where storage_key = any (${keys as string[]}::text[]) or thumb_storage_key = any (${keys as string[]}::text[])`
}

export async function hasTables(tx: Tx): Promise<boolean> {
  const rows = await tx`
    select 1 from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') limit 1`
  return rows.length > 0
}
