import { parseArgs } from 'node:util'
import { shareTrip } from '@hither/contract/trips.ts'
import { measureAlternately, printRatio } from './http/alternating-runs.ts'
import { productAt } from './http/load.ts'
import { startMeasuredPostgres } from './http/postgres.ts'
import { startProduct } from './http/product.ts'
import { tap } from './http/tap.ts'
import { listVisitors, type SignedIn, signIn } from './http/visitors.ts'
import { singleWorkloads, type Workload } from './http/workloads.ts'
import { withSides } from './links-and-guests/costs.ts'
import { printTable } from './table.ts'

/**
 * `npm run bench:trips [-- --runs 6]`: the budgets of shared arrival times. Statements and round trips are exact; CPU times are
 * compared in alternating runs on one server. Linux only.
 */
const { values: options } = parseArgs({ options: { runs: { type: 'string', default: '6' } } })
const plan = { runs: Number(options.runs), atOnce: 8, closedMs: 1000, warmMs: 5000 }
const unlimited = { RATE_LIMITS: 'off', LOAD_SHEDDING: 'off' }

const share: Workload = {
  id: 'trip',
  name: 'share an arrival time',
  next(visitors) {
    const { token, invitations } = visitors[Math.floor(Math.random() * visitors.length)] as SignedIn
    const { id = '' } = invitations[Math.floor(Math.random() * invitations.length)] ?? {}
    const body = { eta_minutes: 1 + Math.floor(Math.random() * 180) }
    return { workload: 'trip', operation: shareTrip, token, params: { id }, body, inputs: {} }
  },
}
const named = (id: string) => singleWorkloads.find((workload) => workload.id === id) as Workload

const postgres = await startMeasuredPostgres()
try {
  const { url, pool, close } = await postgres.load('measured', 0.1)
  try {
    await pool`
      insert into ping_responses (ping_id, user_id, response_type, created_at, updated_at)
      select ping_id, recipient_id, 'accepted', now(), now() from ping_recipients where expires_at > now()
      on conflict (ping_id, user_id) do update set response_type = 'accepted'`
    await pool`
      insert into sessions (id, user_id, created_at, last_used_at, expires_at)
      select id, id, now(), now(), now() + interval '1 day' from users`
    const line = await tap(url)
    const observed = await startProduct({ url: line.url }, unlimited)
    const target = productAt(observed.url)
    const people = await signIn(observed.url, await listVisitors(pool, 1))
    for (let round = 0; round < 12; round++) await target.call(share.next(people))
    line.start()
    await target.call(share.next(people))
    const { statements, roundTrips } = line.stop()
    const isPart = ({ text }: { text: string }) => !/^(begin|commit)\b/i.test(text)
    printTable('Share an arrival time', [
      ['statements', 'round trips', 'budget'],
      [String(statements.filter(isPart).length), String(roundTrips), '≤ 6 / 3'],
    ])
    target.close()
    await observed.stop()
    await line.close()

    const product = await startProduct({ url }, unlimited)
    const visitors = await signIn(product.url, await listVisitors(pool, 100))
    const clear = async () => {
      await pool`delete from ping_trips`
      await pool.unsafe('vacuum ping_trips, ping_responses')
    }
    // The other workload answers Maybe and Can't as well.
    const goAgain = async () => {
      await pool`update ping_responses set response_type = 'accepted' where response_type <> 'accepted'`
      await clear()
    }
    const after = async () => undefined
    const side = () => ({
      database: postgres,
      people: visitors,
      after,
      process: product,
      target: productAt(product.url),
    })
    const [one, other] = [side(), side()]
    await withSides([one, other], async () => {
      const answer = { side: other, workload: named('R7') }
      const shared = await measureAlternately([{ side: one, workload: share, prepare: goAgain }, answer], plan)
      printRatio('Share an arrival time: CPU µs per call', shared, ['trip', 'R7 respond to a ping'], '≤ 1.2')
      await goAgain()
      const fill = async () => {
        await clear()
        await pool`
          insert into ping_trips
          select ping_id, recipient_id, recipient_id, 'en_route', now() + interval '1 hour', now(), now()
          from (
            select ping_id, recipient_id, row_number() over (partition by ping_id order by recipient_id) as place
            from ping_recipients where expires_at > now()) numbered
          where place <= 3`
        await pool.unsafe('analyze ping_trips')
      }
      const list = named('R2')
      const lists = await measureAlternately(
        [
          { side: one, workload: list, prepare: fill },
          { side: other, workload: list, prepare: clear },
        ],
        plan,
      )
      printRatio('List of pings: CPU µs per call', lists, ['3 trips on each', 'no trips'], '≤ 1.15')
    })
  } finally {
    await close()
  }
} finally {
  await postgres.stop()
}
