import { createHash, randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { lookUpFriendLink } from '@hither/contract/friend-links.ts'
import { createGuest } from '@hither/contract/guests.ts'
import type { Pool } from '../../../server/src/platform/db/database.ts'
import { newId } from '../../../server/src/platform/db/ids.ts'
import { measureAlternately, printRatio } from '../http/alternating-runs.ts'
import { type CostPlan, measureCosts, type Side } from '../http/costs.ts'
import { bareAt, productAt } from '../http/load.ts'
import type { MeasuredPostgres } from '../http/postgres.ts'
import { startProduct } from '../http/product.ts'
import { generalise } from '../http/statements.ts'
import { tap } from '../http/tap.ts'
import { listVisitors, signIn } from '../http/visitors.ts'
import { type Call, singleWorkloads, type Workload } from '../http/workloads.ts'
import { type Measured, start } from '../process.ts'
import type { Before } from './before.ts'

interface Database {
  readonly url: string
  readonly pool: Pool
}

const bare = fileURLToPath(new URL('../bare-http.ts', import.meta.url))
const unlimited = { RATE_LIMITS: 'off', LOAD_SHEDDING: 'off' }
const doNothing = async () => undefined

/** The look-up of a friend link by visitors, compared with a bare handler that runs the same statement. */
export async function compareLookup(
  postgres: MeasuredPostgres,
  { url, pool }: Database,
  plan: CostPlan,
): Promise<void> {
  const codes = await insertLinks(pool)
  const lookup: Workload = {
    id: 'lookup',
    name: 'look up a friend link',
    next() {
      const code = codes[Math.floor(Math.random() * codes.length)] ?? ''
      const inputs = { codeHash: `\\x${createHash('sha256').update(code).digest('hex')}` }
      return { workload: 'lookup', operation: lookUpFriendLink, params: {}, body: { code }, inputs }
    },
  }
  const observed = { [lookup.id]: await observe(url, lookup) }
  const product = await startProduct({ url }, unlimited)
  const limit = await start(bare, {
    ready: 'ready',
    environment: { DATABASE_URL: url, STATEMENTS: JSON.stringify(observed) },
  })
  const common = { database: postgres, people: [], after: doNothing }
  const sides: Side[] = [
    { ...common, process: product, target: productAt(product.url) },
    { ...common, process: limit, target: bareAt(limit.url) },
  ]
  await withSides(sides, async () => {
    const costs = await measureCosts(sides, [lookup], plan, lookup)
    printRatio('Look-up of a friend link: CPU µs per call', costs.get(lookup.id), ['Hither', 'bare handler'], '≤ 1.5')
  })
}

/** A response as a guest, compared with the response of an invitee (R7) on the same server. */
export async function compareGuests(
  postgres: MeasuredPostgres,
  { url, pool }: Database,
  plan: CostPlan,
): Promise<void> {
  const rows = await pool<{ id: string }[]>`
    update location_pins set is_public = true, guest_policy = 'open' where expires_at > now() returning id`
  let calls = 0
  const guest: Workload = {
    id: 'guest',
    name: 'respond as a guest',
    // The workloads alternate, because a ping takes only 50 guests.
    next(): Call {
      const { id } = rows[calls++ % rows.length] ?? { id: '' }
      const body = { token: randomBytes(32).toString('base64url'), name: 'Mia', response_type: 'accepted' }
      return { workload: 'guest', operation: createGuest, params: { id }, body, inputs: {} }
    },
  }
  const answer = singleWorkloads.find(({ id }) => id === 'R7')
  if (!answer) throw new Error('No workload R7')
  const product = await startProduct({ url }, unlimited)
  const people = await signIn(product.url, await listVisitors(pool, 100))
  const after = async () => {
    await pool`delete from ping_guests`
    await pool`update location_pins set guests_created = 0, guests_push_at = null where guests_created > 0`
    await pool`delete from tombstones`
    await pool.unsafe('vacuum location_pins, ping_guests, ping_responses')
  }
  const side = () => ({ database: postgres, people, after, process: product, target: productAt(product.url) })
  const sides = [
    { side: side(), workload: guest },
    { side: side(), workload: answer },
  ] as const
  await withSides(
    sides.map(({ side }) => side),
    async () => {
      const costs = await measureAlternately(sides, plan)
      printRatio('Response of a guest: CPU µs per call', costs, ['guest', 'R7 respond to a ping'], '≤ 1.2')
    },
  )
}

/** The list of pings without guests (R2), compared with an earlier version. */
export async function compareListOfPings(
  postgres: MeasuredPostgres,
  { url, pool }: Database,
  before: Before,
  plan: CostPlan,
): Promise<void> {
  const list = singleWorkloads.find(({ id }) => id === 'R2')
  if (!list) throw new Error('No workload R2')
  const sides: Side[] = []
  for (const [process, db] of [
    [await startProduct({ url }, unlimited), pool],
    [await before.start(), before.pool],
  ] as const) {
    const people = await signIn(process.url, await listVisitors(db, 100))
    sides.push({ database: postgres, people, after: doNothing, process, target: productAt(process.url) })
  }
  await withSides(sides, async () => {
    const costs = await measureCosts(sides, [list], plan, list)
    printRatio('List of pings without guests: CPU µs per call', costs.get(list.id), ['now', 'before'], '≤ 1.05')
  })
}

/** Stops the servers and closes the connections of all sides after `measure`. */
export async function withSides(sides: readonly Side[], measure: () => Promise<void>): Promise<void> {
  try {
    await measure()
  } finally {
    for (const { target } of sides) target.close()
    for (const process of new Set<Measured>(sides.map(({ process }) => process))) await process.stop()
  }
}

/** Inserts a link for each of the first users. Returns their codes. */
async function insertLinks(pool: Pool): Promise<string[]> {
  const users = await pool<{ id: string }[]>`select id from users order by created_at limit 100`
  const codes: string[] = []
  for (const { id } of users) {
    const code = randomBytes(16).toString('base64url')
    codes.push(code)
    await pool`
      insert into friend_links (id, user_id, kind, code_hash, requires_approval, uses_max, uses_left, note, created_at,
        expires_at)
      values (${newId<string>()}, ${id}, 'link', ${createHash('sha256').update(code).digest()}, false, 1, 1, '', now(),
        now() + interval '7 days')`
  }
  return codes
}

/** Records the statements of one call of a workload. */
async function observe(databaseUrl: string, workload: Workload) {
  const line = await tap(databaseUrl)
  const server = await startProduct({ url: line.url }, unlimited)
  const target = productAt(server.url)
  try {
    for (let round = 0; round < 24; round++) await target.call(workload.next([]))
    const call = workload.next([])
    const calledAt = Date.now()
    line.start()
    await target.call(call)
    return generalise(line.stop().statements, call.inputs, calledAt)
  } finally {
    target.close()
    await server.stop()
    await line.close()
  }
}
