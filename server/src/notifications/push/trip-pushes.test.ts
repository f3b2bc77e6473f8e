import type { PingId } from '@hither/contract/ids.ts'
import { createPing, removeResponse } from '@hither/contract/pings.ts'
import { arriveAtPing, shareTrip, stopTrip } from '@hither/contract/trips.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../test/harness.ts'
import { type Cast, minuteMs, startCast } from '../harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let id: PingId

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat } = cast)
})

beforeEach(async () => {
  await cast.reset()
  const place = { name: 'Coffee at Nero', latitude: 45.52, longitude: -122.68 }
  const body = { ...place, duration_minutes: 240 as const, recipient_ids: [bob.id, cat.id] }
  id = (await cast.server.call(createPing, { body }, ann)).body.id
  await cast.respond({ id }, bob, 'accepted')
  await cast.respond({ id }, cat, 'accepted')
  await cast.arrivals()
})

afterAll(() => cast.close())

const go = (who: Person, eta_minutes = 12) =>
  cast.server.call(shareTrip, { params: { id }, body: { eta_minutes } }, who)
const arrive = (who: Person) => cast.server.call(arriveAtPing, { params: { id }, body: {} }, who)
const stop = (who: Person) => cast.server.call(stopTrip, { params: { id } }, who)

const onTheWay = /^ann: bob is on the way \| Coffee at Nero: about 1[23] min$/
const here = 'ann: bob is here | Coffee at Nero'

describe('the owner is notified', () => {
  it('of the start of a trip and of the arrival, with the tag of the person', async () => {
    await go(bob)
    const [start] = await cast.arrivals()
    expect(start).toMatchObject({
      device: 'ann',
      payload: { kind: 'ping_trip', tag: `trip:${id}:${bob.id}`, url: `/pins/${id}`, actions: [] },
    })
    expect(start?.payload.title).toBe('bob is on the way')
    expect(start?.payload.body).toMatch(/^Coffee at Nero: about 1[123] min$/)
    expect(start?.text).not.toMatch(/45\.52|122\.68/)
    await arrive(bob)
    expect(await cast.notified()).toEqual([here])
  })

  it('once of each, also after stops and restarts', async () => {
    await go(bob)
    await stop(bob)
    await go(bob)
    const first = await cast.notified()
    expect(first).toEqual([expect.stringMatching(onTheWay)])
    await go(bob, 30)
    await arrive(bob)
    expect(await cast.notified()).toEqual([here])
    cast.server.clock.advance(minuteMs)
    await go(bob)
    await arrive(bob)
    await stop(bob)
    await go(bob)
    expect(await cast.notified()).toEqual([])
  })

  it('once of each, also after the person removed their response and responded again', async () => {
    await go(bob)
    await arrive(bob)
    expect(await cast.notified()).toEqual([here])
    await cast.server.call(removeResponse, { params: { id } }, bob)
    await cast.respond({ id }, bob, 'accepted')
    await cast.arrivals()
    await go(bob)
    expect(await cast.notified()).toEqual([])
    await arrive(bob)
    expect(await cast.notified()).toEqual([])
  })

  it('of an arrival without a trip', async () => {
    await arrive(bob)
    expect(await cast.notified()).toEqual([here])
    await go(bob)
    expect(await cast.notified()).toEqual([expect.stringMatching(onTheWay)])
  })

  it('of each person', async () => {
    await go(bob)
    await go(cat)
    expect(await cast.notified()).toHaveLength(2)
  })

  it('of hours and minutes', async () => {
    await go(bob, 90)
    expect((await cast.notified())[0]).toMatch(/: about 1 h (29|30|31) min$/)
  })
})

describe('nobody is notified', () => {
  it("of the owner's own trip, of new minutes and of a stop", async () => {
    await go(ann)
    await arrive(ann)
    await stop(ann)
    expect(await cast.notified()).toEqual([])
    await go(bob)
    await cast.arrivals()
    await go(bob, 45)
    await stop(bob)
    expect(await cast.notified()).toEqual([])
  })

  it('of a trip that has ended before the push is sent', async () => {
    await go(bob)
    await stop(bob)
    expect(await cast.notified()).toEqual([])
  })

  it('of an arrival after which the person has started again', async () => {
    await go(bob)
    await cast.arrivals()
    await arrive(bob)
    await go(bob)
    expect(await cast.notified()).toEqual([])
  })

  it('if the owner has switched the kind off, or during quiet hours', async () => {
    await cast.prefer(ann, { kinds: { ping_trip: false } })
    await go(bob)
    expect(await cast.notified()).toEqual([])
    const hour = cast.server.clock.now().getUTCHours()
    const at = (hours: number) => `${String(hours % 24).padStart(2, '0')}:00`
    const quiet_hours = { from: at(hour + 23), to: at(hour + 2), time_zone: 'UTC' }
    await cast.prefer(ann, { kinds: { ping_trip: true }, quiet_hours })
    await arrive(bob)
    expect(await cast.notified()).toEqual([])
  })
})

it('with hidden details, the notification names nobody', async () => {
  await cast.prefer(ann, { hide_details: true })
  await go(bob)
  expect(await cast.notified()).toEqual(['ann: Update on your pin | '])
})
