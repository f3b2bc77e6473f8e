import { type Measured, median } from '../process.ts'
import { closedLoop, openLoop, percentile, type Target } from './load.ts'
import type { Plan } from './plan.ts'
import type { SignedIn } from './visitors.ts'
import { mix, type Workload } from './workloads.ts'

/** One of the compared servers, with its users. */
export interface Side {
  readonly process: Measured
  /** The database, if it runs in its own processes. */
  readonly database: { cpuMicroseconds(): Promise<number> } | null
  readonly target: Target
  readonly people: readonly SignedIn[]
  /** The p99 event-loop delay in milliseconds since the last call. */
  delaySinceLast?(): Promise<number>
  /** Called after each run. */
  after(workload: Workload): Promise<void>
}

/** The CPU time of one call, in microseconds. */
export interface Cost {
  readonly server: number
  readonly database: number
  readonly perSecond: number
  readonly eventLoopDelayMs: number
}

export type CostPlan = Pick<Plan, 'runs' | 'atOnce' | 'closedMs' | 'warmMs'>

/** Measures the cost of each run by workload and side. The sides alternate, so that other load on the machine affects all of them. */
export async function measureCosts(
  sides: readonly Side[],
  workloads: readonly Workload[],
  plan: CostPlan,
  warmWith: Workload = mix,
): Promise<Map<string, Cost[][]>> {
  const costs = new Map<string, Cost[][]>()
  // The JIT compiler needs thousands of calls to optimize the code.
  await warmUp(sides, warmWith, plan.warmMs)
  for (const workload of workloads) {
    await warmUp(sides, workload, plan.closedMs)
    const runs: Cost[][] = sides.map(() => [])
    for (let run = 0; run < plan.runs; run++)
      for (const [index, side] of sides.entries()) {
        runs[index]?.push(await costOf(side, workload, plan))
        await side.after(workload)
      }
    costs.set(workload.id, runs)
  }
  return costs

  /** Warms up all sides concurrently. */
  async function warmUp(all: readonly Side[], workload: Workload, forMs: number): Promise<void> {
    await Promise.all(
      all.map(({ target, people }) => closedLoop(target, () => workload.next(people), plan.atOnce, forMs)),
    )
    for (const side of all) await side.after(workload)
  }
}

async function costOf(side: Side, workload: Workload, { atOnce, closedMs }: CostPlan): Promise<Cost> {
  const read = () => Promise.all([side.process.cpuMicroseconds(), side.database?.cpuMicroseconds() ?? 0])
  await side.delaySinceLast?.()
  const [serverBefore, databaseBefore] = await read()
  const answered = await closedLoop(side.target, () => workload.next(side.people), atOnce, closedMs)
  const [serverAfter, databaseAfter] = await read()
  return {
    server: (serverAfter - serverBefore) / answered,
    database: (databaseAfter - databaseBefore) / answered,
    perSecond: (answered * 1000) / closedMs,
    eventLoopDelayMs: (await side.delaySinceLast?.()) ?? Number.NaN,
  }
}

export type Figure = (cost: Cost) => number

export const serverCpu: Figure = ({ server }) => server
export const databaseCpu: Figure = ({ database }) => database
export const allCpu: Figure = ({ server, database }) => server + database
export const callsPerSecond: Figure = ({ perSecond }) => perSecond

export const eventLoopDelay: Figure = ({ eventLoopDelayMs }) => eventLoopDelayMs

export function medianOf(runs: readonly Cost[], figure: Figure): string {
  return median(runs.map(figure)).toFixed(0)
}

/** The median of the ratios of adjacent runs, so that other load on the machine affects both. */
export function ratioOf(ours: readonly Cost[], theirs: readonly Cost[], figure: Figure): string {
  return median(ours.map((cost, run) => figure(cost) / figure(theirs[run] as Cost))).toFixed(2)
}

interface Latency {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/** Measures the latency of each side alternately and returns the medians of all runs. */
export async function measureLatency(
  sides: readonly Side[],
  workload: Workload,
  plan: { runs: number; perSecond: number; openMs: number },
): Promise<Latency[]> {
  const runs: number[][][] = sides.map(() => [])
  for (let run = 0; run < plan.runs; run++)
    for (const [index, { target, people, after }] of sides.entries()) {
      runs[index]?.push(await openLoop(target, () => workload.next(people), plan.perSecond, plan.openMs))
      await after(workload)
    }
  return runs.map((ofSide) => {
    const at = (percent: number) => median(ofSide.map((latencies) => percentile(latencies, percent)))
    return { p50: at(50), p95: at(95), p99: at(99) }
  })
}

export function latencyText({ p50, p95, p99 }: Latency): string {
  return [p50, p95, p99].map((ms) => ms.toFixed(1)).join(' / ')
}

export function ratio(ours: number, theirs: number): string {
  return (ours / theirs).toFixed(2)
}
