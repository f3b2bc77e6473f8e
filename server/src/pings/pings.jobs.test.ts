import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openNode, type TestNode } from '../../test/changes.ts'
import { type Bus, createLocalBus } from '../platform/bus.ts'
import { claimDue, listDue } from './announcements.queries.ts'
import { type Cast, dayMs, minuteMs, pinNotFound, place, startCast } from './harness.ts'
import { createPingJobs, type PingJobs } from './pings.jobs.ts'
import { changePing, createPing } from './pings.service.ts'

let cast: Cast
let bus: Bus
let node: TestNode
let told: string[]
let logged: string[]
let jobs: PingJobs[]

beforeAll(async () => {
  cast = await startCast()
})

afterAll(() => cast.server.close())

beforeEach(async () => {
  bus = createLocalBus((error) => {
    throw error
  })
  node = await openNode(cast.server.db, bus, ({ table, type, record }) => {
    told.push(`${table} ${type}${record && 'status' in record ? ` ${record.status}` : ''}`)
  })
  told = []
  logged = []
  jobs = []
})

afterEach(async () => {
  await Promise.all(jobs.map((job) => job.stop()))
  await node.outbox.stop()
  await cast.clear()
})

/** The job as another process on the same database would have it: nothing is in its memory. */
function createJobs(now = cast.server.clock.now): PingJobs {
  const sink = new Writable({
    write(line, _encoding, done) {
      logged.push(String(line))
      done()
    },
  })
  const pool = cast.server.db
  const job = createPingJobs({
    pool,
    changes: node.changesAt(now),
    bus,
    retentionDays: 30,
    log: pino(sink),
    now,
  })
  jobs.push(job)
  return job
}

describe('what time does to pings', () => {
  it('is made up for after a restart, however long the sleep, each ping once', async () => {
    await cast.drop(cast.ann)
    await cast.drop(cast.ann, { activates_at: cast.ahead(60), duration_minutes: 240 })
    await cast.drop(cast.ann, { activates_at: cast.ahead(3 * 24 * 60) })
    cast.server.clock.advance(2 * 60 * minuteMs)
    await createJobs().runDue()
    expect(told.sort()).toEqual(['location_pins UPDATE active', 'location_pins UPDATE expired'])
    told.length = 0
    cast.server.clock.advance(10 * dayMs)
    await createJobs().runDue()
    await createJobs().runDue()
    expect(told).toEqual(['location_pins UPDATE expired', 'location_pins UPDATE expired'])
  })

  it('is not told again by a node that found it due at the same moment', async () => {
    const { id } = await cast.drop(cast.ann)
    cast.server.clock.advance(31 * minuteMs)
    const { db, clock } = cast.server
    expect((await listDue(db, clock.now(), 10)).map((row) => row.id)).toEqual([id])
    expect(await claimDue(db, [id], clock.now())).toMatchObject([{ id, told_status: 'active', status: 'expired' }])
    expect(await claimDue(db, [id], clock.now())).toEqual([])
  })

  it('is told in full when more is due than one batch holds', async () => {
    const { id } = await cast.drop(cast.ann)
    await cast.server.db`
      insert into location_pins (id, user_id, name, latitude, longitude, is_public, responses_visible, created_at,
        expires_at, announced_status)
      select gen_random_uuid(), user_id, name, latitude, longitude, is_public, responses_visible, created_at, expires_at,
        announced_status
      from location_pins, generate_series(1, 450) where id = ${id}`
    cast.server.clock.advance(31 * minuteMs)
    await createJobs().runDue()
    expect(told).toHaveLength(451)
  })

  it('erases an expired ping after 30 days, and all that hangs on it', async () => {
    const { id } = await cast.drop(cast.ann, { duration_minutes: 15 })
    await cast.respond(id, 'accepted', cast.bob)
    const kept = await cast.drop(cast.ann, { activates_at: cast.ahead(60), duration_minutes: 15 })
    cast.server.clock.advance(15 * minuteMs + 30 * dayMs)
    await createJobs().runDue()
    expect((await cast.read(id, cast.bob)).status).toBe(200)
    cast.server.clock.advance(1)
    told.length = 0
    await createJobs().runDue()
    expect(told).toEqual(['ping_responses DELETE', 'location_pins DELETE'])
    expect(await cast.read(id, cast.ann)).toMatchObject(pinNotFound)
    expect((await cast.mine(cast.ann)).body.map((ping) => ping.id)).toEqual([kept.id])
  })
})

it('looks again within seconds, however the clock is set meanwhile', async () => {
  const waits = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => waits.mockRestore())
  const job = createJobs()
  cast.server.clock.advance(60 * minuteMs)
  job.start()
  cast.server.clock.advance(-60 * minuteMs)
  await bus.publish({ kind: 'ping_due', at: cast.ahead(30) })
  await job.stop()
  const asked = waits.mock.calls.flatMap(([, ms]) => ms ?? [])
  expect([asked.length > 1, asked.filter((ms) => ms > 15_000)]).toEqual([true, []])
})

/** What another node does at that time. */
function neighbourAt(time: number) {
  const now = () => new Date(time)
  return { pool: cast.server.db, changes: node.changesAt(now), now }
}

describe('the job while it runs', () => {
  // Until the test's own time is over: how long the database takes is not what is tested.
  const hasTold = (what: string) => vi.waitFor(() => expect(told).toContain(what), { timeout: 25_000, interval: 5 })

  it('wakes for a ping that was made after it fell asleep, when that is due', async () => {
    const [asleepAt, since] = [cast.server.clock.now().getTime(), performance.now()]
    const job = createJobs(() => new Date(asleepAt + performance.now() - since))
    job.start()
    await job.runDue()
    const activates_at = new Date(asleepAt + 400).toISOString()
    await createPing(neighbourAt(asleepAt), cast.ann.id, { ...place, activates_at })
    await hasTold('location_pins UPDATE active')
    expect(performance.now() - since).toBeGreaterThanOrEqual(400)
  })

  it('wakes for an end that another node moved, when that is due', async () => {
    const { id } = await cast.drop(cast.ann)
    const [asleepAt, since] = [cast.server.clock.now().getTime(), performance.now()]
    const job = createJobs(() => new Date(asleepAt + performance.now() - since))
    job.start()
    await job.runDue()
    const madeAt = new Date(asleepAt - 30 * minuteMs)
    const end = new Date(asleepAt + 400 - 15 * minuteMs)
    await cast.server.db`update location_pins set created_at = ${madeAt}, expires_at = ${end} where id = ${id}`
    await changePing(neighbourAt(asleepAt - 20 * minuteMs), cast.ann.id, id, { extend_minutes: 15 })
    await hasTold('location_pins UPDATE expired')
    expect(performance.now() - since).toBeGreaterThanOrEqual(400)
  })

  it('catches up as soon as it starts', async () => {
    await cast.drop(cast.ann)
    cast.server.clock.advance(31 * minuteMs)
    createJobs().start()
    await hasTold('location_pins UPDATE expired')
  })

  it('logs a failure without a word of the ping, and tries again', async () => {
    await cast.drop(cast.ann, { name: 'Secret place', message: 'Secret message' })
    await cast.server.db`alter table location_pins rename column announced_status to gone`
    const job = createJobs()
    job.start()
    await vi.waitFor(() => expect(logged.join('')).toContain('pings were not announced'), { timeout: 25_000 })
    await cast.server.db`alter table location_pins rename column gone to announced_status`
    expect(logged.join('')).not.toMatch(/Secret|45\.52|122\.68/)
    cast.server.clock.advance(31 * minuteMs)
    await job.runDue()
    expect(told).toEqual(['location_pins UPDATE expired'])
  })

  it('does nothing more once it is stopped', async () => {
    const job = createJobs()
    job.start()
    await job.stop()
    await cast.drop(cast.ann)
    cast.server.clock.advance(31 * minuteMs)
    expect(told).toEqual([])
  })
})
