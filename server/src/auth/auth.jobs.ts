import { type FastifyBaseLogger } from 'fastify'
import { type Changes } from '../platform/changes.ts'
import { type Db, type Pool } from '../platform/database.ts'
import {
  deleteExpiredMailTokens,
  deleteExpiredSignups,
  deleteFinishedSessions,
  deleteRevokedSessions,
  deleteUnusedDevices,
} from './leftovers.queries.ts'
import { endedSessionMemoryMs } from './tokens.ts'

export interface AuthJobsDeps {
  pool: Pool
  changes: Changes
  log: FastifyBaseLogger
  now: () => Date
}

export interface AuthJobs {
  start(): void
  /** Lets a run under way finish. */
  stop(): Promise<void>
  /** Erases sessions, sign-ups and tokens that are over; one run at a time. */
  runDue(): Promise<void>
}

const everyMs = 3_600_000
const batch = 500
/** A device that nobody signed in on for half a year counts as unknown again. */
const knownDeviceMs = 180 * 86_400_000

export function createAuthJobs(deps: AuthJobsDeps): AuthJobs {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let isStopped = false
  const runDue = () => {
    running ??= work(deps, () => isStopped).finally(() => {
      running = null
    })
    return running
  }
  const tick = () =>
    void runDue().catch((error: unknown) => deps.log.error({ err: error }, 'what is over of sign-ins was not erased'))
  return {
    runDue,
    start() {
      tick()
      timer = setInterval(tick, everyMs)
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await running?.catch(() => undefined)
    },
  }
}

/** In small transactions, so that nobody waits for it long. */
async function work({ pool, changes, now }: AuthJobsDeps, isStopped: () => boolean): Promise<void> {
  const at = now()
  const endedBefore = new Date(at.getTime() - endedSessionMemoryMs)
  const erasures: ((db: Db) => Promise<number>)[] = [
    (db) => deleteFinishedSessions(db, { expiredBefore: at, endedBefore, limit: batch }),
    (db) => deleteRevokedSessions(db, endedBefore, batch),
    (db) => deleteExpiredSignups(db, at, batch),
    (db) => deleteExpiredMailTokens(db, at, batch),
    (db) => deleteUnusedDevices(db, new Date(at.getTime() - knownDeviceMs), batch),
  ]
  for (const erase of erasures) {
    let erased = batch
    while (erased === batch && !isStopped()) erased = await changes.commit(pool, erase)
  }
}
