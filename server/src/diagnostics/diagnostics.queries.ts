import type { UserId } from '@hither/contract/ids.ts'
import type { Db } from '../platform/db/database.ts'
import type { Waiting } from './verdicts.rules.ts'

/** Returns the database's clock in Unix milliseconds. */
export async function findClock(db: Db): Promise<number> {
  const [row] = await db<[{ ms: number }]>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`
  return row.ms
}

/** How often a page of any database of this server did not match its checksum when it was read; 0 if PostgreSQL keeps no checksums. */
export async function countDamagedPages(db: Db): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select coalesce(sum(checksum_failures), 0)::float8 as count from pg_stat_database`
  return row.count
}

export async function findWaitingMail(db: Db, now: Date): Promise<Waiting> {
  const [row] = await db<[Waiting]>`
    select count(*)::int as count,
      coalesce(extract(epoch from ${now}::timestamptz - min(created_at)), 0)::float8 as seconds
    from deliveries`
  return row
}

export async function findPushes(db: Db, now: Date): Promise<Waiting & { devices: number; failing: number }> {
  const [row] = await db<[Waiting & { devices: number; failing: number }]>`
    select count(*)::int as count,
      coalesce(extract(epoch from ${now}::timestamptz - min(happened_at)), 0)::float8 as seconds,
      (select count(*)::int from push_subscriptions) as devices,
      (select count(*)::int from push_subscriptions where failing_since is not null) as failing
    from push_deliveries`
  return row
}

export async function findEmail(db: Db, userId: UserId): Promise<string | undefined> {
  const [row] = await db<{ email: string }[]>`select email from users where id = ${userId}`
  return row?.email
}
