import { type FastifyBaseLogger } from 'fastify'
import { type Changes } from '../platform/changes.ts'
import { type Db, type Pool } from '../platform/database.ts'
import { deleteDueReports, deletePastCodes, deletePastInvitations, deletePastSuspensions } from './leftovers.queries.ts'

export interface ModerationJobsDeps {
  pool: Pool
  changes: Changes
  log: FastifyBaseLogger
  now: () => Date
}

export interface ModerationJobs {
  start(): void
  /** Lets a run under way finish. */
  stop(): Promise<void>
  /** Erases reports, suspensions, invitations and codes that are over; one run at a time. */
  runDue(): Promise<void>
}

const everyMs = 3_600_000
const batch = 500
/** So long an admin still sees that a link was used up or ran out. */
const invitationsKeptMs = 30 * 86_400_000

export function createModerationJobs(deps: ModerationJobsDeps): ModerationJobs {
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
    void runDue().catch((error: unknown) => deps.log.error({ err: error }, 'what is over of moderation was not erased'))
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
async function work({ pool, changes, now }: ModerationJobsDeps, isStopped: () => boolean): Promise<void> {
  const at = now()
  const erasures: ((db: Db) => Promise<number>)[] = [
    (db) => deleteDueReports(db, at, batch),
    (db) => deletePastSuspensions(db, at, batch),
    (db) => deletePastInvitations(db, new Date(at.getTime() - invitationsKeptMs), batch),
    (db) => deletePastCodes(db, at, batch),
  ]
  for (const erase of erasures) {
    let erased = batch
    while (erased === batch && !isStopped()) erased = await changes.commit(pool, erase)
  }
}
