import { parseArgs } from 'node:util'
import { compareWithBare } from './http/against-bare.ts'
import { compareEmbedded } from './http/embedded.ts'
import { measureGrowth } from './http/growth.ts'
import { quickPlan, wholePlan } from './http/plan.ts'
import { startMeasuredPostgres } from './http/postgres.ts'
import { authSecret, startProduct } from './http/product.ts'
import { measureSignIn } from './http/sign-in.ts'
import { measureStart } from './http/start-up.ts'
import { listVisitors, signIn } from './http/visitors.ts'
import { mix, singleWorkloads } from './http/workloads.ts'

/**
 * Compares HTTP calls on PostgreSQL with their baselines. `--database embedded` compares the embedded database with PostgreSQL,
 * and `--growth` compares ten times the data with the usual amount. Options: `--quick`, `--only R0,R1,RM`, `--scale 10`,
 * `--profile FOLDER`. Linux only.
 */
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    database: { type: 'string', default: 'postgres' },
    only: { type: 'string' },
    scale: { type: 'string' },
    profile: { type: 'string' },
  },
})
const usual = options.quick ? quickPlan : wholePlan
const plan = { ...usual, scale: Number(options.scale ?? usual.scale) }
const wanted = options.only?.split(',')
const workloads = [...singleWorkloads, mix].filter(({ id }) => wanted?.includes(id) ?? true)

const postgres = await startMeasuredPostgres()
try {
  if (options.growth) await measureGrowth(postgres, workloads, plan)
  else await measureAtOneScale()
} finally {
  await postgres.stop()
}

async function measureAtOneScale(): Promise<void> {
  const database = await postgres.load('measured', plan.scale)
  try {
    const visitors = await listVisitors(database.pool, plan.people)
    // Rate limits are off, because all clients have the same network address.
    const entrance = await startProduct(database, { RATE_LIMITS: 'off', LOAD_SHEDDING: 'on' })
    const people = await signIn(entrance.url, visitors)
    if (options.database === 'postgres' && (wanted?.includes('R0') ?? true)) await measureSignIn(entrance, people, plan)
    await entrance.stop()
    if (options.database === 'embedded') return await compareEmbedded(postgres, database, people, workloads, plan)
    if (workloads.length > 0) await compareWithBare(postgres, database, people, workloads, plan, options.profile)
    if (!wanted) await measureStart('PostgreSQL', { DATABASE_URL: database.url, AUTH_SECRET: authSecret }, '≤ 2', plan)
  } finally {
    await database.close()
  }
}
