import { fileURLToPath } from 'node:url'
import { start } from '../process.ts'
import { printTable } from '../table.ts'
import { type Cost, databaseCpu, type Figure, measureCosts, medianOf, ratioOf, type Side, serverCpu } from './costs.ts'
import { bareAt, productAt } from './load.ts'
import type { Plan } from './plan.ts'
import type { Workload } from './workloads.ts'

const expressKnex = fileURLToPath(new URL('../express-knex.ts', import.meta.url))

/** Compares the cost of a call with handlers that were written with Express and Knex. */
export async function compareWithExpressKnex(
  product: Side,
  databaseUrl: string,
  workloads: readonly Workload[],
  plan: Plan,
): Promise<void> {
  const compared = workloads.filter(({ id }) => /^R[1-7]$/.test(id))
  const process = await start(expressKnex, { ready: 'ready', environment: { DATABASE_URL: databaseUrl } })
  const other = { ...product, process, target: bareAt(process.url) }
  try {
    const title = `HTTP compared with Express and Knex, uncompressed, ${plan.atOnce} at a time`
    await compare(title, [product, other], compared, plan, ['Hither', 'Express and Knex', '≤ 1'])
  } finally {
    other.target.close()
    await process.stop()
  }
}

/** Compares the responses that a browser gets with uncompressed ones of the same server, for the lists. */
export async function compareCompressed(product: Side, workloads: readonly Workload[], plan: Plan): Promise<void> {
  const compared = workloads.filter(({ id }) => ['R1', 'R2', 'R3', 'R4'].includes(id))
  const compressed = { ...product, target: productAt(product.process.url) }
  try {
    const title = `Compressed responses, ${plan.atOnce} at a time`
    await compare(title, [compressed, product], compared, plan, ['compressed', 'uncompressed', '≤ 1.25'])
  } finally {
    compressed.target.close()
  }
}

async function compare(
  title: string,
  sides: readonly Side[],
  workloads: readonly Workload[],
  plan: Plan,
  [name, otherName, goal]: readonly [string, string, string],
): Promise<void> {
  if (workloads.length === 0) return
  const costs = await measureCosts(sides, workloads, plan, oneOf(workloads))
  const rows = workloads.map(({ id, name: workload }) => {
    const [ours, theirs] = costs.get(id) as [Cost[], Cost[]]
    const figures = (figure: Figure) => [
      medianOf(ours, figure),
      medianOf(theirs, figure),
      ratioOf(ours, theirs, figure),
    ]
    return [`${id} ${workload}`, ...figures(serverCpu), goal, ...figures(databaseCpu)]
  })
  printTable(`${title}: CPU µs per call, median of ${plan.runs} runs, scale ${plan.scale}`, [
    ['workload', name, otherName, 'ratio', 'goal', 'PostgreSQL', otherName, 'ratio'],
    ...rows,
  ])
}

/** A workload whose calls are those of all the given ones. */
function oneOf(workloads: readonly Workload[]): Workload {
  const any = () => workloads[Math.floor(Math.random() * workloads.length)] as Workload
  return { id: 'warm-up', name: 'all', next: (visitors) => any().next(visitors) }
}
