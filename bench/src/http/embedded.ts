import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFolderOf } from '../../../server/src/platform/built-in-database/database-folder.ts'
import { type Pool } from '../../../server/src/platform/database.ts'
import { migrate } from '../../../server/src/platform/migrations.ts'
import { openFolder } from '../../../server/test/data-folder.ts'
import { loadDataSet } from '../data-set.ts'
import { printTable } from '../table.ts'
import { allCpu, type Cost, callsPerSecond, late, measureCosts, medianOf, ratioOf, type Side } from './costs.ts'
import { productAt } from './load.ts'
import { type Plan } from './plan.ts'
import { cpuOfPostgres, type MeasuredPostgres } from './postgres.ts'
import { startProduct } from './product.ts'
import { measureStart } from './start-up.ts'
import { tidy } from './tidy.ts'
import { listVisitors, type SignedIn, signIn } from './visitors.ts'
import { type Workload } from './workloads.ts'

/** The cost of a call with the built-in database, which waits for the disk, beside the same on a PostgreSQL server that does not. */
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
        lateSinceLast: () => lateSinceLast(inside.url),
        // What was dropped here stays: few for each of so many people.
        after: async () => undefined,
      },
      {
        process: outside,
        database: postgres,
        target: productAt(outside.url),
        people,
        lateSinceLast: () => lateSinceLast(outside.url),
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
          'event loop late, p99 ms',
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
            medianOf(ours, late),
            // What of it the machine itself is to blame for.
            medianOf(theirs, late),
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

/** The id of the process that the database of a running server descends from. */
async function postmasterOf(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(databaseFolderOf(dataDir), 'postmaster.pid'), 'utf8'), 10)
}

/** Milliseconds at p99 since this was asked the last time: the timer that measures it is itself due only every ten. */
async function lateSinceLast(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1]) * 1000 - 10
}
