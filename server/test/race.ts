import { type Db, type Pool } from '../src/platform/database.ts'

/**
 * Forces two or more calls to meet: `hold` takes a lock that each of them needs, they are started one after another, each
 * once the one before it waits, and only then is the lock let go. Needs a database with more than one connection.
 */
export async function race<T>(
  pool: Pool,
  hold: (db: Db) => Promise<unknown>,
  ...calls: (() => Promise<T>)[]
): Promise<T[]> {
  const started: Promise<T>[] = []
  await pool.begin(async (db) => {
    await hold(db)
    for (const call of calls) {
      const running = call()
      running.catch(() => undefined)
      started.push(running)
      await untilWaiting(pool, started.length)
    }
  })
  return Promise.all(started)
}

async function untilWaiting(pool: Pool, count: number): Promise<void> {
  // Calls that do not wait for this lock never will; calls that do may need a while on a busy machine.
  const deadline = Date.now() + 20_000
  while (Date.now() < deadline) {
    const waiting = await pool`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    if (waiting.length >= count) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`Fewer than ${count} calls wait for the lock that is held`)
}
