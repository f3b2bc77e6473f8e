import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { databaseFolderOf } from '../../../server/src/platform/db/built-in-database/database-folder.ts'
import type { Pool } from '../../../server/src/platform/db/database.ts'
import { migrate } from '../../../server/src/platform/db/migrations.ts'
import type { Database } from '../../../server/src/platform/db/open-database.ts'
import { createPool } from '../../../server/src/platform/db/pool.ts'
import { openFolder } from '../../../server/test/data-folder.ts'
import { loadDataSet } from '../data-set.ts'
import { printTable } from '../table.ts'
import {
  allCpu,
  type Cost,
  callsPerSecond,
  eventLoopDelay,
  measureCosts,
  medianOf,
  ratioOf,
  type Side,
} from './costs.ts'
import { productAt } from './load.ts'
import type { Plan } from './plan.ts'
import { cpuOfPostgres, type MeasuredPostgres } from './postgres.ts'
import { startProduct } from './product.ts'
import { measureStart } from './start-up.ts'
import { tidy } from './tidy.ts'
import { listVisitors, type SignedIn, signIn } from './visitors.ts'
import type { Workload } from './workloads.ts'

/** Compares the cost of a call with the built-in database, which waits for the disk, with that on a PostgreSQL server that does not. */
export async function compareEmbedded(
  postgres: MeasuredPostgres,
  { url, pool }: { url: string; pool: Pool },
  people: readonly SignedIn[],
  workloads: readonly Workload[],
  plan: Plan,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hither-bench-'))
  try {
    const embedded = await openFolder(dataDir)
    await migrate(embedded.pool)
    await allowFastLoading(embedded)
    await loadDataSet(embedded.pool, plan.scale)
    const visitors = await listVisitors(embedded.pool, plan.people)
    await embedded.close()
    const entrance = await startProduct({ dataDir }, { RATE_LIMITS: 'off' })
    const peopleThere = await signIn(entrance.url, visitors).finally(() => entrance.stop())

    const [inside, outside] = [await startProduct({ dataDir }), await startProduct({ url })]
    const sides: Side[] = [
      {
        process: inside,
        database: { cpuMicroseconds: async () => cpuOfPostgres(await postmasterOf(dataDir)) },
        target: productAt(inside.url),
        people: peopleThere,
        delaySinceLast: () => delaySinceLast(inside.url),
        // Created pings are not deleted, because there are only few per user.
        after: async () => undefined,
      },
      {
        process: outside,
        database: postgres,
        target: productAt(outside.url),
        people,
        delaySinceLast: () => delaySinceLast(outside.url),
        after: () => tidy(pool),
      },
    ]
    try {
      const costs = await measureCosts(sides, workloads, plan)
      const title = `HTTP with the built-in database, ${plan.atOnce} at a time: CPU µs per call, database included, median of ${plan.runs} runs, scale ${plan.scale}`
      printTable(title, [
        [
          'workload',
          'embedded',
          'PostgreSQL',
          'ratio',
          'calls/s',
          'PostgreSQL',
          'event loop eventLoopDelay, p99 ms',
          'PostgreSQL',
          'goal',
        ],
        ...workloads.map(({ id, name }) => {
          const [ours, theirs] = costs.get(id) as [Cost[], Cost[]]
          return [
            `${id} ${name}`,
            medianOf(ours, allCpu),
            medianOf(theirs, allCpu),
            ratioOf(ours, theirs, allCpu),
            medianOf(ours, callsPerSecond),
            medianOf(theirs, callsPerSecond),
            medianOf(ours, eventLoopDelay),
            // The delay that the machine itself causes.
            medianOf(theirs, eventLoopDelay),
            '≤ 20',
          ]
        }),
      ])
    } finally {
      for (const { process, target } of sides) {
        target.close()
        await process.stop()
      }
    }
    await measureStart('embedded', { DATA_DIR: dataDir }, '≤ 3', plan)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Lets `loadDataSet` load rows without a check of each reference, which otherwise only a superuser may do. */
async function allowFastLoading({ builtIn }: Database): Promise<void> {
  if (builtIn === null || !('path' in builtIn.address)) throw new Error('The built-in database has no socket.')
  const connection = { host: dirname(builtIn.address.path), port: 5432, user: 'postgres', database: 'hither' }
  const superuser = createPool({ connection, max: 1, idleMs: 0, isWatched: false })
  await superuser`grant set on parameter session_replication_role to hither`
  await superuser.end()
}

/** The id of the process that the database of a running server descends from. */
async function postmasterOf(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(databaseFolderOf(dataDir), 'postmaster.pid'), 'utf8'), 10)
}

/** The p99 event-loop delay in milliseconds since the last call. The timer that measures it has a resolution of ten milliseconds. */
async function delaySinceLast(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1]) * 1000 - 10
}
