import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openNode, type TestNode } from '../../test/changes.ts'
import type { Person } from '../../test/harness.ts'
import { race } from '../../test/race.ts'
import { createLocalBus } from '../events/bus.ts'
import { pingChats } from '../messages/ping-chats.service.ts'
import type { Tx } from '../platform/db/database.ts'
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
    announcements.push(`${table} ${type} ${row.id} ${row.status}`)
  })
})

afterAll(async () => {
  await node.outbox.stop()
  await cast.server.close()
})
afterEach(() => cast.clear())

let node: TestNode
let announcements: string[]
const bus = createLocalBus(() => undefined)

beforeEach(() => {
  announcements = []
})

/** The jobs of one of several nodes on the same database. */
function createJobs() {
  const { db: pool, clock } = cast.server
  const { log } = cast.server.app.http
  return createPingJobs({
    pool,
    changes: node.changesAt(clock.now),
    bus,
    chats: pingChats,
    retentionDays: 7,
    placeKeepHours: 24,
    nearestTown: async () => null,
    log,
    now: clock.now,
  })
}

const lockAnn = (tx: Tx) => tx`select id from users where id = ${ann.id} for update`

it('accepts exactly one of two concurrent pings by an owner who has 49', async () => {
  for (let n = 0; n < 49; n++) await cast.drop(ann)
  const answers = await race(
    cast.server.db,
    lockAnn,
    () => cast.create(ann),
    () => cast.create(ann),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  expect((await cast.mine(ann)).body).toHaveLength(50)
})

it('makes a friend who is removed while a ping is created either an invitee without access or no invitee', async () => {
  const [dropped] = await race<unknown>(
    cast.server.db,
    lockAnn,
    () => cast.drop(ann),
    () => cast.unfriend(bob, ann),
  )
  const { id } = dropped as Awaited<ReturnType<Cast['drop']>>
  expect((await cast.read(id, bob)).status).toBe(404)
  await cast.server.befriend(ann, bob)
  expect((await cast.read(id, bob)).status).toBe(200)

  const [, later] = await race<unknown>(
    cast.server.db,
    lockAnn,
    () => cast.unfriend(bob, ann),
    () => cast.create(ann, { recipient_ids: [bob.id] }),
  )
  expect(later).toMatchObject({ status: 422 })
  await cast.server.befriend(ann, bob)
})

it('returns 404 to a response that waits for the end of a friendship or the deletion of the ping', async () => {
  const { id } = await cast.drop(ann)
  const [, answer] = await race<unknown>(
    cast.server.db,
    lockAnn,
    () => cast.unfriend(ann, bob),
    () => cast.respond(id, 'accepted', bob),
  )
  expect(answer).toMatchObject({ status: 404 })
  await cast.server.befriend(ann, bob)
  const [removed, late] = await race<{ status: number }>(
    cast.server.db,
    lockAnn,
    () => cast.remove(id, ann),
    () => cast.respond(id, 'accepted', bob),
  )
  expect([removed?.status, late?.status]).toEqual([204, 404])
})

it('stores one response for two concurrent responses of one invitee', async () => {
  const { id } = await cast.drop(ann)
  const listener = await cast.server.listen(ann, ['ping_responses'])
  const answers = await race(
    cast.server.db,
    (tx) => tx`select 1 from ping_recipients where ping_id = ${id} and recipient_id = ${bob.id} for update`,
    () => cast.respond(id, 'accepted', bob),
    () => cast.respond(id, 'accepted', bob),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  await cast.respond(id, 'accepted', cat)
  await listener.until((change) => change.new['user_id'] === cat.id)
  expect(listener.received.map(({ eventType }) => eventType)).toEqual(['INSERT', 'UPDATE', 'INSERT'])
  await listener.close()
})

it('announces each activation, expiry, erased place and deletion once when two nodes run the job', async () => {
  const nodes = [createJobs(), createJobs()]
  const runAll = () => race(cast.server.db, lockAnn, ...nodes.map((node) => () => node.runDue()))
  const pings = [await cast.drop(ann), await cast.drop(ann, { activates_at: cast.ahead(10), duration_minutes: 240 })]
  const [over, later] = pings.map(({ id }) => id)
  cast.server.clock.advance(30 * minuteMs)
  await runAll()
  expect(announcements.sort()).toEqual(
    [`location_pins UPDATE ${over} expired`, `location_pins UPDATE ${later} active`].sort(),
  )
  announcements = []
  cast.server.clock.advance(dayMs)
  await runAll()
  // The place of the first one is erased a day after its end.
  expect(announcements.sort()).toEqual(
    [`location_pins UPDATE ${over} expired`, `location_pins UPDATE ${later} expired`].sort(),
  )
  announcements = []
  cast.server.clock.advance(8 * dayMs)
  await runAll()
  expect(announcements.sort()).toEqual(
    [`location_pins DELETE ${over} expired`, `location_pins DELETE ${later} expired`].sort(),
  )
})

it('announces the end of an extended ping once and that of an ended ping never, when two nodes run the job', async () => {
  const nodes = [createJobs(), createJobs()]
  const [extended, ended] = [await cast.drop(ann), await cast.drop(ann)]
  await cast.change(extended.id, { extend_minutes: 15 }, ann)
  await cast.change(ended.id, { end: true }, ann)
  cast.server.clock.advance(30 * minuteMs)
  for (const node of nodes) await node.runDue()
  expect(announcements).toEqual([])
  cast.server.clock.advance(15 * minuteMs)
  await race(cast.server.db, lockAnn, ...nodes.map((node) => () => node.runDue()))
  expect(announcements).toEqual([`location_pins UPDATE ${extended.id} expired`])
})

it('hides a ping for good when the friendship ends while the ping expires', async () => {
  await cast.drop(ann, { recipient_ids: [bob.id] })
  cast.server.clock.advance(31 * minuteMs)
  const listener = await cast.server.listen(bob, ['location_pins', 'friendships'])
  await race<unknown>(
    cast.server.db,
    lockAnn,
    () => cast.unfriend(ann, bob),
    () => cast.server.app.pingJobs.runDue(),
  )
  await cast.server.befriend(ann, bob)
  await listener.until(({ table, eventType }) => table === 'friendships' && eventType === 'INSERT')
  // In either order: nothing of the ping is announced after the access ended.
  const receivedChanges = listener.received.map(({ table, eventType }) => `${table} ${eventType}`)
  expect(receivedChanges.slice(receivedChanges.indexOf('location_pins DELETE'))).toEqual([
    'location_pins DELETE',
    'friendships DELETE',
    'friendships INSERT',
  ])
  await listener.close()
})
