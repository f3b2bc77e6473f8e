import { type FastifyBaseLogger } from 'fastify'
import { type Changes } from '../platform/changes.ts'
import { type Pool } from '../platform/database.ts'
import { type Storage } from '../platform/storage.ts'
import { type Uploads } from '../platform/uploads.ts'
import { claimErasures, deleteErasures, type Erasure, updateErasures } from './files.queries.ts'

export interface FileJobsDeps {
  pool: Pool
  changes: Changes
  storage: Storage
  uploads: Uploads
  log: FastifyBaseLogger
  now: () => Date
}

export interface FileJobs {
  start(): void
  /** Lets a run under way finish. */
  stop(): Promise<void>
  /** Erases every file that is due; one run at a time. What fails is tried again later. */
  runDue(): Promise<void>
}

const everyMs = 10_000
const batch = 100
/** Longer than erasing a batch takes: a node that died is followed by another after it. */
const leaseMs = 5 * 60_000
const retryMaxMs = 24 * 3_600_000
/** Longer than any upload takes. */
const uploadMaxMs = 15 * 60_000

export function createFileJobs(deps: FileJobsDeps): FileJobs {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  const runDue = () => {
    running ??= work(deps).finally(() => {
      running = null
    })
    return running
  }
  const tick = () => void runDue().catch((error: unknown) => deps.log.error({ err: error }, 'files were not erased'))
  return {
    runDue,
    start() {
      tick()
      timer = setInterval(tick, everyMs)
    },
    async stop() {
      clearInterval(timer)
      await running?.catch(() => undefined)
    },
  }
}

async function work(deps: FileJobsDeps): Promise<void> {
  await deps.uploads.sweep(new Date(deps.now().getTime() - uploadMaxMs))
  for (;;) {
    const now = deps.now()
    const leaseUntil = new Date(now.getTime() + leaseMs)
    const claimed = await deps.changes.commit(deps.pool, (db) => claimErasures(db, { now, leaseUntil, limit: batch }))
    const failed = await erase(deps, claimed)
    // A storage that refuses is not asked for the next hundred at once.
    if (claimed.length < batch || failed > 0) return
  }
}

// Outside of a transaction: the storage may be slow, and nothing of the database should wait for it.
async function erase({ pool, changes, storage, log, now }: FileJobsDeps, claimed: Erasure[]): Promise<number> {
  const done: string[] = []
  const failed: Erasure[] = []
  for (const erasure of claimed) {
    try {
      await storage.delete(erasure.storage_key)
      done.push(erasure.storage_key)
    } catch (error) {
      failed.push(erasure)
      log.error({ err: error, attempts: erasure.attempts }, 'a file could not be erased')
    }
  }
  if (claimed.length === 0) return 0
  await changes.commit(pool, async (db) => {
    await deleteErasures(db, done)
    for (const { storage_key, attempts } of failed) {
      await updateErasures(db, [storage_key], new Date(now().getTime() + retryDelayMs(attempts)))
    }
  })
  return failed.length
}

/** One minute after the first failure, twice that after each further one, a day at most. */
function retryDelayMs(attempts: number): number {
  return Math.min(60_000 * 2 ** (attempts - 1), retryMaxMs)
}
