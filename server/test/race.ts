import type { Pool, Tx } from '../src/platform/db/database.ts'

/**
 * Forces two or more calls to run concurrently. `lock` acquires a lock that all calls need. The calls start one after
 * another, each as soon as the previous one waits for the lock. Then the lock is released. Needs a pool with more than one
 * connection. Throws if a call does not wait for the lock.
 */
export async function race<T>(
  pool: Pool,
  lock: (tx: Tx) => Promise<unknown>,
  ...calls: (() => Promise<T>)[]
): Promise<T[]> {
  const started: Promise<T>[] = []
  await pool.begin(async (tx) => {
    await lock(tx)
    for (const call of calls) {
      const running = call()
      running.catch(() => undefined)
      started.push(running)
      await waitForBlockedCalls(pool, started.length)
    }
  })
  return Promise.all(started)
}

async function waitForBlockedCalls(pool: Pool, count: number): Promise<void> {
  // A call that does not need the lock never waits. A call that needs it may take long to reach it on a busy machine.
  const deadline = Date.now() + 20_000
  while (Date.now() < deadline) {
    const waiting = await pool`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    if (waiting.length >= count) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`Fewer than ${count} calls wait for the lock`)
}
