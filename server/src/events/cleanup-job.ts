import type { FastifyBaseLogger } from 'fastify'
import { createJob, type Job, runInBatches } from '../platform/async/job.ts'
import type { Pool, Tx } from '../platform/db/database.ts'
import type { Announce, Changes } from './changes.ts'

export interface CleanupJobDeps {
  pool: Pool
  changes: Changes
  log: FastifyBaseLogger
  now: () => Date
}

interface CleanupJobOptions {
  /** The log message of a failed run. */
  readonly failure: string
  /** The deletions of one run. Each deletes at most `limit` rows and returns their number. */
  readonly deletions: (now: Date) => readonly ((tx: Tx, limit: number, announce: Announce) => Promise<number>)[]
}

const everyMs = 3_600_000
const batch = 500

/** Deletes expired rows every hour, in small transactions, so that locks are short. */
export function createCleanupJob(
  { pool, changes, log, now }: CleanupJobDeps,
  { failure, deletions }: CleanupJobOptions,
): Job {
  return createJob({
    everyMs,
    failure,
    log,
    run({ signal }) {
      const steps = deletions(now()).map(
        (remove) => () => changes.commit(pool, (tx, announce) => remove(tx, batch, announce)),
      )
      return runInBatches(batch, signal, steps)
    },
  })
}
