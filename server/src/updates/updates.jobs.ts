import { randomInt } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Changes } from '../events/changes.ts'
import { createJob, type Job } from '../platform/async/job.ts'
import type { Pool } from '../platform/db/database.ts'
import { NoRelease, readRelease } from './update-file.ts'
import * as queries from './updates.queries.ts'

interface UpdateJobsDeps {
  pool: Pool
  changes: Changes
  log: FastifyBaseLogger
  now: () => Date
  updateCheckUrl: string | null
}

const everyMs = 15 * 60_000
const dayMs = 86_400_000

/** Reads `UPDATE_CHECK_URL` on the first start with it, and from then on once each day in UTC, at a random time, on one node. */
export function createUpdateJobs({ pool, changes, log, now, updateCheckUrl }: UpdateJobsDeps): Job {
  async function run(): Promise<void> {
    if (updateCheckUrl === null) return
    if (!(await changes.commit(pool, (tx) => queries.claimCheck(tx, now(), nextDayAfter(now()))))) return
    try {
      const release = await readRelease(updateCheckUrl)
      await changes.commit(pool, (tx) => queries.updateRelease(tx, release, now()))
    } catch (error) {
      if (!(error instanceof NoRelease)) throw error
      log.warn({ reason: error.message }, 'update check failed')
      await changes.commit(pool, (tx) => queries.updateFailure(tx, now()))
    }
  }
  return createJob({ everyMs, failure: 'update check failed', log, run })
}

/** A random time of the next day. */
function nextDayAfter(now: Date): Date {
  return new Date((Math.floor(now.getTime() / dayMs) + 1) * dayMs + randomInt(dayMs))
}
