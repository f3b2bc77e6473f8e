import { exportAccountWithPassword } from '@hither/contract/users.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Person, password } from '../../test/harness.ts'
import { minuteMs, pinNotFound, unknownPingId } from '../pings/harness.ts'
import { type Cast, startCast } from './harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let eve: Person

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat, eve } = cast)
})

afterAll(() => cast.server.close())

afterEach(() => cast.clear())

const exportOf = async (person: Person) =>
  (await cast.server.call(exportAccountWithPassword, { body: { password } }, person)).body

const nowMs = () => cast.server.clock.now().getTime()
const refusal = (status: number, detail: string) => ({ status, body: { detail } })
const notGoing = refusal(403, 'Only people who are going can share their arrival time.')
const ended = refusal(409, 'This trip has already ended.')

describe('sharing an arrival time', () => {
  it('returns the trip with the arrival in full minutes, and shows it to the owner', async () => {
    const { id } = await cast.dropFor([bob])
    const trip = await cast.go(id, bob, 10)
    const at = cast.server.clock.now().toISOString()
    expect(trip).toEqual({
      ...{ ping_id: id, user_id: bob.id, username: 'bob', state: 'en_route' },
      ...{ arrives_at: expect.stringMatching(/:00\.000Z$/), started_at: at, updated_at: at },
    })
    expect(Math.abs(Date.parse(trip.arrives_at) - nowMs() - 10 * minuteMs)).toBeLessThanOrEqual(30_000)
    expect((await cast.list(ann)).body[0]?.trips).toEqual([trip])
    expect((await cast.mine(ann)).body[0]?.trips).toEqual([trip])
    expect((await cast.read(id, ann)).body).toMatchObject({ trips: [trip] })
    expect((await cast.read(id, bob)).body).toMatchObject({ trips: [trip] })
  })

  it.each([0, 181, -1, 1.5, '10', null, undefined, 1e300])(
    'for %j minutes is refused at the field',
    async (eta_minutes) => {
      const { id } = await cast.dropFor([bob])
      const answer = await cast.server.request('PUT', `/api/pings/${id}/trip`, { body: { eta_minutes }, as: bob })
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'eta_minutes'] }] } })
      if (eta_minutes === 0 || eta_minutes === 181)
        expect(answer.body).toMatchObject({ detail: [{ msg: 'Please choose between 1 and 180 minutes.' }] })
      expect(await cast.rows()).toEqual([])
    },
  )

  it.each([1, 180])('for %j minutes succeeds', async (minutes) => {
    const { id } = await cast.dropFor([bob])
    expect((await cast.share(id, minutes, bob)).status).toBe(200)
  })

  it('is refused to everybody who is not going, and to strangers as for an unknown ping', async () => {
    const { id } = await cast.dropFor([], { is_public: true, guest_policy: 'open' })
    expect(await cast.share(id, 10, bob)).toMatchObject(notGoing)
    for (const type of ['tentative', 'declined'] as const) {
      await cast.respond(id, type, bob)
      expect(await cast.share(id, 10, bob)).toMatchObject(notGoing)
    }
    expect(await cast.share(id, 10, eve)).toMatchObject(notGoing)
    await cast.respond(id, 'accepted', eve)
    expect(await cast.share(id, 10, eve)).toMatchObject(notGoing)
    const hidden = await cast.dropFor([bob], { recipient_ids: [bob.id] })
    for (const who of [cat, eve]) {
      const [known, unknown] = [await cast.share(hidden.id, 10, who), await cast.share(unknownPingId, 10, who)]
      expect(known).toMatchObject(pinNotFound)
      expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    }
    const anonymous = await cast.server.request('PUT', `/api/pings/${id}/trip`, { body: { eta_minutes: 10 } })
    expect(anonymous.status).toBe(401)
    expect(await cast.rows()).toEqual([])
  })

  it('is possible from three hours before the start to the end', async () => {
    const early = await cast.dropFor([bob], { activates_at: cast.ahead(181) })
    expect(await cast.share(early.id, 10, bob)).toMatchObject(
      refusal(409, 'You can share your arrival time from 3 hours before the start.'),
    )
    cast.server.clock.advance(2 * minuteMs)
    expect((await cast.share(early.id, 10, bob)).status).toBe(200)
    const brief = await cast.dropFor([bob], { duration_minutes: 15 })
    cast.server.clock.advance(15 * minuteMs)
    const over = refusal(409, 'This pin has ended.')
    expect(await cast.share(brief.id, 10, bob)).toMatchObject(over)
    expect(await cast.arrive(brief.id, bob)).toMatchObject(over)
    expect((await cast.stop(brief.id, bob)).status).toBe(204)
  })

  it('is possible for the owner', async () => {
    const { id } = await cast.dropFor([bob])
    await cast.go(id, ann)
    expect(await cast.seenBy(id, bob)).toEqual(['ann'])
    expect(await cast.seenBy(id, cat)).toEqual([])
  })

  it('ignores other fields, and stores their values nowhere', async () => {
    const { id } = await cast.dropFor([bob])
    const extra = {
      ...{ latitude: 12.345678, longitude: 98.765432, user_id: ann.id, state: 'arrived', speed: 424242 },
      arrives_at: '2001-01-01T00:00:00.000Z',
    }
    const body = { eta_minutes: 10, ...extra }
    const answer = await cast.server.request('PUT', `/api/pings/${id}/trip`, { body, as: bob })
    expect(answer).toMatchObject({ status: 200, body: { user_id: bob.id, state: 'en_route' } })
    const rows = JSON.stringify([
      await cast.server.db`select * from ping_trips`,
      await cast.server.db`select * from outbox`,
      await cast.server.db`select * from ping_responses`,
    ])
    expect(rows).not.toMatch(/12\.345678|98\.765432|424242|2001-01-01/)
  })
})

describe('who sees a trip', () => {
  it('is the traveler, the owner and those who are going, if responses are visible', async () => {
    const { id } = await cast.dropFor([bob, cat])
    await cast.go(id, bob)
    for (const who of [ann, bob, cat]) expect(await cast.seenBy(id, who)).toEqual(['bob'])
    for (const type of ['tentative', 'declined'] as const) {
      await cast.respond(id, type, cat)
      expect(await cast.seenBy(id, cat)).toEqual([])
    }
    await cast.takeBack(id, cat)
    expect(await cast.seenBy(id, cat)).toEqual([])
  })

  it('is the traveler and the owner, if responses are not visible', async () => {
    const { id } = await cast.dropFor([bob, cat], { responses_visible: false })
    await cast.go(id, bob)
    for (const who of [ann, bob]) expect(await cast.seenBy(id, who)).toEqual(['bob'])
    expect(await cast.seenBy(id, cat)).toEqual([])
  })

  it('is never a person with only the public link', async () => {
    const { id } = await cast.dropFor([bob], { is_public: true })
    await cast.go(id, bob)
    for (const who of [eve, undefined]) {
      const { body } = await cast.read(id, who)
      expect(body).not.toHaveProperty('trips')
    }
  })

  it('is nobody of two people with a block, and the owner sees both', async () => {
    const { id } = await cast.dropFor([bob, cat])
    await cast.go(id, bob, 10)
    await cast.go(id, cat, 20)
    expect(await cast.seenBy(id, cat)).toEqual(['bob', 'cat'])
    await cast.block(cat, bob)
    expect(await cast.seenBy(id, cat)).toEqual(['cat'])
    expect(await cast.seenBy(id, bob)).toEqual(['bob'])
    expect(await cast.seenBy(id, ann)).toEqual(['bob', 'cat'])
    await cast.unblock(cat, bob)
    expect(await cast.seenBy(id, bob)).toEqual(['bob', 'cat'])
  })
})

describe('an automatic update', () => {
  it('changes the arrival and not the start', async () => {
    const { id } = await cast.dropFor([bob])
    const { started_at } = await cast.go(id, bob, 10)
    cast.server.clock.advance(minuteMs)
    const { status, body } = await cast.share(id, 30, bob, started_at)
    expect([status, body.started_at, body.updated_at]).toEqual([200, started_at, cast.server.clock.now().toISOString()])
    expect((await cast.arrive(id, bob, started_at)).body).toMatchObject({ state: 'arrived', started_at })
  })

  it('is refused after the end, after the arrival and after another start', async () => {
    const { id } = await cast.dropFor([bob])
    expect(await cast.share(id, 10, bob, cast.ahead(0))).toMatchObject(ended)
    const first = await cast.go(id, bob)
    await cast.stop(id, bob)
    for (const late of [cast.share(id, 10, bob, first.started_at), cast.arrive(id, bob, first.started_at)])
      expect(await late).toMatchObject(ended)
    expect(await cast.rows()).toEqual([])
    cast.server.clock.advance(1)
    const second = await cast.go(id, bob)
    expect(await cast.share(id, 10, bob, first.started_at)).toMatchObject(ended)
    await cast.arrive(id, bob)
    expect(await cast.share(id, 10, bob, second.started_at)).toMatchObject(ended)
    expect(await cast.arrive(id, bob, second.started_at)).toMatchObject(ended)
    expect((await cast.share(id, 10, bob)).body.started_at).not.toBe(second.started_at)
  })

  it('is refused 30 minutes after the arrival time, also before the job has run', async () => {
    const { id } = await cast.dropFor([bob])
    const { started_at } = await cast.go(id, bob, 1)
    cast.server.clock.advance(32 * minuteMs)
    expect(await cast.share(id, 10, bob, started_at)).toMatchObject(ended)
  })
})

describe('arriving', () => {
  it('without a trip creates one; repeated it returns the same; later minutes start a new trip', async () => {
    const { id } = await cast.dropFor([bob])
    const first = await cast.server.request('POST', `/api/pings/${id}/trip/arrived`, { as: bob })
    expect(first).toMatchObject({
      status: 200,
      body: { state: 'arrived', arrives_at: expect.stringMatching(/:00\.000Z$/) },
    })
    cast.server.clock.advance(5 * minuteMs)
    const again = await cast.arrive(id, bob)
    expect(again.body).toEqual(first.body)
    const restarted = await cast.go(id, bob)
    expect(restarted.state).toBe('en_route')
    expect(restarted.started_at).not.toBe(again.body.started_at)
  })

  it('is not ended by time', async () => {
    const { id } = await cast.dropFor([bob])
    await cast.arrive(id, bob)
    cast.server.clock.advance(110 * minuteMs)
    expect(await cast.seenBy(id, ann)).toEqual(['bob'])
  })
})

describe('a trip disappears from reads at once, whether or not a job has run', () => {
  it('30 minutes after its arrival time', async () => {
    const { id } = await cast.dropFor([bob])
    const { arrives_at } = await cast.go(id, bob, 10)
    cast.server.clock.advance(Date.parse(arrives_at) + 30 * minuteMs - nowMs() - 1)
    expect(await cast.seenBy(id, ann)).toEqual(['bob'])
    cast.server.clock.advance(1)
    expect(await cast.seenBy(id, ann)).toEqual([])
    expect((await exportOf(bob)).trips).toEqual([])
  })

  it('at the end of the ping', async () => {
    const { id } = await cast.dropFor([bob], { duration_minutes: 15 })
    await cast.arrive(id, bob)
    cast.server.clock.advance(15 * minuteMs)
    expect(await cast.seenBy(id, ann)).toEqual([])
  })
})

it('stopping succeeds for every signed-in caller, also for unknown, hidden and expired pings', async () => {
  const { id } = await cast.dropFor([bob], { recipient_ids: [bob.id] })
  await cast.go(id, bob)
  for (const who of [eve, cat, ann, bob, bob]) expect((await cast.stop(id, who)).status).toBe(204)
  expect((await cast.stop(unknownPingId, bob)).status).toBe(204)
  expect((await cast.server.request('DELETE', `/api/pings/${id}/trip`)).status).toBe(401)
  expect(await cast.rows()).toEqual([])
})

it('stopping ends only the trip of the caller', async () => {
  const { id } = await cast.dropFor([bob, cat])
  await cast.go(id, bob)
  await cast.stop(id, cat)
  expect(await cast.seenBy(id, ann)).toEqual(['bob'])
})

it('the export contains the current trips with the name of the owner', async () => {
  const { id } = await cast.dropFor([bob])
  const { username: _, user_id: __, ...trip } = await cast.go(id, bob)
  expect((await exportOf(bob)).trips).toEqual([{ ...trip, username: 'ann' }])
  await cast.stop(id, bob)
  expect((await exportOf(bob)).trips).toEqual([])
})
