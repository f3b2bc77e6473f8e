import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openNode, type TestNode } from '../../test/changes.ts'
import { type Person } from '../../test/harness.ts'
import { race } from '../../test/race.ts'
import { createLocalBus } from '../platform/bus.ts'
import { type Db } from '../platform/database.ts'
import { type Cast, dayMs, minuteMs, startCast } from './harness.ts'
import { createPingJobs } from './pings.jobs.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat } = cast)
  node = await openNode(cast.server.db, bus, ({ table, type, record, oldRecord }) => {
    const row = (record ?? oldRecord) as { id?: string; status?: string }
    told.push(`${table} ${type} ${row.id} ${row.status}`)
  })
})

afterAll(async () => {
  await node.outbox.stop()
  await cast.server.close()
})
afterEach(() => cast.clear())

let node: TestNode
let told: string[]
const bus = createLocalBus(() => undefined)

beforeEach(() => {
  told = []
})

/** The job of one of several nodes on the same database. */
function createJobs() {
  const { db: pool, clock } = cast.server
  const { log } = cast.server.app.http
  return createPingJobs({
    pool,
    changes: node.changesAt(clock.now),
    bus,
    retentionDays: 30,
    log,
    now: clock.now,
  })
}

const holdAnn = (db: Db) => db`select id from users where id = ${ann.id} for update`

it('of two pings dropped at once by someone who has 49, exactly one passes', async () => {
  for (let n = 0; n < 49; n++) await cast.drop(ann)
  const answers = await race(
    cast.server.db,
    holdAnn,
    () => cast.create(ann),
    () => cast.create(ann),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  expect((await cast.mine(ann)).body).toHaveLength(50)
})

it('a friend who goes while a ping is being dropped is either a guest who lost sight of it or none', async () => {
  const [dropped] = await race<unknown>(
    cast.server.db,
    holdAnn,
    () => cast.drop(ann),
    () => cast.unfriend(bob, ann),
  )
  const { id } = dropped as Awaited<ReturnType<Cast['drop']>>
  expect((await cast.read(id, bob)).status).toBe(404)
  await cast.server.befriend(ann, bob)
  expect((await cast.read(id, bob)).status).toBe(200)

  const [, later] = await race<unknown>(
    cast.server.db,
    holdAnn,
    () => cast.unfriend(bob, ann),
    () => cast.create(ann, { recipient_ids: [bob.id] }),
  )
  expect(later).toMatchObject({ status: 422 })
  await cast.server.befriend(ann, bob)
})

it('an answer that waits for a friendship to end, or for the ping to go, is an answer to nothing', async () => {
  const { id } = await cast.drop(ann)
  const [, answer] = await race<unknown>(
    cast.server.db,
    holdAnn,
    () => cast.unfriend(ann, bob),
    () => cast.respond(id, 'accepted', bob),
  )
  expect(answer).toMatchObject({ status: 404 })
  await cast.server.befriend(ann, bob)
  const [removed, late] = await race<{ status: number }>(
    cast.server.db,
    holdAnn,
    () => cast.remove(id, ann),
    () => cast.respond(id, 'accepted', bob),
  )
  expect([removed?.status, late?.status]).toEqual([204, 404])
})

it('two answers of one guest at once are one answer', async () => {
  const { id } = await cast.drop(ann)
  const listener = await cast.server.listen(ann, ['ping_responses'])
  const answers = await race(
    cast.server.db,
    (db) => db`select 1 from ping_recipients where ping_id = ${id} and recipient_id = ${bob.id} for update`,
    () => cast.respond(id, 'accepted', bob),
    () => cast.respond(id, 'accepted', bob),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  await cast.respond(id, 'accepted', cat)
  await listener.until((change) => change.new['user_id'] === cat.id)
  expect(listener.heard.map(({ eventType }) => eventType)).toEqual(['INSERT', 'UPDATE', 'INSERT'])
  await listener.close()
})

it('two nodes tell of each activation, expiry and erasure once between them', async () => {
  const nodes = [createJobs(), createJobs()]
  const runAll = () => race(cast.server.db, holdAnn, ...nodes.map((node) => () => node.runDue()))
  const pings = [await cast.drop(ann), await cast.drop(ann, { activates_at: cast.ahead(10), duration_minutes: 240 })]
  const [over, later] = pings.map(({ id }) => id)
  cast.server.clock.advance(30 * minuteMs)
  await runAll()
  expect(told.sort()).toEqual([`location_pins UPDATE ${over} expired`, `location_pins UPDATE ${later} active`].sort())
  told = []
  cast.server.clock.advance(dayMs)
  await runAll()
  expect(told).toEqual([`location_pins UPDATE ${later} expired`])
  told = []
  cast.server.clock.advance(31 * dayMs)
  await runAll()
  expect(told.sort()).toEqual([`location_pins DELETE ${over} expired`, `location_pins DELETE ${later} expired`].sort())
})

it('two nodes tell of the end of a ping that was given more time once, and of one that was ended not at all', async () => {
  const nodes = [createJobs(), createJobs()]
  const [extended, ended] = [await cast.drop(ann), await cast.drop(ann)]
  await cast.change(extended.id, { extend_minutes: 15 }, ann)
  await cast.change(ended.id, { end: true }, ann)
  cast.server.clock.advance(30 * minuteMs)
  for (const node of nodes) await node.runDue()
  expect(told).toEqual([])
  cast.server.clock.advance(15 * minuteMs)
  await race(cast.server.db, holdAnn, ...nodes.map((node) => () => node.runDue()))
  expect(told).toEqual([`location_pins UPDATE ${extended.id} expired`])
})

it('a friendship that ends while its ping expires hides the ping for good', async () => {
  await cast.drop(ann, { recipient_ids: [bob.id] })
  cast.server.clock.advance(31 * minuteMs)
  const listener = await cast.server.listen(bob, ['location_pins', 'friendships'])
  await race<unknown>(
    cast.server.db,
    holdAnn,
    () => cast.unfriend(ann, bob),
    () => cast.server.app.pingJobs.runDue(),
  )
  await cast.server.befriend(ann, bob)
  await listener.until(({ table, eventType }) => table === 'friendships' && eventType === 'INSERT')
  // Whichever of the two came first: after the loss nothing of the ping is announced.
  const heard = listener.heard.map(({ table, eventType }) => `${table} ${eventType}`)
  expect(heard.slice(heard.indexOf('location_pins DELETE'))).toEqual([
    'location_pins DELETE',
    'friendships DELETE',
    'friendships INSERT',
  ])
  await listener.close()
})
