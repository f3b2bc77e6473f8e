import { respondToFriendRequest, sendFriendRequest } from '@hither/contract/friends.ts'
import { type FriendRequestId } from '@hither/contract/ids.ts'
import { sendTestNotification } from '@hither/contract/notifications.ts'
import { type Ping } from '@hither/contract/pings.ts'
import { updateUser } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person } from '../../test/harness.ts'
import { type Cast, minuteMs, startCast } from './harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

beforeEach(() => cast.reset())

afterAll(() => cast.close())

function ask(who: Person, whom: Person) {
  return cast.server.call(sendFriendRequest, { body: { username: whom.username } }, who)
}

/** As a client would write it. */
function ahead(minutes: number): string {
  return new Date(cast.server.clock.now().getTime() + minutes * minuteMs).toISOString()
}

/** Everything that is due by now becomes active or expires. */
function passTime(minutes: number) {
  cast.server.clock.advance(minutes * minuteMs)
  return cast.server.app.pingJobs.runDue()
}

describe('a new ping', () => {
  it('is told to its guests and to nobody else', async () => {
    const { ann, bob, cat, drop } = cast
    await drop(ann, [bob])
    expect(await cast.told()).toEqual(['bob: ann dropped a pin | Coffee'])
    await drop(ann, [bob, cat], { message: 'By the river', name: 'Tea' })
    expect(await cast.told()).toEqual([
      'bob: ann dropped a pin | Tea: By the river',
      'cat: ann dropped a pin | Tea: By the river',
    ])
  })

  it('leads to it, can be answered, and says nothing of where it is', async () => {
    const { ann, bob, drop } = cast
    const ping = await drop(ann, [bob], { address: '1 Long Street', is_public: true })
    const [push] = await cast.arrivals()
    expect(push?.payload).toEqual({
      kind: 'new_ping',
      title: 'ann dropped a pin',
      body: 'Coffee',
      tag: `ping:${ping.id}`,
      url: `/pins/${ping.id}`,
      timestamp: Date.parse(ping.created_at),
      actions: [
        { action: 'accepted', title: 'Going' },
        { action: 'tentative', title: 'Maybe' },
        { action: 'declined', title: "Can't" },
      ],
      ping_id: ping.id,
    })
    expect(push?.text).not.toMatch(/45\.5|122\.6|latitude|longitude|Long Street/)
  })

  it.each<[string, (ping: Ping) => Promise<unknown>]>([
    ['was deleted', (ping) => cast.removePing(ping, cast.ann)],
    ['was ended', (ping) => cast.endPing(ping, cast.ann)],
    ['is from someone who is no friend any more', () => cast.unfriend(cast.ann, cast.bob)],
    ['is from someone who was blocked', () => cast.block(cast.bob, cast.ann)],
    ['is from someone who has blocked them', () => cast.block(cast.ann, cast.bob)],
  ])('that %s by the time it goes is not told, though it is public', async (_, change) => {
    await change(await cast.drop(cast.ann, [cast.bob], { is_public: true }))
    expect(await cast.told()).toEqual([])
    expect(await cast.waiting()).toEqual([])
  })

  it('that expires while a push service is down is not told after', async () => {
    const { ann, bob, drop, service } = cast
    service.answer = { status: 503 }
    await drop(ann, [bob], { duration_minutes: 15 })
    expect(await cast.told()).toEqual([])
    service.answer = { status: 201 }
    cast.server.clock.advance(15 * minuteMs)
    expect(await cast.told()).toEqual([])
    expect(await cast.waiting()).toEqual([])
  })

  it('need not be kept by the push service for longer than the ping lasts', async () => {
    const { ann, bob, drop } = cast
    await drop(ann, [bob], { duration_minutes: 15 })
    const [push] = await cast.arrivals()
    expect(push?.headers).toMatchObject({ ttl: '900', urgency: 'high' })
  })
})

describe('a scheduled ping', () => {
  it('is told to its guests when it is made, and to them and its owner when it becomes active', async () => {
    const { ann, bob, drop } = cast
    await drop(ann, [bob], { activates_at: ahead(60) })
    expect(await cast.told()).toEqual(['bob: ann scheduled a ping | Coffee'])
    await passTime(60)
    const pushes = await cast.arrivals()
    expect(pushes.map(({ device, payload }) => [device, payload.title, payload.actions.length])).toEqual([
      ['ann', 'Your ping is active', 0],
      ['bob', "ann's ping is active", 3],
    ])
    await passTime(30)
    expect(await cast.told()).toEqual([])
  })

  it('that nobody could be told of before it became active is told once', async () => {
    const { ann, bob, drop, service } = cast
    service.answer = { status: 503 }
    await drop(ann, [bob], { activates_at: ahead(10) })
    await cast.arrivals()
    service.answer = { status: 201 }
    await passTime(10)
    expect(await cast.told()).toEqual(['ann: Your ping is active | Coffee', "bob: ann's ping is active | Coffee"])
  })

  it('that was missed altogether is not told as active', async () => {
    const { ann, bob, drop } = cast
    await drop(ann, [bob], { activates_at: ahead(60) })
    await cast.arrivals()
    await passTime(90)
    expect(await cast.told()).toEqual([])
  })

  it('is not told as active to a guest who is none any more', async () => {
    const { ann, bob, cat, drop } = cast
    await drop(ann, [bob, cat], { activates_at: ahead(60) })
    await cast.arrivals()
    await cast.unfriend(bob, ann)
    await passTime(60)
    expect(await cast.told()).toEqual(['ann: Your ping is active | Coffee', "cat: ann's ping is active | Coffee"])
  })
})

describe('an answer', () => {
  it('is told to the owner alone, also another one, and no answer twice', async () => {
    const { ann, bob, cat, drop, respond } = cast
    const ping = await drop(ann, [bob, cat])
    await cast.arrivals()
    await respond(ping, bob, 'accepted')
    await respond(ping, cat, 'tentative')
    expect(await cast.told()).toEqual(['ann: bob is going | Coffee', 'ann: cat may come | Coffee'])
    await respond(ping, bob, 'accepted')
    expect(await cast.told()).toEqual([])
    await respond(ping, bob, 'declined')
    expect(await cast.told()).toEqual(["ann: bob can't make it | Coffee"])
  })

  it('that is taken back, or whose giver is no friend any more, is not told', async () => {
    const { ann, bob, cat, drop, respond, server } = cast
    const ping = await drop(ann, [bob, cat])
    await cast.arrivals()
    await respond(ping, bob, 'accepted')
    await server.request('DELETE', `/api/pings/respond/${ping.id}`, { as: bob })
    await respond(ping, cat, 'accepted')
    await cast.unfriend(cat, ann)
    expect(await cast.told()).toEqual([])
  })

  it('to a ping that has ended meanwhile is not told', async () => {
    const { ann, bob, drop, respond } = cast
    const ping = await drop(ann, [bob])
    await cast.arrivals()
    await respond(ping, bob, 'accepted')
    await cast.endPing(ping, ann)
    expect(await cast.told()).toEqual([])
  })
})

describe('a friend request', () => {
  it('is told to whoever is asked', async () => {
    const { eve, ann } = cast
    await ask(eve, ann)
    const [push, ...others] = await cast.arrivals()
    expect(others).toEqual([])
    expect([push?.device, push?.payload.title, push?.payload.body, push?.payload.url]).toEqual([
      'ann',
      'eve',
      'Wants to be your friend',
      '/friends?tab=received',
    ])
  })

  it('that was taken back, answered or ended by a block is not told, and neither is its acceptance', async () => {
    const { ann, cat, dan, eve, server } = cast
    const answer = async (who: Person, id: string, action: 'accepted' | 'rejected') =>
      server.call(respondToFriendRequest, { params: { id: id as FriendRequestId }, body: { action } }, who)
    await answer(eve, (await ask(eve, ann)).body.id, 'rejected')
    await answer(dan, (await ask(cat, dan)).body.id, 'accepted')
    await ask(eve, cat)
    await cast.block(cat, eve)
    expect(await cast.told()).toEqual([])
  })

  it('from someone who was blocked is told to nobody', async () => {
    await cast.block(cast.ann, cast.eve)
    expect((await ask(cast.eve, cast.ann)).status).toBe(404)
    expect(await cast.told()).toEqual([])
  })
})

describe('a test', () => {
  it('goes to the device that asked for it, whatever its owner prefers', async () => {
    const { ann, server } = cast
    await cast.subscribe(await cast.signInAgain(ann), 'tablet')
    const off = { new_ping: false, ping_activated: false, ping_response: false, message: false, friend_request: false }
    await cast.prefer(ann, { kinds: off, quiet_hours: { from: '00:00', to: '23:59', time_zone: 'UTC' } })
    expect((await server.call(sendTestNotification, {}, ann)).status).toBe(204)
    expect(await cast.told()).toEqual(['ann: Test notification | Notifications work on this device.'])
  })

  it('is refused where there is nowhere to send it', async () => {
    const elsewhere = await cast.signInAgain(cast.ann)
    expect(await cast.server.call(sendTestNotification, {}, elsewhere)).toMatchObject({
      status: 404,
      body: { detail: 'This device receives no notifications' },
    })
    expect((await cast.server.call(sendTestNotification, {})).status).toBe(401)
  })
})

describe('stopping', () => {
  it('tells nobody: deleting, unfriending, blocking, leaving, renaming, ending', async () => {
    const { ann, bob, cat, drop, server } = cast
    const ping = await drop(ann, [bob, cat])
    const other = await drop(ann, [bob, cat])
    const { id } = await cast.group(ann, [bob, cat])
    await cast.arrivals()
    await cast.removePing(ping, ann)
    await cast.endPing(other, ann)
    await cast.rename(id, ann, 'Other')
    await cast.leave(id, bob)
    await cast.end(id, ann)
    await cast.unfriend(ann, bob)
    await cast.block(ann, cat)
    await server.call(updateUser, { params: { id: bob.id }, body: { auto_join_chats: false } }, bob)
    expect(await cast.told()).toEqual([])
  })
})
