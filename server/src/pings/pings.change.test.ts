import { type ChangePing, changePing, pingTexts } from '@hither/contract/pings.ts'
import { refusals } from '@hither/contract/refusals.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Listener, type Person } from '../../test/harness.ts'
import { type Cast, dayMs, heardBy, minuteMs, nobodysPing, pinNotFound, startCast } from './harness.ts'
import { rowOf } from './pings.service.ts'

let cast: Cast
let ann: Person
let bob: Person
let eve: Person
let listener: Listener

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, eve } = cast)
})

afterAll(() => cast.server.close())

beforeEach(async () => {
  listener = await cast.server.listen(bob, ['location_pins', 'ping_responses', 'users'])
})

afterEach(async () => {
  await listener.close()
  await cast.clear()
})

/** What bob has heard since the test began. */
async function heard() {
  const changes = await heardBy(cast.server, bob, listener)
  return changes.map(({ eventType, new: record }) => `${eventType} ${record['status'] ?? ''}`.trim())
}

function refusalOf(code: keyof typeof refusals) {
  const { status, detail } = refusals[code]
  return { status, body: { detail } }
}

const pass = async (ms: number) => {
  cast.server.clock.advance(ms)
  await cast.server.app.pingJobs.runDue()
}

describe('time added', () => {
  it('moves the end for everyone, is told at once, and the new end once', async () => {
    const dropped = await cast.drop(ann)
    cast.server.clock.advance(20 * minuteMs)
    const { status, body } = await cast.change(dropped.id, { extend_minutes: 60 }, ann)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...dropped,
      expires_at: new Date(Date.parse(dropped.expires_at) + 60 * minuteMs).toISOString(),
    })
    expect((await cast.list(bob)).body[0]?.expires_at).toBe(body.expires_at)
    const change = await listener.until(({ eventType }) => eventType === 'UPDATE')
    expect(change.new).toEqual(rowOf(body))
    await pass(69 * minuteMs)
    expect((await cast.list(bob)).body).toHaveLength(1)
    await pass(minuteMs)
    expect((await cast.list(bob)).body).toEqual([])
    await pass(minuteMs)
    expect(await heard()).toEqual(['INSERT active', 'UPDATE active', 'UPDATE expired'])
  })

  it('makes four hours from the activation at most', async () => {
    const { id } = await cast.drop(ann, { activates_at: cast.ahead(600), duration_minutes: 120 })
    cast.server.clock.advance(700 * minuteMs)
    for (const extend_minutes of [60, 30, 15] as const) {
      expect((await cast.change(id, { extend_minutes }, ann)).status).toBe(200)
    }
    expect(await cast.change(id, { extend_minutes: 30 }, ann)).toMatchObject(refusalOf('ping_life_exceeded'))
    expect((await cast.change(id, { extend_minutes: 15 }, ann)).status).toBe(200)
    expect(await cast.change(id, { extend_minutes: 15 }, ann)).toMatchObject(refusalOf('ping_life_exceeded'))
  })

  it('tells of an activation that nobody told of, once', async () => {
    const { id } = await cast.drop(ann, { activates_at: cast.ahead(10) })
    cast.server.clock.advance(11 * minuteMs)
    await cast.change(id, { extend_minutes: 15 }, ann)
    await pass(minuteMs)
    expect(await heard()).toEqual(['INSERT pending', 'UPDATE active'])
  })

  it('by a node whose clock is behind is told again at the new end', async () => {
    const { id } = await cast.drop(ann)
    cast.server.clock.advance(30 * minuteMs)
    await cast.server.app.pingJobs.runDue()
    cast.server.clock.advance(-1)
    expect((await cast.change(id, { extend_minutes: 15 }, ann)).status).toBe(200)
    await pass(20 * minuteMs)
    expect(await heard()).toEqual(['INSERT active', 'UPDATE expired', 'UPDATE active', 'UPDATE expired'])
  })

  it('keeps the ping, and its pictures and answers, from being erased before its time', async () => {
    const { id } = await cast.drop(ann, { duration_minutes: 15 })
    await cast.change(id, { extend_minutes: 60 }, ann)
    await pass(75 * minuteMs + 30 * dayMs)
    expect((await cast.read(id, bob)).status).toBe(200)
    await pass(1)
    expect((await cast.read(id, bob)).status).toBe(404)
  })
})

describe('ending', () => {
  it('is at once, for everyone, and told once', async () => {
    const { id } = await cast.drop(ann, { is_public: true })
    cast.server.clock.advance(5 * minuteMs)
    const { status, body } = await cast.change(id, { end: true }, ann)
    expect([status, body.status, body.expires_at]).toEqual([200, 'expired', cast.server.clock.now().toISOString()])
    expect((await cast.list(ann)).body).toEqual([])
    expect((await cast.list(bob)).body).toEqual([])
    expect(await cast.read(id)).toMatchObject(pinNotFound)
    expect((await cast.respond(id, 'accepted', bob)).status).toBe(409)
    await pass(30 * minuteMs)
    expect(await heard()).toEqual(['INSERT active', 'UPDATE expired'])
  })

  it('may be in the millisecond of the beginning', async () => {
    const { id } = await cast.drop(ann)
    expect((await cast.change(id, { end: true }, ann)).body).toMatchObject({ status: 'expired' })
    const later = await cast.drop(ann, { activates_at: cast.ahead(1) })
    cast.server.clock.advance(minuteMs)
    expect((await cast.change(later.id, { end: true }, ann)).body).toMatchObject({ status: 'expired' })
    await pass(minuteMs)
    expect(await heard()).toEqual(['INSERT active', 'UPDATE expired', 'INSERT pending', 'UPDATE expired'])
  })
})

describe('either', () => {
  const changes = [{ extend_minutes: 15 }, { end: true }] as const satisfies ChangePing[]

  it.each(changes)('%j is the owner’s: a guest may not, to anyone else there is nothing', async (change) => {
    const { id } = await cast.drop(ann, { is_public: true })
    expect(await cast.change(id, change, bob)).toMatchObject(refusalOf('ping_not_changeable'))
    expect(await cast.change(id, change, eve)).toMatchObject(pinNotFound)
    expect(await cast.change(nobodysPing, change, ann)).toMatchObject(pinNotFound)
    expect((await cast.server.call(changePing, { params: { id }, body: change })).status).toBe(401)
    expect(await heard()).toEqual(['INSERT active'])
  })

  it.each(changes)('%j is for a ping that is active', async (change) => {
    const over = await cast.drop(ann, { duration_minutes: 15 })
    cast.server.clock.advance(15 * minuteMs)
    const pending = await cast.drop(ann, { activates_at: cast.ahead(10) })
    for (const { id } of [over, pending]) {
      expect(await cast.change(id, change, ann)).toMatchObject(refusalOf('ping_not_active'))
    }
  })

  it('is asked for alone, and in no other words', async () => {
    const { id } = await cast.drop(ann)
    const ask = async (body: unknown) => await cast.server.request('PATCH', `/api/pings/${id}`, { body, as: ann })
    const unclear = { status: 422, body: { detail: [{ loc: ['body'], msg: pingTexts.changeUnclear }] } }
    for (const body of [{}, { extend_minutes: 15, end: true }, { name: 'Tea' }]) {
      expect(await ask(body)).toMatchObject(unclear)
    }
    for (const body of [{ extend_minutes: 20 }, { extend_minutes: '15' }, { end: false }, { end: 'true' }, null]) {
      expect((await ask(body)).status).toBe(422)
    }
    expect(await heard()).toEqual(['INSERT active'])
  })
})
