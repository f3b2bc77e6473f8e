import type { FastifyBaseLogger } from 'fastify'
import type { Changes } from '../events/changes.ts'
import type { QueueFigures } from '../ops/metrics.ts'
import { type Backoff, backoffMs } from '../platform/async/backoff.ts'
import { createJob, type Job, type JobRun } from '../platform/async/job.ts'
import type { Db, Pool } from '../platform/db/database.ts'
import type { Uploads } from '../platform/http/uploads.ts'
import type { Storage } from '../platform/media/storage.ts'
import { claimErasures, deleteErasures, type Erasure, getWaiting, updateErasures } from './files.queries.ts'

export interface FileJobsDeps {
  pool: Pool
  changes: Changes
  storage: Storage
  uploads: Uploads
  log: FastifyBaseLogger
  now: () => Date
}

const everyMs = 10_000
const batch = 100
/** Longer than a batch takes. If a node crashes, another one takes its batch after this time. */
const leaseMs = 5 * 60_000
const retry: Backoff = { firstMs: 60_000, maxMs: 24 * 3_600_000 }
/** Longer than any upload takes. */
const uploadMaxMs = 15 * 60_000

/** Deletes every stored file that is due. Failures are retried later. */
export function createFileJobs(deps: FileJobsDeps): Job {
  return createJob({ everyMs, failure: 'file cleanup failed', log: deps.log, run: (run) => eraseDue(deps, run) })
}

async function eraseDue(deps: FileJobsDeps, { signal }: JobRun): Promise<void> {
  await deps.uploads.sweep(new Date(deps.now().getTime() - uploadMaxMs))
  while (!signal.aborted) {
    const now = deps.now()
    const leaseUntil = new Date(now.getTime() + leaseMs)
    const claimed = await deps.changes.commit(deps.pool, (tx) => claimErasures(tx, { now, leaseUntil, limit: batch }))
    const failed = await erase(deps, claimed)
    // If the storage fails, the next batch is not tried at once.
    if (claimed.length < batch || failed > 0) return
  }
}

// Runs outside a transaction: the storage may be slow, and no database lock should wait for it.
async function erase({ pool, changes, storage, log, now }: FileJobsDeps, claimed: Erasure[]): Promise<number> {
  const done: string[] = []
  const failed: Erasure[] = []
  for (const erasure of claimed) {
    try {
      await storage.delete(erasure.storage_key)
      done.push(erasure.storage_key)
    } catch (error) {
      failed.push(erasure)
      log.error({ err: error, attempts: erasure.attempts }, 'file deletion failed')
    }
  }
  if (claimed.length === 0) return 0
  await changes.commit(pool, async (tx) => {
    await deleteErasures(tx, done)
    for (const { storage_key, attempts } of failed) {
      await updateErasures(tx, [storage_key], new Date(now().getTime() + backoffMs(attempts, retry)))
    }
  })
  return failed.length
}

/** Returns the queue figures of stored files that are due and not deleted, for the metrics. */
export function getWaitingErasures(db: Db, now: Date): Promise<QueueFigures> {
  return getWaiting(db, now)
}
