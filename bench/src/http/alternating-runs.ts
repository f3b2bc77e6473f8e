import { printTable } from '../table.ts'
import { allCpu, type Cost, type CostPlan, measureCosts, medianOf, ratioOf, type Side, serverCpu } from './costs.ts'
import type { Workload } from './workloads.ts'

/** One of two workloads that are measured alternately, with its server and the preparation of each run. */
interface Measured {
  readonly side: Side
  readonly workload: Workload
  readonly prepare?: () => Promise<void>
}

/** Measures two workloads alternately, so that other load on the machine affects both. Returns their costs in this order. */
export async function measureAlternately(
  sides: readonly [Measured, Measured],
  plan: CostPlan,
): Promise<[Cost[], Cost[]]> {
  const costs: [Cost[], Cost[]] = [[], []]
  for (let run = 0; run < plan.runs; run++)
    for (const [index, { side, workload, prepare }] of sides.entries()) {
      await prepare?.()
      const warmMs = run === 0 ? plan.warmMs : 0
      const only = { ...workload, id: 'measured' }
      const measured = await measureCosts([side], [only], { ...plan, runs: 1, warmMs }, workload)
      costs[index]?.push(...(measured.get('measured')?.[0] ?? []))
    }
  return costs
}

/** Prints the processor time of the first side, of the second, and the ratio. */
export function printRatio(
  title: string,
  costs: readonly Cost[][] | undefined,
  names: readonly [string, string],
  goal: string,
): void {
  const [ours, theirs] = costs as [Cost[], Cost[]]
  printTable(`${title}, median of ${ours.length} alternating runs`, [
    ['', names[0], names[1], 'ratio', 'budget'],
    ['server', medianOf(ours, serverCpu), medianOf(theirs, serverCpu), ratioOf(ours, theirs, serverCpu), goal],
    ['server and PostgreSQL', medianOf(ours, allCpu), medianOf(theirs, allCpu), ratioOf(ours, theirs, allCpu), ''],
  ])
}
