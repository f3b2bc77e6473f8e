import type { FastifyBaseLogger } from 'fastify'
import { createJob, type Job, type JobRun } from '../async/job.ts'
import type { Pool } from './database.ts'
import { listOwnTables, vacuumTable } from './vacuum.queries.ts'

interface VacuumJobsDeps {
  pool: Pool
  log: FastifyBaseLogger
}

const intervalMs = 3_600_000

/**
 * Vacuums all tables every hour, one after another. A deleted or replaced row stays in the data files until then, and PostgreSQL's own
 * autovacuum leaves small tables alone for months. Tables without such rows cost next to nothing.
 */
export function createVacuumJobs({ pool, log }: VacuumJobsDeps): Job {
  async function run({ signal }: JobRun): Promise<void> {
    for (const table of await listOwnTables(pool)) {
      if (signal.aborted) return
      await vacuumTable(pool, table)
    }
  }
  return createJob({ everyMs: intervalMs, initialDelayMs: intervalMs, failure: 'vacuum failed', log, run })
}
