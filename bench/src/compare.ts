import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startHither } from './hither.ts'
import {
  allCpu,
  type Cost,
  callsPerSecond,
  databaseCpu,
  measureCosts,
  medianOf,
  ratioOf,
  type Side,
  serverCpu,
} from './http/costs.ts'
import { productAt } from './http/load.ts'
import { startMeasuredPostgres } from './http/postgres.ts'
import { authSecret } from './http/product.ts'
import { tidy } from './http/tidy.ts'
import { listVisitors, type SignedIn, signIn } from './http/visitors.ts'
import { mix, singleWorkloads } from './http/workloads.ts'
import { printTable } from './table.ts'

/**
 * Compares two or more checkouts of the server on one PostgreSQL and one data set, in alternating runs:
 * `npm run bench:compare -- ../before .` Their schemas must be equal. Options: `--only R5,RM`, `--at-once 40`, `--runs 10`,
 * `--scale 1`. `--with=--max-semi-space-size=16` also measures the first checkout with this option of Node. Linux only.
 */
const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: 'R5,R6,R7' },
    'at-once': { type: 'string', default: '8' },
    runs: { type: 'string', default: '8' },
    scale: { type: 'string', default: '0.1' },
    with: { type: 'string', multiple: true, default: [] },
  },
})
const plan = { runs: Number(options.runs), atOnce: Number(options['at-once']), closedMs: 1000, warmMs: 8000 }
const [firstFolder = '.'] = folders
const measured = [
  ...folders.map((folder) => ({ name: folder, folder, nodeOptions: [] as string[] })),
  ...options.with.map((option) => ({ name: `${firstFolder} ${option}`, folder: firstFolder, nodeOptions: [option] })),
]
const wanted = options.only.split(',')
const workloads = [...singleWorkloads, mix].filter(({ id }) => wanted.includes(id))

const postgres = await startMeasuredPostgres()
const sides: Side[] = []
try {
  const database = await postgres.load('measured', Number(options.scale))
  const visitors = await listVisitors(database.pool, 100)
  let people: SignedIn[] | null = null
  for (const { folder, nodeOptions } of measured) {
    const process = await startHither(
      {
        NODE_ENV: 'production',
        DATA_DIR: await mkdtemp(join(tmpdir(), 'hither-bench-')),
        AUTH_SECRET: authSecret,
        BACKUPS_ENABLED: 'off',
        LOG_LEVEL: 'warn',
        DATABASE_URL: database.url,
        RATE_LIMITS: 'off',
        LOAD_SHEDDING: 'off',
        MAP_ONLINE: 'off',
      },
      { folder, nodeOptions },
    )
    people ??= await signIn(process.url, visitors)
    const target = productAt(process.url)
    sides.push({ process, target, database: postgres, people, after: () => tidy(database.pool) })
  }
  const costs = await measureCosts(sides, workloads, plan)
  const rows = workloads.flatMap(({ id, name }) => {
    const all = costs.get(id) as Cost[][]
    return all.map((runs, index) => [
      `${id} ${name}: ${measured[index]?.name}`,
      ...[serverCpu, databaseCpu, allCpu].map((figure) => medianOf(runs, figure)),
      ratioOf(runs, all[0] as Cost[], allCpu),
      medianOf(runs, callsPerSecond),
      ratioOf(runs, all[0] as Cost[], callsPerSecond),
    ])
  })
  printTable(
    `${plan.atOnce} at a time: CPU µs per call, median of ${plan.runs} alternating runs, scale ${options.scale}`,
    [['workload', 'server', 'PostgreSQL', 'both', 'ratio to the first', 'calls/s', 'ratio to the first'], ...rows],
  )
  await database.close()
} finally {
  for (const { process, target } of sides) {
    target.close()
    await process.stop()
  }
  await postgres.stop()
}
