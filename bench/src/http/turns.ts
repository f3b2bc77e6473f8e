import { printTable } from '../table.ts'
import { allCpu, type Cost, type CostPlan, measureCosts, medianOf, ratioOf, type Side, serverCpu } from './costs.ts'
import type { Workload } from './workloads.ts'

/** One of two things that are measured in turns: a workload on a server, with what must be done before each run. */
interface Turn {
  readonly side: Side
  readonly workload: Workload
  readonly prepare?: () => Promise<void>
}

/** Measures two workloads in turns, so that both meet the same other work on the machine. Returns their costs in this order. */
export async function measureInTurns(turns: readonly [Turn, Turn], plan: CostPlan): Promise<[Cost[], Cost[]]> {
  const costs: [Cost[], Cost[]] = [[], []]
  for (let run = 0; run < plan.runs; run++)
    for (const [index, { side, workload, prepare }] of turns.entries()) {
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
  printTable(`${title}, median of ${ours.length} runs in turns`, [
    ['', names[0], names[1], 'ratio', 'budget'],
    ['server', medianOf(ours, serverCpu), medianOf(theirs, serverCpu), ratioOf(ours, theirs, serverCpu), goal],
    ['server and PostgreSQL', medianOf(ours, allCpu), medianOf(theirs, allCpu), ratioOf(ours, theirs, allCpu), ''],
  ])
}
