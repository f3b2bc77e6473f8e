import { feedNames } from '@hither/contract/feeds.ts'
import type { PingId } from '@hither/contract/ids.ts'
import { cancelPing, removeInvitee } from '@hither/contract/pings.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Person, receivedBy } from '../../test/harness.ts'
import { minuteMs } from '../pings/harness.ts'
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

afterEach(async () => {
  await cast.clear()
  await cast.server.db`delete from blocks`
  await cast.server.db`delete from friendships`
  await cast.server.db`delete from friend_requests`
  await cast.server.befriend(ann, bob)
  await cast.server.befriend(ann, cat)
})

const all = () => [ann, bob, cat, eve]
const trips = ['ping_trips', 'users'] as const

describe('the changes of a trip', () => {
  it('reach the owner, the traveler and those who are going', async () => {
    const { id } = await cast.dropFor([bob, cat])
    const watch = (action: () => Promise<unknown>) => cast.watch(all(), action)
    const each = (change: string) => [[change], [change], [change], []]
    expect(await watch(() => cast.go(id, bob, 10))).toEqual(each('ping_trips INSERT bob'))
    expect(await watch(() => cast.go(id, bob, 20))).toEqual(each('ping_trips UPDATE bob'))
    expect(await watch(() => cast.arrive(id, bob))).toEqual(each('ping_trips UPDATE bob'))
    expect(await watch(() => cast.arrive(id, bob))).toEqual([[], [], [], []])
    expect(await watch(() => cast.go(id, bob, 10))).toEqual(each('ping_trips UPDATE bob'))
    expect(await watch(() => cast.stop(id, bob))).toEqual(each('ping_trips DELETE bob'))
    expect(await watch(() => cast.stop(id, bob))).toEqual([[], [], [], []])
    expect(await watch(() => cast.arrive(id, bob))).toEqual(each('ping_trips INSERT bob'))
  })

  it('have the row that HTTP returns, of at most 450 bytes', async () => {
    const { id } = await cast.dropFor([bob])
    const listener = await cast.server.listen(ann, trips)
    const trip = await cast.go(id, bob)
    const change = await listener.until(({ table }) => table === 'ping_trips')
    expect(change).toMatchObject({ eventType: 'INSERT', new: trip })
    expect(JSON.stringify(change.new).length).toBeLessThan(300)
    await listener.close()
  })

  it('do not reach people who answered maybe or not at all, and only the owner if responses are hidden', async () => {
    const open = await cast.dropFor([bob])
    await cast.respond(open.id, 'tentative', cat)
    const seen = ['ping_trips INSERT bob']
    expect(await cast.watch(all(), () => cast.go(open.id, bob))).toEqual([seen, seen, [], []])
    const hidden = await cast.dropFor([bob, cat], { responses_visible: false })
    expect(await cast.watch(all(), () => cast.go(hidden.id, bob))).toEqual([seen, seen, [], []])
  })

  it('reach an official client that listens to every feed', async () => {
    const { id } = await cast.dropFor([bob])
    const listener = await cast.server.listen(ann, feedNames)
    await cast.go(id, bob)
    expect((await receivedBy(cast.server, ann, listener)).map(({ table }) => table)).toEqual(['ping_trips'])
    await listener.close()
  })

  it('of an overdue trip are its end and the start of another one', async () => {
    const { id } = await cast.dropFor([bob])
    await cast.go(id, bob, 1)
    cast.server.clock.advance(32 * minuteMs)
    const restart = ['ping_trips DELETE bob', 'ping_trips INSERT bob']
    expect(await cast.watch([ann, bob], () => cast.go(id, bob))).toEqual([restart, restart])
  })
})

describe('an answer', () => {
  it('Going shows the trips of others after the own response; Maybe hides them before it', async () => {
    const { id } = await cast.dropFor([bob])
    await cast.go(id, bob)
    expect(await cast.watch([cat, bob], () => cast.respond(id, 'accepted', cat))).toEqual([
      ['ping_responses INSERT cat', 'ping_trips INSERT bob'],
      ['ping_responses INSERT cat'],
    ])
    expect(await cast.watch([cat], () => cast.respond(id, 'accepted', cat))).toEqual([['ping_responses UPDATE cat']])
    expect(await cast.watch([cat, bob], () => cast.respond(id, 'tentative', cat))).toEqual([
      ['ping_trips DELETE bob', 'ping_responses UPDATE cat'],
      ['ping_responses UPDATE cat'],
    ])
    expect(await cast.seenBy(id, cat)).toEqual([])
  })

  it.each([
    ['Maybe', 'UPDATE', (id: never) => cast.respond(id, 'tentative', bob)],
    ['removed', 'DELETE', (id: never) => cast.takeBack(id, bob)],
  ])('%s ends the own trip before the response changes', async (_name, change, action) => {
    const { id } = await cast.dropFor([bob, cat])
    await cast.go(id, bob)
    await cast.go(id, cat)
    const seen = ['ping_trips DELETE bob', `ping_responses ${change} bob`]
    const own = ['ping_trips DELETE bob', 'ping_trips DELETE cat', `ping_responses ${change} bob`]
    expect(await cast.watch([ann, bob, cat], () => action(id as never))).toEqual([seen, own, seen])
    expect(await cast.seenBy(id, ann)).toEqual(['cat'])
  })

  it('of somebody who waits for hidden responses shows no trip', async () => {
    const { id } = await cast.dropFor([bob], { responses_visible: false })
    await cast.go(id, bob)
    expect(await cast.watch([cat], () => cast.respond(id, 'accepted', cat))).toEqual([['ping_responses INSERT cat']])
  })
})

describe('a change of the ping', () => {
  const gone = ['ping_trips DELETE bob', 'location_pins UPDATE']

  it('of the place ends its trips, also before they are shown', async () => {
    const { id } = await cast.dropFor([bob, cat])
    await cast.go(id, bob)
    const move = { latitude: 45.53, longitude: -122.67 }
    const change = async () => expect((await cast.change(id, move, ann)).body).toMatchObject({ trips: [] })
    expect(await cast.watch(all(), change)).toEqual([gone, gone, gone, []])
    expect(await cast.rows()).toEqual([])
  })

  it('of the start ends its trips', async () => {
    const { id } = await cast.dropFor([bob], { activates_at: cast.ahead(60) })
    await cast.go(id, bob)
    expect(await cast.watch([ann], () => cast.change(id, { activates_at: cast.ahead(90) }, ann))).toEqual([gone])
  })

  it('that ends it now ends its trips; more time does not', async () => {
    const { id } = await cast.dropFor([bob], { duration_minutes: 30 })
    await cast.arrive(id, bob)
    const longer = () => cast.change(id, { extend_minutes: 15 }, ann)
    expect(await cast.watch([ann, cat], longer)).toEqual([['location_pins UPDATE'], ['location_pins UPDATE']])
    expect(await cast.seenBy(id, ann)).toEqual(['bob'])
    const end = async () => expect((await cast.change(id, { end: true }, ann)).body).toMatchObject({ trips: [] })
    expect(await cast.watch([ann, cat], end)).toEqual([gone, ['location_pins UPDATE']])
    expect(await cast.rows()).toEqual([])
  })

  it('that cancels it ends its trips', async () => {
    const { id } = await cast.dropFor([bob])
    await cast.go(id, bob)
    const cancel = async () => {
      const { body } = await cast.server.call(cancelPing, { params: { id }, body: {} }, ann)
      expect(body.trips).toEqual([])
    }
    expect(await cast.watch([ann], cancel)).toEqual([gone])
  })

  it('of name or end keeps its trips', async () => {
    const { id } = await cast.dropFor([bob])
    await cast.go(id, bob)
    await cast.change(id, { name: 'Tea' }, ann)
    expect(await cast.seenBy(id, ann)).toEqual(['bob'])
  })

  it('that hides or shows the responses hides or shows the trips of others', async () => {
    const { id } = await cast.dropFor([bob, cat])
    await cast.go(id, bob)
    const set = (responses_visible: boolean) => () => cast.change(id, { responses_visible }, ann)
    expect((await cast.watch([ann, bob, cat], set(false))).map((changes) => changes.slice(0, 2))).toEqual([
      ['location_pins UPDATE'],
      ['location_pins UPDATE', 'ping_responses DELETE cat'],
      ['ping_trips DELETE bob', 'location_pins UPDATE'],
    ])
    expect((await cast.watch([ann, bob, cat], set(true))).map((changes) => changes.slice(0, 2))).toEqual([
      ['location_pins UPDATE'],
      ['location_pins UPDATE', 'ping_responses INSERT cat'],
      ['ping_trips INSERT bob', 'location_pins UPDATE'],
    ])
  })

  it('to a deleted one ends its trips before its responses disappear', async () => {
    const { id } = await cast.dropFor([bob])
    await cast.go(id, bob)
    const changes = ['ping_trips DELETE bob', 'ping_responses DELETE bob', 'location_pins DELETE']
    expect(await cast.watch([ann, bob], () => cast.remove(id, ann))).toEqual([changes, changes])
  })

  it('to an expired one ends its trips', async () => {
    const { id } = await cast.dropFor([bob], { duration_minutes: 15 })
    await cast.arrive(id, bob)
    cast.server.clock.advance(15 * minuteMs)
    expect(await cast.watch([ann, bob], () => cast.server.app.pingJobs.runDue())).toEqual([gone, gone])
    expect(await cast.rows()).toEqual([])
  })

  it.each([
    ['ended', (id: PingId) => cast.change(id, { end: true }, ann)],
    ['canceled', (id: PingId) => cast.server.call(cancelPing, { params: { id }, body: {} }, ann)],
    ['expired', () => cast.server.app.pingJobs.runDue()],
  ])('to an %s one erases that the owner was notified', async (how, end) => {
    const { id } = await cast.dropFor([bob], { duration_minutes: 15 })
    await cast.go(id, bob)
    await cast.stop(id, bob)
    const notices = () => cast.server.db`select state from ping_trip_notices where ping_id = ${id}`
    expect(await notices()).toEqual([{ state: 'en_route' }])
    if (how === 'expired') cast.server.clock.advance(15 * minuteMs)
    await end(id)
    expect(await notices()).toEqual([])
  })

  it('that removes an invitee ends their trip, and hides the others from them', async () => {
    const { id } = await cast.dropFor([bob, cat])
    await cast.go(id, bob)
    await cast.go(id, cat)
    const remove = () => cast.server.call(removeInvitee, { params: { id, userId: bob.id } }, ann)
    const [anns, bobs, cats] = await cast.watch([ann, bob, cat], remove, [...trips])
    expect([anns, bobs, cats]).toEqual([
      ['ping_trips DELETE bob'],
      ['ping_trips DELETE bob', 'ping_trips DELETE cat'],
      ['ping_trips DELETE bob'],
    ])
  })

  it('that removes its owner from the invitees changes nothing', async () => {
    const { id } = await cast.dropFor([bob])
    await cast.go(id, ann)
    const remove = () => cast.server.call(removeInvitee, { params: { id, userId: ann.id } }, ann)
    expect(await cast.watch([ann, bob], remove, [...trips])).toEqual([[], []])
    expect(await cast.seenBy(id, bob)).toEqual(['ann'])
  })
})

describe('the end of a friendship with the owner', () => {
  it.each([
    ['by removal', () => cast.unfriend(bob, ann)],
    ['by a block', () => cast.block(ann, bob)],
  ])('%s ends the trip and hides all others', async (_name, action) => {
    const { id } = await cast.dropFor([bob, cat])
    await cast.go(id, bob)
    await cast.go(id, cat)
    await cast.go(id, ann)
    const [anns, bobs, cats] = await cast.watch([ann, bob, cat], action, [...trips])
    expect([anns, bobs?.toSorted(), cats]).toEqual([
      ['ping_trips DELETE bob'],
      ['ping_trips DELETE ann', 'ping_trips DELETE bob', 'ping_trips DELETE cat'],
      ['ping_trips DELETE bob'],
    ])
    expect((await cast.seenBy(id, ann)).toSorted()).toEqual(['ann', 'cat'])
  })

  it('and another friendship show the trips of others again', async () => {
    const { id } = await cast.dropFor([bob, cat])
    await cast.go(id, cat)
    await cast.unfriend(bob, ann)
    const [bobs] = await cast.watch([bob], () => cast.server.befriend(bob, ann), [...trips])
    expect(bobs).toEqual(['ping_trips INSERT cat'])
  })
})

describe('a block between two people who are going', () => {
  it('hides the trip of each from the other only, and its end shows them again', async () => {
    const { id } = await cast.dropFor([bob, cat])
    await cast.go(id, bob)
    await cast.go(id, cat)
    const watch = (action: () => Promise<unknown>) => cast.watch([ann, bob, cat], action, [...trips])
    expect(await watch(() => cast.block(bob, cat))).toEqual([[], ['ping_trips DELETE cat'], ['ping_trips DELETE bob']])
    const own = ['ping_trips UPDATE bob']
    expect(await watch(() => cast.go(id, bob, 20))).toEqual([own, own, []])
    expect(await watch(() => cast.unblock(bob, cat))).toEqual([
      [],
      ['ping_trips INSERT cat'],
      ['ping_trips INSERT bob'],
    ])
  })
})
