import type { Pool, Tx } from '../platform/db/database.ts'
import type { PendingQuery, Row } from '../platform/db/sql.ts'
import { isDependencyUnavailable } from '../platform/errors/dependency-errors.ts'

/**
 * Joins the caller's transaction, as its last statement. The transaction gets its number before the row gets its id: a
 * reader that misses an id then finds the transaction that may still commit it among those with a number.
 */
export function insertIntoOutbox(tx: Tx, body: string): PendingQuery<Row[]> {
  return tx`
    with current as materialized (select pg_current_xact_id() as xid)
    insert into outbox (id, xid, body) select nextval('outbox_ids'), xid, ${body} from current
    returning id::text, (extract(epoch from created_at) * 1000000)::bigint::text as created_us`
}

/** A row that is not delivered any more. */
export interface PassedRow {
  readonly id: number
  /** By the clock of the database, in Unix microseconds. */
  readonly createdAtUs: number
}

export interface OutboxRow extends PassedRow {
  readonly body: string
}

/** Returns the committed rows after an id, in the order of their ids, and the last row that was deleted. */
export async function listAfter(
  pool: Pool,
  id: number,
  limit: number,
): Promise<{ readonly deletedUpTo: PassedRow; readonly rows: readonly OutboxRow[] }> {
  const found = await pool<
    { deleted_up_to: string; deleted_row_us: string; id: string | null; created_us: string; body: string }[]
  >`
    select state.deleted_up_to::text, (extract(epoch from state.deleted_row_created_at) * 1000000)::bigint::text as deleted_row_us,
      later.id::text, (extract(epoch from later.created_at) * 1000000)::bigint::text as created_us, later.body
    from outbox_state state
    left join lateral (select id, created_at, body from outbox where id > ${id} order by id limit ${limit}) later on true
    order by later.id`
  const rows = found.flatMap((row) =>
    row.id === null ? [] : [{ id: Number(row.id), createdAtUs: Number(row.created_us), body: row.body }],
  )
  const { deleted_up_to = 0, deleted_row_us = 0 } = found[0] ?? {}
  return { deletedUpTo: { id: Number(deleted_up_to), createdAtUs: Number(deleted_row_us) }, rows }
}

/**
 * Returns every transaction of this database that has a number and is not finished. All nodes connect as one role, so
 * that each sees the transactions of the others.
 */
export async function listWritingTransactions(pool: Pool): Promise<ReadonlySet<string>> {
  const found = await pool<{ transaction: string }[]>`
    select concat(pid, ' ', backend_xid) as transaction from pg_stat_activity
    where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid()`
  return new Set(found.map(({ transaction }) => transaction))
}

/** Returns the row before the oldest one of at most this age, or the newest row if there is none. */
export async function findStart(pool: Pool, seconds: number): Promise<PassedRow> {
  const [found] = await pool<[{ id: string; created_us: string }]>`
    select start.id::text, (extract(epoch from coalesce(
      (select created_at from outbox where id <= start.id order by id desc limit 1),
      (select deleted_row_created_at from outbox_state)
    )) * 1000000)::bigint::text as created_us
    from (
      select coalesce(
        (select min(id) - 1 from outbox where created_at > now() - make_interval(secs => ${seconds})),
        (select greatest(deleted_up_to, (select coalesce(max(id), 0) from outbox)) from outbox_state)
      ) as id
    ) start`
  return { id: Number(found.id), createdAtUs: Number(found.created_us) }
}

/** Deletes at most `limit` rows that are older, and returns how many. */
export async function deleteOlderThan(pool: Pool, seconds: number, limit: number): Promise<number> {
  const [found] = await pool<[{ count: number }]>`
    with old as (
      select id from (select id, created_at from outbox order by id limit ${limit}) first
      where created_at < now() - make_interval(secs => ${seconds})
    ), deleted as (
      delete from outbox where id in (select id from old) returning id, created_at
    ), noted as (
      update outbox_state set deleted_up_to = last.id, deleted_row_created_at = last.created_at
      from (select id, created_at from deleted order by id desc limit 1) last where last.id > deleted_up_to
    )
    select count(*)::integer as count from deleted`
  return found.count
}

/**
 * Returns the timeline of the write-ahead log. A new timeline means that another server was promoted, which may lack
 * the last transactions of its predecessor. `null` if the service does not show it.
 */
export async function findTimeline(pool: Pool): Promise<string | null> {
  try {
    const [found] = await pool<[{ timeline: string }]>`
      select left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline`
    return found.timeline
  } catch (error) {
    if (isDependencyUnavailable(error)) throw error
    return null
  }
}

/** Returns the rows whose text contains an id. Reads the whole table, which has the rows of a few minutes. */
export async function listMentioning(tx: Tx, id: string): Promise<{ readonly id: string; readonly body: string }[]> {
  return tx<{ id: string; body: string }[]>`select id::text, body from outbox where strpos(body, ${id}) > 0 order by id`
}

export async function updateBody(tx: Tx, rowId: string, body: string): Promise<void> {
  await tx`update outbox set body = ${body} where id = ${rowId}::bigint`
}
