import { printTable } from '../table.ts'
import { allCpu, type Cost, measureCosts, medianOf, ratioOf, type Side } from './costs.ts'
import { productAt } from './load.ts'
import type { Plan } from './plan.ts'
import type { MeasuredPostgres } from './postgres.ts'
import { startProduct } from './product.ts'
import { tidy } from './tidy.ts'
import { listVisitors, signIn } from './visitors.ts'
import type { Workload } from './workloads.ts'

/** Measures the cost of a call with ten times the users and a response of the same size. */
export async function measureGrowth(
  postgres: MeasuredPostgres,
  workloads: readonly Workload[],
  plan: Plan,
): Promise<void> {
  const scales = [plan.scale, plan.scale * 10] as const
  const sides: Side[] = []
  const ends: (() => Promise<void>)[] = []
  try {
    for (const [index, scale] of scales.entries()) {
      const { pool, url, close } = await postgres.load(`growth_${index}`, scale)
      ends.push(close)
      const visitors = await listVisitors(pool, plan.people)
      const entrance = await startProduct({ url }, { RATE_LIMITS: 'off' })
      const people = await signIn(entrance.url, visitors).finally(() => entrance.stop())
      const server = await startProduct({ url })
      const target = productAt(server.url)
      sides.push({ process: server, database: postgres, target, people, after: () => tidy(pool) })
    }
    const costs = await measureCosts(sides, workloads, plan)
    printTable(`Growth: CPU µs per call, server and PostgreSQL together, median of ${plan.runs} runs`, [
      ['workload', ...scales.map((scale) => `scale ${scale}`), 'ratio', 'goal'],
      ...workloads.map(({ id, name }) => {
        const [small, large] = costs.get(id) as [Cost[], Cost[]]
        return [
          `${id} ${name}`,
          medianOf(small, allCpu),
          medianOf(large, allCpu),
          ratioOf(large, small, allCpu),
          '≤ 1.3',
        ]
      }),
    ])
  } finally {
    for (const { process, target } of sides) {
      target.close()
      await process.stop()
    }
    for (const end of ends) await end()
  }
}
