import type { Db } from '../platform/db/database.ts'

/** Connections of all of Hither's servers to this database, by state. */
export async function countConnections(db: Db): Promise<{ state: string; count: number }[]> {
  return db<{ state: string; count: number }[]>`
    select coalesce(state, 'unknown') as state, count(*)::integer as count from pg_stat_activity
    where datname = current_database() and application_name = 'hither' group by 1 order by 1`
}
