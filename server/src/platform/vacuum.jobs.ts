import { type FastifyBaseLogger } from 'fastify'
import { type Pool } from './database.ts'
import { listOwnTables, vacuumTable } from './vacuum.queries.ts'

export interface VacuumJobsDeps {
  pool: Pool
  log: FastifyBaseLogger
}

export interface VacuumJobs {
  start(): void
  /** Waits until the table that is being vacuumed is done. */
  stop(): Promise<void>
  /** Vacuums each table once, one after another. Never runs twice at the same time. */
  runDue(): Promise<void>
}

const intervalMs = 3_600_000

/**
 * Vacuums all tables every hour. A deleted or replaced row stays in the data files until then, and PostgreSQL's own
 * autovacuum leaves small tables alone for months. Tables without such rows cost next to nothing.
 */
export function createVacuumJobs({ pool, log }: VacuumJobsDeps): VacuumJobs {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let isStopped = false

  async function run(): Promise<void> {
    for (const table of await listOwnTables(pool)) {
      if (isStopped) return
      await vacuumTable(pool, table)
    }
  }

  function runDue(): Promise<void> {
    running ??= run().finally(() => {
      running = null
    })
    return running
  }

  return {
    runDue,
    start() {
      timer = setInterval(() => {
        runDue().catch((error: unknown) => log.error({ err: error }, 'vacuum failed'))
      }, intervalMs)
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await running?.catch(() => undefined)
    },
  }
}
