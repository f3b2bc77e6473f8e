import { type ChangePing, changePing } from '@hither/contract/pings.ts'
import { refusals } from '@hither/contract/refusals.ts'
import { pingTexts } from '@hither/contract/runtime/pings.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Listener, type Person, receivedBy } from '../../test/harness.ts'
import { type Cast, dayMs, minuteMs, pinNotFound, startCast, unknownPingId } from './harness.ts'
import { rowOf } from './pings.rules.ts'

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

/** The changes that bob has received since the test began. */
async function received() {
  const changes = await receivedBy(cast.server, bob, listener)
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

describe('extending a ping', () => {
  it('moves the end for everyone, announces the change at once, and announces the new end once', async () => {
    const dropped = await cast.drop(ann)
    cast.server.clock.advance(20 * minuteMs)
    const { status, body } = await cast.change(dropped.id, { extend_minutes: 60 }, ann)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...dropped,
      updated_at: cast.server.clock.now().toISOString(),
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
    expect(await received()).toEqual(['INSERT active', 'UPDATE active', 'UPDATE expired'])
  })

  it('is limited to four hours from the activation', async () => {
    const { id } = await cast.drop(ann, { activates_at: cast.ahead(600), duration_minutes: 120 })
    cast.server.clock.advance(700 * minuteMs)
    for (const extend_minutes of [60, 30, 15] as const) {
      expect((await cast.change(id, { extend_minutes }, ann)).status).toBe(200)
    }
    expect(await cast.change(id, { extend_minutes: 30 }, ann)).toMatchObject(refusalOf('ping_life_exceeded'))
    expect((await cast.change(id, { extend_minutes: 15 }, ann)).status).toBe(200)
    expect(await cast.change(id, { extend_minutes: 15 }, ann)).toMatchObject(refusalOf('ping_life_exceeded'))
  })

  it('announces an activation that was not announced yet, once', async () => {
    const { id } = await cast.drop(ann, { activates_at: cast.ahead(10) })
    cast.server.clock.advance(11 * minuteMs)
    await cast.change(id, { extend_minutes: 15 }, ann)
    await pass(minuteMs)
    expect(await received()).toEqual(['INSERT pending', 'UPDATE active'])
  })

  it('by a node with a slow clock is announced again at the new end', async () => {
    const { id } = await cast.drop(ann)
    cast.server.clock.advance(30 * minuteMs)
    await cast.server.app.pingJobs.runDue()
    cast.server.clock.advance(-1)
    expect((await cast.change(id, { extend_minutes: 15 }, ann)).status).toBe(200)
    await pass(20 * minuteMs)
    expect(await received()).toEqual(['INSERT active', 'UPDATE expired', 'UPDATE active', 'UPDATE expired'])
  })

  it('delays the deletion of the ping with its pictures and responses', async () => {
    const { id } = await cast.drop(ann, { duration_minutes: 15 })
    await cast.change(id, { extend_minutes: 60 }, ann)
    await pass(75 * minuteMs + 7 * dayMs)
    expect((await cast.read(id, bob)).status).toBe(200)
    await pass(1)
    expect((await cast.read(id, bob)).status).toBe(404)
  })
})

describe('ending a ping', () => {
  it('takes effect at once for everyone and is announced once', async () => {
    const { id } = await cast.drop(ann, { is_public: true })
    cast.server.clock.advance(5 * minuteMs)
    const { status, body } = await cast.change(id, { end: true }, ann)
    expect([status, body.status, body.expires_at]).toEqual([200, 'expired', cast.server.clock.now().toISOString()])
    expect((await cast.list(ann)).body).toEqual([])
    expect((await cast.list(bob)).body).toEqual([])
    expect(await cast.read(id)).toMatchObject(pinNotFound)
    expect((await cast.respond(id, 'accepted', bob)).status).toBe(409)
    await pass(30 * minuteMs)
    expect(await received()).toEqual(['INSERT active', 'UPDATE expired'])
  })

  it('is possible in the millisecond of its start', async () => {
    const { id } = await cast.drop(ann)
    expect((await cast.change(id, { end: true }, ann)).body).toMatchObject({ status: 'expired' })
    const later = await cast.drop(ann, { activates_at: cast.ahead(1) })
    cast.server.clock.advance(minuteMs)
    expect((await cast.change(later.id, { end: true }, ann)).body).toMatchObject({ status: 'expired' })
    await pass(minuteMs)
    expect(await received()).toEqual(['INSERT active', 'UPDATE expired', 'INSERT pending', 'UPDATE expired'])
  })
})

describe('extending and ending', () => {
  const changes = [{ extend_minutes: 15 }, { end: true }] as const satisfies ChangePing[]

  it.each(changes)('%j is allowed for the owner only: an invitee gets 403, everyone else 404', async (change) => {
    const { id } = await cast.drop(ann, { is_public: true })
    expect(await cast.change(id, change, bob)).toMatchObject(refusalOf('ping_not_changeable'))
    expect(await cast.change(id, change, eve)).toMatchObject(pinNotFound)
    expect(await cast.change(unknownPingId, change, ann)).toMatchObject(pinNotFound)
    expect((await cast.server.call(changePing, { params: { id }, body: change })).status).toBe(401)
    expect(await received()).toEqual(['INSERT active'])
  })

  it.each(changes)('%j is refused unless the ping is active', async (change) => {
    const over = await cast.drop(ann, { duration_minutes: 15 })
    cast.server.clock.advance(15 * minuteMs)
    const pending = await cast.drop(ann, { activates_at: cast.ahead(10) })
    for (const { id } of [over, pending]) {
      expect(await cast.change(id, change, ann)).toMatchObject(refusalOf('ping_not_active'))
    }
  })

  it('accepts no other change in the same request', async () => {
    const { id } = await cast.drop(ann)
    const ask = async (body: unknown) => await cast.server.request('PATCH', `/api/pings/${id}`, { body, as: ann })
    const unclear = { status: 422, body: { detail: [{ loc: ['body'], msg: pingTexts.changeUnclear }] } }
    for (const body of [{}, { extend_minutes: 15, end: true }, { end: true, name: 'Tea' }]) {
      expect(await ask(body)).toMatchObject(unclear)
    }
    for (const body of [{ extend_minutes: 20 }, { extend_minutes: '15' }, { end: false }, { end: 'true' }, null]) {
      expect((await ask(body)).status).toBe(422)
    }
    expect(await received()).toEqual(['INSERT active'])
  })
})
