import { getConfig } from '@hither/contract/config.ts'
import type { PingId } from '@hither/contract/ids.ts'
import { createReport } from '@hither/contract/reports.ts'
import { areaOf } from '@hither/contract/runtime/areas.ts'
import { exportAccountWithPassword } from '@hither/contract/users.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Listener, type Person, password, receivedBy } from '../../../test/harness.ts'
import { connect, lastPosition, type TestGateway } from '../../realtime/harness.ts'
import { dayMs, minuteMs } from '../harness.ts'
import { area, type Cast, exact, exactPlace, placeInReply, settings, startCast } from './harness.ts'

let cast: Cast
let ann: Person
let bob: Person

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob } = cast)
})

afterAll(() => cast.server.close())
afterEach(() => cast.clear())

const hourMs = 60 * minuteMs
const endsMs = 30 * minuteMs
const digits = [exact.latitude, exact.longitude].map(String)

function expectNoPlace(text: string) {
  for (const trace of [...digits, exact.address]) expect(text).not.toContain(trace)
}

/** Everything that the database stores about this ping. */
async function stored(id: PingId): Promise<string> {
  const rows = await cast.server.db`select p::text as row from location_pins p where id = ${id}`
  return JSON.stringify(rows)
}

describe('the exact place of a ping', () => {
  it('is read by its owner until 24 hours after the end, and by nobody from then on, before the job has run', async () => {
    const { id } = await cast.place('everyone', { is_public: true })
    await cast.respond(id, 'accepted', bob)
    cast.server.clock.advance(endsMs + 24 * hourMs - minuteMs)
    for (const viewer of [ann, bob]) expect(placeInReply(await cast.read(id, viewer))).toEqual(exactPlace)
    cast.server.clock.advance(minuteMs)
    for (const viewer of [ann, bob]) {
      const { body } = await cast.read(id, viewer)
      expect(placeInReply({ body } as never)).toEqual(area)
      expectNoPlace(JSON.stringify(body))
    }
    expectNoPlace(JSON.stringify((await cast.mine(ann)).body))
    expect((await cast.calendarOf(id, ann)).status).toBe(403)
  })

  it('is replaced in the row by the job, without a change of the ping, and in its export and a new report', async () => {
    const { id } = await cast.place('going')
    await cast.respond(id, 'accepted', bob)
    const before = (await cast.read(id, ann)).body
    expect(before).toMatchObject({ place_known_by: [{ user_id: bob.id }] })
    cast.server.clock.advance(endsMs + 24 * hourMs)
    await cast.server.app.pingJobs.runDue()
    expectNoPlace(await stored(id))
    expect(await cast.server.db`select 1 from ping_place_known_by where ping_id = ${id}`).toEqual([])
    const { body } = await cast.read(id, ann)
    expect(body).toMatchObject({ ...area, updated_at: before.updated_at, revision: 0, place_known_by: [] })
    const { body: exported } = await cast.server.call(exportAccountWithPassword, { body: { password } }, ann)
    expectNoPlace(JSON.stringify(exported))
    expect(JSON.stringify(exported)).toContain(area.address)
    const report = { subject: 'ping', subject_id: id, reason: 'other' } as const
    expect((await cast.server.call(createReport, { body: report }, bob)).status).toBe(201)
    const [row] = await cast.server.db`select * from reports where subject_id = ${id}`
    expect(row).toMatchObject({ latitude: area.latitude, longitude: area.longitude, address: area.address })
    const [tombstone] = await cast.server.db`
      select 1 as found from tombstones where kind = 'ping_places' and id_hash = hash_of_id(${id}::text)`
    expect(tombstone).toEqual({ found: 1 })
  })

  it.each(settings.flatMap((setting) => [[setting, 1] as const, [setting, 5] as const]))(
    'for %s becomes the area of %i km, and that of live and scheduled pings stays',
    async (setting, area_km) => {
      const ended = await cast.place(setting, { area_km })
      const townless = await cast.place(setting, { area_km, latitude: -48.9, longitude: -123.4, address: 'At sea' })
      const scheduled = await cast.place(setting, { area_km, activates_at: cast.ahead(20 * 24 * 60) })
      cast.server.clock.advance(endsMs + 24 * hourMs)
      const live = await cast.place(setting, { area_km })
      await cast.server.app.pingJobs.runDue()
      const { radius_m: place_radius_m, ...center } = areaOf(exact.latitude, exact.longitude, area_km)
      expect((await cast.read(ended.id, ann)).body).toMatchObject({ ...center, place_radius_m })
      expect((await cast.read(ended.id, ann)).body.address).toMatch(/^near /)
      expect((await cast.read(townless.id, ann)).body.address).toBeNull()
      for (const { id } of [live, scheduled]) expect(placeInReply(await cast.read(id, ann))).toEqual(exactPlace)
    },
  )

  it('of a ping from before every ping had a town gets its town', async () => {
    const { id } = await cast.place('everyone')
    await cast.server.db`update location_pins set area_address = null`
    cast.server.clock.advance(endsMs + 24 * hourMs)
    await cast.server.app.pingJobs.runDue()
    expect(placeInReply(await cast.read(id, ann))).toEqual(area)
  })

  it('of more pings than one batch contains is erased in one run', async () => {
    const { id } = await cast.place('everyone')
    await cast.server.db`
      insert into location_pins (id, user_id, name, latitude, longitude, area_latitude, area_longitude, is_public,
        responses_visible, created_at, updated_at, expires_at, announced_status)
      select gen_random_uuid(), user_id, name, latitude, longitude, area_latitude, area_longitude, is_public,
        responses_visible, created_at, updated_at, expires_at, announced_status
      from location_pins, generate_series(1, 450) where id = ${id}`
    cast.server.clock.advance(endsMs + 24 * hourMs)
    await cast.server.app.pingJobs.runDue()
    expect(await cast.server.db`select 1 from location_pins where place_erased_at is null`).toEqual([])
  })

  it('of a ping that is due is not in the row of a deletion, before the job has run', async () => {
    const { id } = await cast.place('everyone')
    const listener = await cast.server.listen(bob, ['location_pins', 'users'])
    cast.server.clock.advance(endsMs + 24 * hourMs)
    await cast.remove(id, ann)
    const [gone] = (await receivedBy(cast.server, bob, listener)).slice(-1)
    expect(gone).toMatchObject({ eventType: 'DELETE', old: { id, latitude: area.latitude } })
    expectNoPlace(JSON.stringify(gone))
    await listener.close()
  })
})

describe('the erasure of a place', () => {
  it('is announced to the owner and the invitees with the area, and the old row has only the id', async () => {
    const { id } = await cast.place('invited')
    const people = [ann, bob]
    const listeners: Listener[] = []
    for (const person of people) listeners.push(await cast.server.listen(person, ['location_pins', 'users']))
    cast.server.clock.advance(endsMs + 24 * hourMs)
    await cast.server.app.pingJobs.runDue()
    for (const [index, person] of people.entries()) {
      const changes = await receivedBy(cast.server, person, listeners[index] as Listener)
      const last = changes.at(-1)
      expect(last).toMatchObject({ eventType: 'UPDATE', new: { id, ...area, status: 'expired' } })
      expect(last?.old).toEqual({ id })
      expectNoPlace(JSON.stringify(last))
    }
    await Promise.all(listeners.map((listener) => listener.close()))
    const [row] = await cast.server
      .db`select body from outbox where body like '%location_pins%' order by id desc limit 1`
    expectNoPlace(String(row?.['body']))
  })

  it.each(['before', 'after'])('keeps the exact row from a device that resumes %s the job has run', async (when) => {
    const gateway = { origin: cast.server.url.replace('http', 'ws') } as TestGateway
    const join = async (after?: string) => {
      const device = await connect(gateway)
      const config = { postgres_changes: [{ event: '*', schema: 'public', table: 'location_pins' }] }
      await device.join('realtime:place', '1', ann.session.access_token, config, { resume: { after } })
      return device
    }
    const { id } = await cast.place('everyone')
    cast.server.clock.advance(endsMs + 24 * hourMs - 1000)
    const before = await join()
    const handled = lastPosition(await before.settle())
    before.webSocket.terminate()
    await before.closed
    // The end is announced in the last second, with a row that contains the exact place.
    await cast.server.app.pingJobs.runDue()
    const [row] = await cast.server.db`select body from outbox where body like ${`%${id}%`} order by id desc limit 1`
    expect(String(row?.['body'])).toContain(digits[0])
    cast.server.clock.advance(1000)
    if (when === 'after') await cast.server.app.pingJobs.runDue()
    const after = await join(handled)
    const frames = JSON.stringify(await after.settle())
    expect(frames).not.toContain('"resync"')
    if (when === 'after') expect(frames).toContain(`"latitude":${area.latitude}`)
    expectNoPlace(frames)
    after.webSocket.terminate()
  })
})

describe('with PLACE_KEEP_HOURS=0', () => {
  let atOnce: Cast

  beforeAll(async () => {
    atOnce = await startCast(undefined, { PLACE_KEEP_HOURS: '0', PING_RETENTION_DAYS: '30' })
  })
  afterAll(() => atOnce.server.close())

  it.each(['ended', 'canceled', 'expired'])('nobody gets the exact place of a ping that has %s', async (how) => {
    const { server, ann } = atOnce
    const { id } = await atOnce.place('everyone')
    const listener = await server.listen(ann, ['location_pins', 'users'])
    const answer =
      how === 'ended'
        ? await atOnce.change(id, { end: true }, ann)
        : how === 'canceled'
          ? await atOnce.cancel(id, ann)
          : null
    if (answer === null) server.clock.advance(endsMs)
    else expect(placeInReply(answer)).toEqual(area)
    expect(placeInReply(await atOnce.read(id, ann))).toEqual(area)
    await server.app.pingJobs.runDue()
    const changes = await receivedBy(server, ann, listener)
    expect(changes.map(({ new: { status } }) => status)).toEqual(['expired', 'expired'])
    for (const { new: row } of changes) expect(row).toMatchObject(area)
    await listener.close()
  })

  it('a ping is deleted after the days that are set, and clients learn both times', async () => {
    const { server, ann } = atOnce
    expect((await server.call(getConfig, {})).body.erasure).toEqual({ chat_days: 7, place_hours: 0, ping_days: 30 })
    const { id } = await atOnce.place('everyone')
    server.clock.advance(endsMs + 30 * dayMs)
    await server.app.pingJobs.runDue()
    expect((await atOnce.read(id, ann)).status).toBe(200)
    server.clock.advance(1)
    await server.app.pingJobs.runDue()
    expect((await atOnce.read(id, ann)).status).toBe(404)
  })
})
