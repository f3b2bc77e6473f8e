import { tripLimits } from '@hither/contract/runtime/trips.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Changes } from '../events/changes.ts'
import { createJob, type Job, runInBatches } from '../platform/async/job.ts'
import type { Pool } from '../platform/db/database.ts'
import { lockPingOwnersShared } from '../users/user-locks.ts'
import { announceEnded } from './audience/trip-announcements.ts'
import { deleteOverdue, findNextArrival, listOverdue } from './trips.queries.ts'

interface TripJobsDeps {
  pool: Pool
  changes: Changes
  log: FastifyBaseLogger
  now: () => Date
}

/** The longest sleep. A trip that another node writes does not wake the job: none ends within this time. */
const sleepMaxMs = 10_000
const batch = 200

/** Ends trips whose arrival time has long passed. Several nodes may run it at the same time. */
export function createTripJobs(deps: TripJobsDeps): Job {
  const { pool, log, now } = deps
  return createJob({
    everyMs: sleepMaxMs,
    failure: 'trip cleanup failed',
    log,
    async run({ signal, wake }) {
      await runInBatches(batch, signal, [() => endBatch(deps)])
      const [next] = await findNextArrival(pool)
      if (next.arrives_at !== null) wake(Date.parse(next.arrives_at) + tripLimits.overdueMs - now().getTime())
    },
  })
}

/** Ends overdue trips. Returns the number of trips that were due. */
async function endBatch({ pool, changes, now }: TripJobsDeps): Promise<number> {
  return changes.commit(pool, async (tx, announce) => {
    const arrivedBefore = new Date(now().getTime() - tripLimits.overdueMs)
    const due = await listOverdue(tx, arrivedBefore, batch)
    if (due.length === 0) return 0
    await lockPingOwnersShared(
      tx,
      due.map(({ ping_id }) => ping_id),
    )
    const ended = await deleteOverdue(tx, due, arrivedBefore)
    announceEnded(announce, ended)
    return ended.length
  })
}
