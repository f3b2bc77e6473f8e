import { listFriends, removeFriend, respondToFriendRequest, sendFriendRequest } from '@hither/contract/friends.ts'
import type { FriendRequestId, FriendshipId } from '@hither/contract/ids.ts'
import { sendTestNotification } from '@hither/contract/notifications.ts'
import { type Ping, removeInvitee } from '@hither/contract/pings.ts'
import { quickPin } from '@hither/contract/runtime/pings.ts'
import { updateUser } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../test/harness.ts'
import { accept, makeLink } from '../../friend-links/harness.ts'
import { type Cast, minuteMs, startCast } from '../harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

beforeEach(() => cast.reset())

afterAll(() => cast.close())

function ask(who: Person, whom: Person) {
  return cast.server.call(sendFriendRequest, { body: { username: whom.username } }, who)
}

/** A time as a client would write it. */
function ahead(minutes: number): string {
  return new Date(cast.server.clock.now().getTime() + minutes * minuteMs).toISOString()
}

/** Runs all due activations and expiries. */
function passTime(minutes: number) {
  cast.server.clock.advance(minutes * minuteMs)
  return cast.server.app.pingJobs.runDue()
}

describe('the notification of a new ping', () => {
  it('is sent to its invitees and to nobody else', async () => {
    const { ann, bob, cat, drop } = cast
    await drop(ann, [bob])
    expect(await cast.notified()).toEqual(['bob: ann dropped a pin | Coffee'])
    await drop(ann, [bob, cat], { message: 'By the river', name: 'Tea' })
    expect(await cast.notified()).toEqual([
      'bob: ann dropped a pin | Tea: By the river',
      'cat: ann dropped a pin | Tea: By the river',
    ])
  })

  it('opens the ping, offers responses, and does not contain the location', async () => {
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
      revision: 0,
    })
    expect(push?.text).not.toMatch(/45\.5|122\.6|latitude|longitude|Long Street/)
  })

  it.each<[string, (ping: Ping) => Promise<unknown>]>([
    ['was deleted', (ping) => cast.removePing(ping, cast.ann)],
    ['was ended', (ping) => cast.endPing(ping, cast.ann)],
    ['is from someone who is no friend any more', () => cast.unfriend(cast.ann, cast.bob)],
    ['is from someone who was blocked', () => cast.block(cast.bob, cast.ann)],
    ['is from someone who has blocked them', () => cast.block(cast.ann, cast.bob)],
  ])('is not sent if the ping %s meanwhile, although it is public', async (_, change) => {
    await change(await cast.drop(cast.ann, [cast.bob], { is_public: true }))
    expect(await cast.notified()).toEqual([])
    expect(await cast.waiting()).toEqual([])
  })

  it('is not sent after the ping expired while a push service was unavailable', async () => {
    const { ann, bob, drop, service } = cast
    service.answer = { status: 503 }
    await drop(ann, [bob], { duration_minutes: 15 })
    expect(await cast.notified()).toEqual([])
    service.answer = { status: 201 }
    cast.server.clock.advance(15 * minuteMs)
    expect(await cast.notified()).toEqual([])
    expect(await cast.waiting()).toEqual([])
  })

  it('is stored by the push service no longer than the ping lasts', async () => {
    const { ann, bob, drop } = cast
    await drop(ann, [bob], { duration_minutes: 15 })
    const [push] = await cast.arrivals()
    expect(push?.headers).toMatchObject({ ttl: '900', urgency: 'high' })
  })
})

describe('the notifications of a scheduled ping', () => {
  it('are sent to its invitees on creation, and to them and its owner on activation', async () => {
    const { ann, bob, drop } = cast
    await drop(ann, [bob], { activates_at: ahead(60) })
    expect(await cast.notified()).toEqual(['bob: ann scheduled a ping | Coffee'])
    await passTime(60)
    const pushes = await cast.arrivals()
    expect(pushes.map(({ device, payload }) => [device, payload.title, payload.actions.length])).toEqual([
      ['ann', 'Your ping is active', 0],
      ['bob', "ann's ping is active", 3],
    ])
    await passTime(30)
    expect(await cast.notified()).toEqual([])
  })

  it('are sent once if none could be sent before the activation', async () => {
    const { ann, bob, drop, service } = cast
    service.answer = { status: 503 }
    await drop(ann, [bob], { activates_at: ahead(10) })
    await cast.arrivals()
    service.answer = { status: 201 }
    await passTime(10)
    expect(await cast.notified()).toEqual(['ann: Your ping is active | Coffee', "bob: ann's ping is active | Coffee"])
  })

  it('do not include an activation that was missed entirely', async () => {
    const { ann, bob, drop } = cast
    await drop(ann, [bob], { activates_at: ahead(60) })
    await cast.arrivals()
    await passTime(90)
    expect(await cast.notified()).toEqual([])
  })

  it('are not sent on activation to a former invitee', async () => {
    const { ann, bob, cat, drop } = cast
    await drop(ann, [bob, cat], { activates_at: ahead(60) })
    await cast.arrivals()
    await cast.unfriend(bob, ann)
    await passTime(60)
    expect(await cast.notified()).toEqual(['ann: Your ping is active | Coffee', "cat: ann's ping is active | Coffee"])
  })
})

it('has "ann\'s pin" in place of the default name for everyone but ann', async () => {
  const { ann, bob, drop, respond } = cast
  const ping = await drop(ann, [bob], { name: quickPin.name, is_unnamed: true, activates_at: ahead(60) })
  expect(await cast.notified()).toEqual(["bob: ann scheduled a ping | ann's pin"])
  await passTime(60)
  expect(await cast.notified()).toEqual(['ann: Your ping is active | My Pin', "bob: ann's ping is active | ann's pin"])
  await respond(ping, bob, 'accepted')
  expect(await cast.notified()).toEqual(['ann: bob is going | My Pin'])
})

describe('the notification of a response', () => {
  let placed: Ping

  it('is sent to the owner only, again for a changed response, and not for a repeated one', async () => {
    const { ann, bob, cat, drop, respond } = cast
    const ping = await drop(ann, [bob, cat])
    await cast.arrivals()
    await respond(ping, bob, 'accepted')
    await respond(ping, cat, 'tentative')
    expect(await cast.notified()).toEqual(['ann: bob is going | Coffee', 'ann: cat may come | Coffee'])
    await respond(ping, bob, 'accepted')
    expect(await cast.notified()).toEqual([])
    await respond(ping, bob, 'declined')
    expect(await cast.notified()).toEqual(["ann: bob can't make it | Coffee"])
  })

  it.each<[string, () => Promise<unknown>, string[]]>([
    [
      'is no friend any more',
      () => cast.unfriend(cast.bob, cast.ann),
      ['ann: bob said going and took it back | Coffee'],
    ],
    ['has blocked the owner', () => cast.block(cast.bob, cast.ann), ['ann: bob said going and took it back | Coffee']],
    ['was blocked by the owner', () => cast.block(cast.ann, cast.bob), []],
    [
      'has answered something else',
      () => cast.respond(placed, cast.bob, 'declined'),
      ["ann: bob can't make it | Coffee"],
    ],
    [
      'has taken it back',
      () => cast.server.request('DELETE', `/api/pings/respond/${placed.id}`, { as: cast.bob }),
      ['ann: bob said going and took it back | Coffee'],
    ],
    [
      'was removed by the owner',
      () => cast.server.call(removeInvitee, { params: { id: placed.id, userId: cast.bob.id } }, cast.ann),
      [],
    ],
  ])('that gave somebody the exact place is sent all the same if the person %s meanwhile', async (_, act, expected) => {
    const { ann, bob, cat, drop, respond } = cast
    placed = await drop(ann, [bob, cat], { exact_place_for: 'going' })
    await cast.arrivals()
    await respond(placed, bob, 'accepted')
    await act()
    expect(await cast.notified()).toEqual(expected)
  })

  it('that gave nobody the exact place is not sent if it was taken back', async () => {
    const { ann, bob, drop, respond, server } = cast
    const ping = await drop(ann, [bob], { exact_place_for: 'going' })
    await respond(ping, bob, 'accepted')
    await cast.arrivals()
    await respond(ping, bob, 'tentative')
    await server.request('DELETE', `/api/pings/respond/${ping.id}`, { as: bob })
    expect(await cast.notified()).toEqual([])
  })

  it('is not sent if the response was removed or its author is no longer a friend', async () => {
    const { ann, bob, cat, drop, respond, server } = cast
    const ping = await drop(ann, [bob, cat])
    await cast.arrivals()
    await respond(ping, bob, 'accepted')
    await server.request('DELETE', `/api/pings/respond/${ping.id}`, { as: bob })
    await respond(ping, cat, 'accepted')
    await cast.unfriend(cat, ann)
    expect(await cast.notified()).toEqual([])
  })

  it('is not sent if the ping has ended meanwhile', async () => {
    const { ann, bob, drop, respond } = cast
    const ping = await drop(ann, [bob])
    await cast.arrivals()
    await respond(ping, bob, 'accepted')
    await cast.endPing(ping, ann)
    expect(await cast.notified()).toEqual([])
  })
})

describe('the notification of a friend request', () => {
  it('is sent to its receiver', async () => {
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

  it('names the sender by the display name', async () => {
    const { eve, ann, server } = cast
    const name = (display_name: string | null) =>
      server.call(updateUser, { params: { id: eve.id }, body: { display_name } }, eve)
    await name('Eve 🦊')
    await ask(eve, ann)
    expect(await cast.notified()).toEqual(['ann: Eve 🦊 | Wants to be your friend'])
    await name(null)
  })

  it('is not sent if the request was cancelled, answered or ended by a block, and neither is its acceptance', async () => {
    const { ann, cat, dan, eve, server } = cast
    const answer = async (who: Person, id: string, action: 'accepted' | 'rejected') =>
      server.call(respondToFriendRequest, { params: { id: id as FriendRequestId }, body: { action } }, who)
    await answer(eve, (await ask(eve, ann)).body.id, 'rejected')
    await answer(dan, (await ask(cat, dan)).body.id, 'accepted')
    await ask(eve, cat)
    await cast.block(cat, eve)
    expect(await cast.notified()).toEqual([])
  })

  it('is not sent for a blocked sender', async () => {
    await cast.block(cast.ann, cast.eve)
    expect((await ask(cast.eve, cast.ann)).status).toBe(404)
    expect(await cast.notified()).toEqual([])
  })
})

describe('the notification of a friend link', () => {
  it('names the new friend of its creator, and is not sent for a QR code', async () => {
    const { server, ann, cat, dan, eve } = cast
    await accept(server, (await makeLink(server, ann)).code, eve)
    const [push, ...others] = await cast.arrivals()
    expect(others).toEqual([])
    expect(push).toMatchObject({
      device: 'ann',
      payload: {
        kind: 'friend_request',
        title: 'eve',
        body: "Added you with your friend link. You're now friends.",
        url: '/friends',
        actions: [],
      },
    })
    await accept(server, (await makeLink(server, ann, { kind: 'qr' })).code, dan)
    expect(await cast.notified()).toEqual([])
    await accept(server, (await makeLink(server, ann, { uses: 5 })).code, await cast.server.signUp('fay'))
    expect(await cast.notified()).toEqual(['ann: fay | Wants to be your friend'])
    await cast.prefer(cat, { hide_details: true })
    await accept(server, (await makeLink(server, cat)).code, eve)
    expect(await cast.notified()).toEqual(['cat: New friend | '])
  })

  it('is not sent once the friendship has ended', async () => {
    const { server, ann, eve } = cast
    await accept(server, (await makeLink(server, ann)).code, eve)
    const { body } = await server.call(listFriends, {}, ann)
    const id = body.find(({ user_id }) => user_id === eve.id)?.id as FriendshipId
    await server.call(removeFriend, { params: { id } }, ann)
    expect(await cast.notified()).toEqual([])
  })
})

describe('a test notification', () => {
  it('is sent to the device that requested it, whatever the preferences are', async () => {
    const { ann, server } = cast
    await cast.subscribe(await cast.signInAgain(ann), 'tablet')
    const off = { new_ping: false, ping_activated: false, ping_response: false, message: false, friend_request: false }
    await cast.prefer(ann, { kinds: off, quiet_hours: { from: '00:00', to: '23:59', time_zone: 'UTC' } })
    expect((await server.call(sendTestNotification, {}, ann)).status).toBe(204)
    expect(await cast.notified()).toEqual(['ann: Test notification | Notifications work on this device.'])
  })

  it('is refused without a subscription', async () => {
    const elsewhere = await cast.signInAgain(cast.ann)
    expect(await cast.server.call(sendTestNotification, {}, elsewhere)).toMatchObject({
      status: 404,
      body: { detail: "This device doesn't receive notifications", code: 'push_not_subscribed' },
    })
    expect((await cast.server.call(sendTestNotification, {})).status).toBe(401)
  })
})

describe('actions without notifications', () => {
  it('are deleting, unfriending, blocking, leaving, renaming and ending', async () => {
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
    expect(await cast.notified()).toEqual([])
  })
})
