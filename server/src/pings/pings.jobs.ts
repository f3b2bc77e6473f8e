import { findNextDue } from './pings.queries.ts'
import { announceDue, type PingsDeps } from './pings.service.ts'

export interface PingJobs {
  start(): void
  /** Resolves once nothing is under way any more. */
  stop(): Promise<void>
  /** Announces every activation and expiry that is due. */
  runDue(): Promise<void>
}

interface JobDeps extends PingsDeps {
  log: { error(details: object, message: string): void }
}

const batchSize = 100

/**
 * The longest and the shortest sleep. A ping made meanwhile is due in fifteen minutes at the earliest, one scheduled for the
 * next seconds is noticed after the longest sleep: its status is right all the same, which is computed and not told.
 */
const sleepMs = { longest: 2000, shortest: 50 }

/**
 * Tells when pings become active and when they expire, out of what the database says, so that neither a restart nor a
 * machine that slept nor a second node loses or doubles one. A ping past both times is told as expired, once.
 */
export function createPingJobs(deps: JobDeps): PingJobs {
  let timer: NodeJS.Timeout | undefined
  let underway: Promise<void> = Promise.resolve()
  let isStopped = false

  async function runDue() {
    while ((await announceDue(deps, batchSize)) === batchSize);
  }

  async function turn() {
    let pauseMs = sleepMs.longest
    try {
      await runDue()
      const next = await findNextDue(deps.pool)
      if (next !== null) pauseMs = Date.parse(next) - deps.now().getTime()
    } catch (error) {
      deps.log.error({ err: error }, 'activations and expiries could not be told')
    }
    if (!isStopped) timer = setTimeout(begin, Math.min(Math.max(pauseMs, sleepMs.shortest), sleepMs.longest))
  }

  function begin() {
    underway = turn()
  }

  return {
    runDue,
    start: begin,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await underway
    },
  }
}
