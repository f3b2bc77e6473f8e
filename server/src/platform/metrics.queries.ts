import { type Db } from './database.ts'

export interface Waiting {
  readonly queue: string
  readonly count: number
  /** How long the one that has waited longest has been due; 0 where none is. */
  readonly oldest_s: number
}

/** What should have been done by now and has not. */
export async function listWaiting(db: Db, now: Date): Promise<Waiting[]> {
  return db<Waiting[]>`
    with due as (
      select 'mail' as queue, due_at from deliveries where due_at <= ${now}
      union all select 'push', due_at from push_deliveries where due_at <= ${now}
      union all select 'pings', activates_at from location_pins where announced_status = 'pending' and activates_at <= ${now}
      union all select 'pings', expires_at from location_pins where announced_status <> 'expired' and expires_at <= ${now}
      union all select 'files', case when isfinite(due_at) then due_at end from erasures where due_at <= ${now}
    )
    select q.queue, count(d.queue)::integer as count,
      coalesce(extract(epoch from ${now}::timestamptz - min(d.due_at)), 0)::double precision as oldest_s
    from unnest(array['mail', 'push', 'pings', 'files']) q (queue) left join due d on d.queue = q.queue
    group by q.queue order by q.queue`
}

/** Connections of all of Hither's servers to this database, by state. */
export async function countConnections(db: Db): Promise<{ state: string; count: number }[]> {
  return db<{ state: string; count: number }[]>`
    select coalesce(state, 'unknown') as state, count(*)::integer as count from pg_stat_activity
    where datname = current_database() and application_name = 'hither' group by 1 order by 1`
}
