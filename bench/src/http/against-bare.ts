import { fileURLToPath } from 'node:url'
import type { Pool } from '../../../server/src/platform/db/database.ts'
import { start } from '../process.ts'
import { printTable } from '../table.ts'
import { compareCompressed, compareWithExpressKnex } from './comparisons.ts'
import {
  type Cost,
  callsPerSecond,
  databaseCpu,
  type Figure,
  latencyText,
  measureCosts,
  measureLatency,
  medianOf,
  ratioOf,
  type Side,
  serverCpu,
} from './costs.ts'
import { bareAt, productAt } from './load.ts'
import { observe } from './observe.ts'
import type { Plan } from './plan.ts'
import type { MeasuredPostgres } from './postgres.ts'
import { startProduct } from './product.ts'
import { tidy } from './tidy.ts'
import type { SignedIn } from './visitors.ts'
import type { Workload } from './workloads.ts'

const bare = fileURLToPath(new URL('../bare-http.ts', import.meta.url))

/**
 * Compares the cost of a call with a bare Fastify handler that runs the same statements on the same database, then with
 * handlers that were written with Express and Knex, and a compressed response with an uncompressed one. If the folder
 * `profileTo` is given, a CPU profile of the product is written to it.
 */
export async function compareWithBare(
  postgres: MeasuredPostgres,
  { url, pool }: { url: string; pool: Pool },
  people: readonly SignedIn[],
  workloads: readonly Workload[],
  plan: Plan,
  profileTo: string | undefined,
): Promise<void> {
  const observed = await observe(url, people)
  const product = await startProduct(
    { url },
    {},
    profileTo === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileTo}`],
  )
  const limit = await start(bare, {
    ready: 'ready',
    environment: { DATABASE_URL: url, STATEMENTS: JSON.stringify(Object.fromEntries(observed)) },
  })
  const common = { database: postgres, people, after: () => tidy(pool) }
  const sides: Side[] = [
    { ...common, process: product, target: productAt(product.url, 'identity') },
    { ...common, process: limit, target: bareAt(limit.url) },
  ]
  try {
    const costs = await measureCosts(sides, workloads, plan)
    const head = ['workload', 'server', 'bare', 'ratio', 'goal', 'PostgreSQL', 'bare', 'ratio', 'calls/s', 'bare']
    const rows = workloads.map(({ id, name }) => {
      const [ours, theirs] = costs.get(id) as [Cost[], Cost[]]
      const asked = observed.get(id)
      const compare = (figure: Figure) => [
        medianOf(ours, figure),
        medianOf(theirs, figure),
        ratioOf(ours, theirs, figure),
      ]
      return [
        `${id} ${name}`,
        ...compare(serverCpu),
        '≤ 1.5',
        ...compare(databaseCpu),
        medianOf(ours, callsPerSecond),
        medianOf(theirs, callsPerSecond),
        asked ? `${asked.statements.length} / ${asked.roundTrips}` : '',
      ]
    })
    const title = `HTTP on PostgreSQL, ${plan.atOnce} at a time: CPU µs per call, median of ${plan.runs} runs, scale ${plan.scale}`
    printTable(title, [[...head, 'statements / round trips'], ...rows])

    await compareWithExpressKnex(sides[0] as Side, url, workloads, plan)
    await compareCompressed(sides[0] as Side, workloads, plan)

    const latencies: string[][] = []
    for (const workload of workloads) {
      const row = [`${workload.id} ${workload.name}`]
      for (const perSecond of plan.openRates)
        row.push(...(await measureLatency(sides, workload, { ...plan, perSecond })).map(latencyText))
      latencies.push(row)
    }
    printTable('HTTP on PostgreSQL, open loop: ms from when a call was due, p50 / p95 / p99', [
      ['workload', ...plan.openRates.flatMap((rate) => [`${rate}/s`, 'bare'])],
      ...latencies,
    ])
  } finally {
    for (const side of sides) {
      side.target.close()
      await side.process.stop()
    }
  }
}
