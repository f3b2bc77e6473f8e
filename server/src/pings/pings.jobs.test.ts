import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openNode, type TestNode } from '../../test/changes.ts'
import { type Bus, createLocalBus } from '../events/bus.ts'
import { pingChats } from '../messages/ping-chats.service.ts'
import type { Job } from '../platform/async/job.ts'
import { lockPingOwnersShared } from '../users/user-locks.ts'
import { claimDue, listDue } from './announcements.queries.ts'
import { type Cast, dayMs, minuteMs, pinNotFound, place, startCast } from './harness.ts'
import { createPingJobs } from './pings.jobs.ts'
import { changePing, createPing } from './pings.service.ts'

let cast: Cast
let bus: Bus
let node: TestNode
let announcements: string[]
let logged: string[]
let jobs: Job[]

beforeAll(async () => {
  cast = await startCast()
})

afterAll(() => cast.server.close())

beforeEach(async () => {
  bus = createLocalBus((error) => {
    throw error
  })
  node = await openNode(cast.server.db, bus, ({ table, type, record }) => {
    announcements.push(`${table} ${type}${record && 'status' in record ? ` ${record.status}` : ''}`)
  })
  announcements = []
  logged = []
  jobs = []
})

afterEach(async () => {
  await Promise.all(jobs.map((job) => job.stop()))
  await node.outbox.stop()
  await cast.clear()
})

/** The jobs as another process on the same database would run them, without state in memory. */
function createJobs(now = cast.server.clock.now): Job {
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
    chats: pingChats,
    retentionDays: 7,
    placeKeepHours: 720,
    nearestTown: async () => null,
    log: pino(sink),
    now,
  })
  jobs.push(job)
  return job
}

describe('activations, expiries and deletions of pings', () => {
  it('are announced once each after a restart, however long the server was down', async () => {
    await cast.drop(cast.ann)
    await cast.drop(cast.ann, { activates_at: cast.ahead(60), duration_minutes: 240 })
    await cast.drop(cast.ann, { activates_at: cast.ahead(3 * 24 * 60) })
    cast.server.clock.advance(2 * 60 * minuteMs)
    await createJobs().runDue()
    expect(announcements.sort()).toEqual(['location_pins UPDATE active', 'location_pins UPDATE expired'])
    announcements.length = 0
    cast.server.clock.advance(3 * dayMs)
    await createJobs().runDue()
    await createJobs().runDue()
    expect(announcements).toEqual(['location_pins UPDATE expired', 'location_pins UPDATE expired'])
  })

  it('are not announced again by a node that found them due at the same moment', async () => {
    const { id } = await cast.drop(cast.ann)
    cast.server.clock.advance(31 * minuteMs)
    const { db, clock } = cast.server
    expect((await listDue(db, clock.now(), 10)).map((row) => row.id)).toEqual([id])
    const claim = () => db.begin(async (tx) => claimDue(tx, await lockPingOwnersShared(tx, [id]), clock.now()))
    expect(await claim()).toMatchObject([{ id, previous_announced_status: 'active', status: 'expired' }])
    expect(await claim()).toEqual([])
  })

  it('are announced completely when more are due than one batch contains', async () => {
    const { id } = await cast.drop(cast.ann)
    await cast.server.db`
      insert into location_pins (id, user_id, name, latitude, longitude, area_latitude, area_longitude, is_public,
        responses_visible, created_at, updated_at, expires_at, announced_status)
      select gen_random_uuid(), user_id, name, latitude, longitude, area_latitude, area_longitude, is_public, responses_visible, created_at, updated_at,
        expires_at, announced_status
      from location_pins, generate_series(1, 450) where id = ${id}`
    cast.server.clock.advance(31 * minuteMs)
    await createJobs().runDue()
    expect(announcements).toHaveLength(451)
  })

  it('delete an expired ping after 7 days with everything that refers to it', async () => {
    const { id } = await cast.drop(cast.ann, { duration_minutes: 15 })
    await cast.respond(id, 'accepted', cast.bob)
    const kept = await cast.drop(cast.ann, { activates_at: cast.ahead(60), duration_minutes: 15 })
    cast.server.clock.advance(15 * minuteMs + 7 * dayMs)
    await createJobs().runDue()
    expect((await cast.read(id, cast.bob)).status).toBe(200)
    cast.server.clock.advance(1)
    announcements.length = 0
    await createJobs().runDue()
    expect(announcements).toEqual(['ping_responses DELETE', 'location_pins DELETE'])
    expect(await cast.read(id, cast.ann)).toMatchObject(pinNotFound)
    expect((await cast.mine(cast.ann)).body.map((ping) => ping.id)).toEqual([kept.id])
  })
})

it('checks again within seconds, however the clock is set meanwhile', async () => {
  const waits = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => waits.mockRestore())
  const job = createJobs()
  cast.server.clock.advance(60 * minuteMs)
  job.start()
  cast.server.clock.advance(-60 * minuteMs)
  await bus.publish({ kind: 'ping_due', at: cast.ahead(30) })
  await job.stop()
  const asked = waits.mock.calls.flatMap(([, ms]) => ms ?? [])
  expect([asked.length > 0, asked.filter((ms) => ms > 15_000)]).toEqual([true, []])
})

/** Does what another node does at that time. */
function neighbourAt(time: number) {
  const now = () => new Date(time)
  return { pool: cast.server.db, changes: node.changesAt(now), now, chats: pingChats }
}

const area = { latitude: 45.505, longitude: -122.6, address: null, radius_m: 1000 } as const

describe('the running job', () => {
  // Waits as long as the test's own time limit: the duration of the database queries is not tested.
  const hasAnnounced = (what: string) =>
    vi.waitFor(() => expect(announcements).toContain(what), { timeout: 25_000, interval: 5 })

  it('wakes for a ping that was created after it fell asleep, when it is due', async () => {
    const [asleepAt, since] = [cast.server.clock.now().getTime(), performance.now()]
    const job = createJobs(() => new Date(asleepAt + performance.now() - since))
    job.start()
    await job.runDue()
    const activates_at = new Date(asleepAt + 400).toISOString()
    await createPing(neighbourAt(asleepAt), cast.ann.id, { ...place, activates_at }, area)
    await hasAnnounced('location_pins UPDATE active')
    expect(performance.now() - since).toBeGreaterThanOrEqual(400)
  })

  it('wakes for an end that another node changed, when it is due', async () => {
    const { id } = await cast.drop(cast.ann)
    const [asleepAt, since] = [cast.server.clock.now().getTime(), performance.now()]
    const job = createJobs(() => new Date(asleepAt + performance.now() - since))
    job.start()
    await job.runDue()
    const madeAt = new Date(asleepAt - 30 * minuteMs)
    const end = new Date(asleepAt + 400 - 15 * minuteMs)
    await cast.server.db`update location_pins set created_at = ${madeAt}, expires_at = ${end} where id = ${id}`
    await changePing(neighbourAt(asleepAt - 20 * minuteMs), cast.ann.id, id, { extend_minutes: 15 })
    await hasAnnounced('location_pins UPDATE expired')
    expect(performance.now() - since).toBeGreaterThanOrEqual(400)
  })

  it('announces overdue changes as soon as it starts', async () => {
    await cast.drop(cast.ann)
    cast.server.clock.advance(31 * minuteMs)
    createJobs().start()
    await hasAnnounced('location_pins UPDATE expired')
  })

  it('logs a failure without any data of the ping, and retries', async () => {
    await cast.drop(cast.ann, { name: 'Secret place', message: 'Secret message' })
    await cast.server.db`alter table location_pins rename column announced_status to gone`
    const job = createJobs()
    job.start()
    await vi.waitFor(() => expect(logged.join('')).toContain('ping announcement failed'), { timeout: 25_000 })
    await cast.server.db`alter table location_pins rename column gone to announced_status`
    expect(logged.join('')).not.toMatch(/Secret|45\.52|122\.68/)
    cast.server.clock.advance(31 * minuteMs)
    await job.runDue()
    expect(announcements).toEqual(['location_pins UPDATE expired'])
  })

  it('does nothing after it is stopped', async () => {
    const job = createJobs()
    job.start()
    await job.stop()
    await cast.drop(cast.ann)
    cast.server.clock.advance(31 * minuteMs)
    expect(announcements).toEqual([])
  })
})
