import { fileURLToPath } from 'node:url'
import { type Pool } from '../../../server/src/platform/database.ts'
import { start } from '../process.ts'
import { printTable } from '../table.ts'
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
import { type Plan } from './plan.ts'
import { type MeasuredPostgres } from './postgres.ts'
import { startProduct } from './product.ts'
import { tidy } from './tidy.ts'
import { type SignedIn } from './visitors.ts'
import { type Workload } from './workloads.ts'

const bare = fileURLToPath(new URL('../bare-http.ts', import.meta.url))

/**
 * What a call costs beside a bare Fastify handler that asks the same database the same. With `profileTo`, a folder, where the
 * product's time went is written there.
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
    { ...common, process: product, target: productAt(product.url) },
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
