import { type Measured, median } from '../process.ts'
import { closedLoop, openLoop, percentile, type Target } from './load.ts'
import { type Plan } from './plan.ts'
import { type SignedIn } from './visitors.ts'
import { mix, type Workload } from './workloads.ts'

/** One of those that are held against each other, with who uses it. */
export interface Side {
  readonly process: Measured
  /** Of a database in processes of its own. */
  readonly database: { cpuMicroseconds(): Promise<number> } | null
  readonly target: Target
  readonly people: readonly SignedIn[]
  /** By how many ms its event loop was late, at p99, since this was asked the last time. */
  lateSinceLast?(): Promise<number>
  /** Comes after each run. */
  after(workload: Workload): Promise<void>
}

/** Microseconds of processor time of one call. */
export interface Cost {
  readonly server: number
  readonly database: number
  readonly perSecond: number
  readonly lateMs: number
}

export type CostPlan = Pick<Plan, 'runs' | 'atOnce' | 'closedMs' | 'warmMs'>

/** By workload, what each run cost on each side: they take turns, so that what else the machine does falls on all. */
export async function measureCosts(
  sides: readonly Side[],
  workloads: readonly Workload[],
  plan: CostPlan,
): Promise<Map<string, Cost[][]>> {
  const costs = new Map<string, Cost[][]>()
  // Code runs at its full speed only after thousands of calls.
  await warmUp(sides, mix, plan.warmMs)
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

  /** All sides at once. */
  async function warmUp(all: readonly Side[], workload: Workload, forMs: number): Promise<void> {
    await Promise.all(
      all.map(({ target, people }) => closedLoop(target, () => workload.next(people), plan.atOnce, forMs)),
    )
    for (const side of all) await side.after(workload)
  }
}

async function costOf(side: Side, workload: Workload, { atOnce, closedMs }: CostPlan): Promise<Cost> {
  const read = () => Promise.all([side.process.cpuMicroseconds(), side.database?.cpuMicroseconds() ?? 0])
  await side.lateSinceLast?.()
  const [serverBefore, databaseBefore] = await read()
  const answered = await closedLoop(side.target, () => workload.next(side.people), atOnce, closedMs)
  const [serverAfter, databaseAfter] = await read()
  return {
    server: (serverAfter - serverBefore) / answered,
    database: (databaseAfter - databaseBefore) / answered,
    perSecond: (answered * 1000) / closedMs,
    lateMs: (await side.lateSinceLast?.()) ?? Number.NaN,
  }
}

export type Figure = (cost: Cost) => number

export const serverCpu: Figure = ({ server }) => server
export const databaseCpu: Figure = ({ database }) => database
export const allCpu: Figure = ({ server, database }) => server + database
export const callsPerSecond: Figure = ({ perSecond }) => perSecond

export const late: Figure = ({ lateMs }) => lateMs

export function medianOf(runs: readonly Cost[], figure: Figure): string {
  return median(runs.map(figure)).toFixed(0)
}

/** Of runs next to each other, and the median of that: so what else the machine did is in both. */
export function ratioOf(ours: readonly Cost[], theirs: readonly Cost[], figure: Figure): string {
  return median(ours.map((cost, run) => figure(cost) / figure(theirs[run] as Cost))).toFixed(2)
}

export interface Latency {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/** On each side in turn, medians of all runs. */
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
