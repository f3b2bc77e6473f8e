import { blockUser } from '@hither/contract/friends.ts'
import { GuestPing } from '@hither/contract/guests.ts'
import type { GuestId, PingId } from '@hither/contract/ids.ts'
import { AnonymousPing, listMyPings, listPings, type OwnPing, type PublicPing } from '@hither/contract/pings.ts'
import { refusals } from '@hither/contract/refusals.ts'
import { createReport } from '@hither/contract/reports.ts'
import { exportAccountWithPassword } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { password } from '../../../test/harness.ts'
import { dayMs, minuteMs, unknownPingId } from '../harness.ts'
import { type Cast, newToken, startCast } from './harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

beforeEach(() => cast.clear())

afterAll(() => cast.server.close())

const refused = (code: keyof typeof refusals) => ({
  status: refusals[code].status,
  body: { detail: refusals[code].detail },
})

describe('a public ping', () => {
  it('allows no guests by default', async () => {
    const ping = await cast.drop(cast.ann, { is_public: true })
    expect(ping.guest_policy).toBe('off')
    expect(await cast.respond(ping.id, 'accepted', cast.eve)).toMatchObject(refused('not_invited'))
    expect(await cast.respondAs(ping.id)).toMatchObject(refused('guests_not_allowed'))
    expect(await cast.rowsOf(ping.id)).toHaveLength(0)
  })

  it('shows a visitor and a guest exactly the listed fields, and the message only after approval', async () => {
    const { id } = await cast.open('approval')
    const { token, guest, view } = await cast.addGuest(id)
    const visitor = [
      ...['access', 'id', 'username', 'display_name', 'name', 'is_unnamed', 'latitude', 'longitude', 'address'],
      'created_at',
      ...['activates_at', 'expires_at', 'status', 'is_public', 'has_image', 'guest_policy', 'can_respond'],
      ...['avatar_color', 'place_radius_m', 'exact_place_for', 'area_km'],
      ...['updated_at', 'revision', 'place_revision', 'time_revision', 'canceled_at', 'cancel_message'],
    ].sort()
    const forGuest = [...visitor, 'message', 'response_counts'].sort()
    expect(Object.keys(AnonymousPing.properties).sort()).toEqual(visitor)
    expect(Object.keys(GuestPing.properties).sort()).toEqual(forGuest)
    expect(Object.keys((await cast.read(id)).body).sort()).toEqual(visitor)
    expect(Object.keys(view.ping).sort()).toEqual(forGuest)
    expect(view.ping).toMatchObject({ message: null, response_counts: null, can_respond: true })
    await cast.respond(id, 'tentative', cast.bob)
    await cast.approve(id, guest.id)
    const { body } = await cast.view(id, token)
    expect(Object.keys(body.ping).sort()).toEqual(forGuest)
    expect(body.guest).toEqual({ ...guest, state: 'approved' })
    expect(body.ping).toMatchObject({ message: 'Ring twice', response_counts: { accepted: 1, tentative: 1 } })
  })

  it('hides the numbers and the guests from everyone but the owner if its responses are not visible', async () => {
    const { id } = await cast.open('open', { responses_visible: false })
    const { token } = await cast.addGuest(id)
    await cast.respond(id, 'accepted', cast.eve)
    expect((await cast.view(id, token)).body.ping).toMatchObject({ message: 'Ring twice', response_counts: null })
    expect((await cast.read(id, cast.eve)).body).toMatchObject({ guest: { name: 'eve' }, response_counts: null })
    expect(await cast.guestsSeenBy(id, cast.bob)).toEqual([])
    expect((await cast.guestsSeenBy(id, cast.ann)).map(({ name }) => name)).toEqual(['Mia', 'eve'])
  })

  it('has ended: no change, no new guest, and for a day the response without the place', async () => {
    const { id } = await cast.open()
    const { token, guest } = await cast.addGuest(id)
    cast.server.clock.advance(30 * minuteMs)
    expect(await cast.edit(id, token, { response_type: 'declined' })).toMatchObject(refused('ping_expired'))
    expect(await cast.respondAs(id)).toMatchObject(refused('ping_not_found'))
    expect(await cast.approve(id, guest.id)).toMatchObject(refused('ping_expired'))
    expect(await cast.setPolicy(id, 'off')).toMatchObject(refused('ping_ended'))
    const { status, body } = await cast.view(id, token)
    expect([status, body.ping]).toMatchObject([
      200,
      { status: 'expired', latitude: null, longitude: null, address: null, can_respond: false },
    ])
    cast.server.clock.advance(dayMs - 1)
    await cast.server.app.guestJobs.runDue()
    expect((await cast.view(id, token)).status).toBe(200)
    cast.server.clock.advance(1)
    expect(await cast.view(id, token)).toMatchObject(refused('ping_not_found'))
    await cast.server.app.guestJobs.runDue()
    expect(await cast.rowsOf(id)).toHaveLength(0)
    expect(await cast.guestsSeenBy(id, cast.ann)).toEqual([])
  })
})

describe('a guest without account', () => {
  it('is added once, however often the request is repeated', async () => {
    const { id } = await cast.open()
    const token = newToken()
    const first = await cast.respondAs(id, ' Mia ', token)
    expect([first.status, first.body.guest]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        ping_id: id,
        user_id: null,
        name: 'Mia',
        response_type: 'accepted',
        state: 'approved',
        revision: 0,
        created_at: cast.server.clock.now().toISOString(),
        updated_at: cast.server.clock.now().toISOString(),
      },
    ])
    const repeated = await Promise.all([1, 2, 3].map(() => cast.respondAs(id, 'Another', token)))
    expect(repeated.map(({ status, body }) => [status, body.guest])).toEqual(Array(3).fill([200, first.body.guest]))
    const ping = (await cast.read(id, cast.ann)).body as OwnPing
    expect([ping.guests, ping.responses]).toEqual([[first.body.guest], []])
    expect(JSON.stringify(ping.recipients)).not.toContain('Mia')
    expect(JSON.stringify(await cast.rowsOf(id))).not.toContain(token)
  })

  it('changes and deletes the response with the token, not with one of another ping', async () => {
    const { id } = await cast.open()
    const other = await cast.open()
    const { token } = await cast.addGuest(id)
    const elsewhere = await cast.addGuest(other.id)
    expect((await cast.edit(id, token, { name: 'Mia B.', response_type: 'tentative' })).body).toMatchObject({
      guest: { name: 'Mia B.', response_type: 'tentative' },
      ping: { response_counts: { accepted: 0, tentative: 1 } },
    })
    expect((await cast.view(id, token)).body.ping.response_counts).toEqual({ accepted: 0, tentative: 1 })
    expect(await cast.edit(id, elsewhere.token, { name: 'X' })).toMatchObject(refused('guest_not_found'))
    expect(await cast.view(id, elsewhere.token)).toMatchObject(refused('guest_not_found'))
    expect(await cast.withdraw(id, elsewhere.token)).toMatchObject({ status: 204 })
    expect(await cast.rowsOf(id)).toHaveLength(1)
    for (const _ of [1, 2]) expect((await cast.withdraw(id, token)).status).toBe(204)
    expect(await cast.rowsOf(id)).toHaveLength(0)
    expect(await cast.view(id, token)).toMatchObject(refused('guest_not_found'))
  })

  it('loses access while the ping is not public, and may still delete the response', async () => {
    const { id } = await cast.open()
    const { token } = await cast.addGuest(id)
    const second = await cast.addGuest(id, 'Tom')
    await cast.setPublic(id, false)
    for (const answer of [await cast.view(id, token), await cast.edit(id, token, {}), await cast.respondAs(id)])
      expect(answer).toMatchObject(refused('ping_not_found'))
    expect((await cast.withdraw(id, second.token)).status).toBe(204)
    await cast.setPublic(id, true)
    expect((await cast.view(id, token)).status).toBe(200)
    expect(await cast.guestsSeenBy(id, cast.ann)).toHaveLength(1)
  })

  it('keeps the response after `off`; new ones are refused', async () => {
    const { id } = await cast.open()
    const { token } = await cast.addGuest(id)
    expect((await cast.setPolicy(id, 'off')).body.guest_policy).toBe('off')
    expect(await cast.respondAs(id)).toMatchObject(refused('guests_not_allowed'))
    expect((await cast.edit(id, token, { response_type: 'declined' })).status).toBe(200)
  })

  it.each([
    'x'.repeat(500),
    'x'.repeat(31),
    '\u202egnp',
    'https://x.yz',
    '<b>',
    '\u200b\u200b',
    'two\nlines',
    '   ',
    '',
  ])('is refused with the name %j', async (name) => {
    const { id } = await cast.open()
    const answer = await cast.respondAs(id, name)
    expect(answer).toMatchObject({
      status: 422,
      body: {
        detail: [{ loc: ['body', 'name'], msg: 'Please enter a name with 1 to 30 characters and no links.' }],
      },
    })
    expect(await cast.rowsOf(id)).toHaveLength(0)
  })

  it.each(['short', 'a'.repeat(10_000), ['a'], 7, `${'a'.repeat(42)}!`, 'ü'.repeat(43)])(
    'is refused with the token %j in a body',
    async (token) => {
      const { id } = await cast.open()
      const body = { token, name: 'Mia', response_type: 'accepted' }
      expect((await cast.server.request('POST', `/api/pings/${id}/guests`, { body })).status).toBe(422)
      const claim = await cast.server.request('POST', `/api/pings/${id}/guests/claim`, {
        body: { token },
        as: cast.eve,
      })
      expect(claim.status).toBe(422)
      expect(await cast.rowsOf(id)).toHaveLength(0)
    },
  )

  it.each(['short', 'a'.repeat(10_000), '!'.repeat(43), newToken()])(
    'is not found with the token %j in the header',
    async (token) => {
      const { id } = await cast.open()
      expect(await cast.view(id, token)).toMatchObject(refused('guest_not_found'))
      expect(await cast.edit(id, token, {})).toMatchObject(refused('guest_not_found'))
    },
  )

  it('is not found without the header, or with a token in the query', async () => {
    const { id } = await cast.open()
    const { token } = await cast.addGuest(id)
    const answer = await cast.server.request('GET', `/api/pings/${id}/guests/me?token=${token}`)
    expect(answer).toMatchObject(refused('guest_not_found'))
    const asPerson = await cast.server.request('GET', `/api/pings/${id}/guests/me`, { as: cast.ann })
    expect(asPerson).toMatchObject(refused('guest_not_found'))
  })
})

it.each([
  ['the NUL character', 'a\u0000b'],
  ['only an invisible letter', '\u3164'],
  ['only an invisible sign', '\u200d'],
])('a name with %s is refused', async (_what, name) => {
  const { id } = await cast.open()
  const answer = await cast.respondAs(id, name)
  expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'name'] }] } })
})

describe('approval', () => {
  it('is repeatable, and shows the guest to invitees', async () => {
    const { id } = await cast.open('approval')
    const { guest } = await cast.addGuest(id)
    expect(guest.state).toBe('waiting')
    expect(await cast.guestsSeenBy(id, cast.bob)).toEqual([])
    const twice = await Promise.all([cast.approve(id, guest.id), cast.approve(id, guest.id)])
    const approved = { ...guest, state: 'approved' }
    expect(twice.map(({ status, body }) => [status, body])).toEqual(Array(2).fill([200, approved]))
    expect(await cast.guestsSeenBy(id, cast.bob)).toEqual([approved])
  })

  it('of all waiting guests comes with the policy `open`', async () => {
    const { id } = await cast.open('approval')
    await cast.addGuest(id)
    await cast.addGuest(id, 'Tom')
    const { body } = await cast.setPolicy(id, 'open')
    expect(body.guests.map(({ state }) => state)).toEqual(['approved', 'approved'])
  })

  it('and removal are refused to everyone but the owner', async () => {
    const { id } = await cast.open('approval')
    const { guest } = await cast.addGuest(id)
    for (const action of [cast.approve, cast.expel]) {
      expect(await action(id, guest.id, cast.bob)).toMatchObject(refused('ping_not_changeable'))
      expect(await action(id, guest.id, cast.eve)).toMatchObject(refused('ping_not_found'))
      expect(await action(id, unknownPingId as string as GuestId)).toMatchObject(refused('guest_not_found'))
    }
    expect(await cast.setPolicy(id, 'open', cast.bob)).toMatchObject(refused('ping_not_changeable'))
    expect(await cast.setPolicy(id, 'open', cast.eve)).toMatchObject(refused('ping_not_found'))
  })
})

describe('a removed guest', () => {
  it('is gone without a name, and neither the token nor the account can respond again', async () => {
    const { id } = await cast.open()
    const { token, guest } = await cast.addGuest(id)
    await cast.respond(id, 'accepted', cast.eve)
    for (const { id: guestId } of await cast.guestsSeenBy(id, cast.ann))
      for (const _ of [1, 2]) expect((await cast.expel(id, guestId)).status).toBe(204)
    expect(await cast.view(id, token)).toMatchObject(refused('guest_not_found'))
    expect(await cast.edit(id, token, {})).toMatchObject(refused('guest_not_found'))
    expect(await cast.approve(id, guest.id)).toMatchObject(refused('guest_not_found'))
    expect(await cast.respondAs(id, 'Mia', token)).toMatchObject(refused('guests_not_allowed'))
    expect(await cast.respond(id, 'accepted', cast.eve)).toMatchObject(refused('guests_not_allowed'))
    expect((await cast.read(id, cast.eve)).body).toMatchObject({ can_respond: false, guest: null })
    expect((await cast.takeBack(id, cast.eve)).status).toBe(204)
    expect(await cast.respond(id, 'accepted', cast.eve)).toMatchObject(refused('guests_not_allowed'))
    expect((await cast.rowsOf(id)).map((row) => [row['state'], row['name']])).toEqual(Array(2).fill(['removed', null]))
  })
})

describe('a signed-in guest', () => {
  it('responds, changes the answer and takes it back', async () => {
    const { id } = await cast.open('approval')
    const first = await cast.respond(id, 'accepted', cast.eve)
    const at = cast.server.clock.now().toISOString()
    expect([first.status, first.body]).toEqual([
      200,
      {
        ...{ ping_id: id, user_id: cast.eve.id, username: 'eve', display_name: null, response_type: 'accepted' },
        revision: 0,
        ...{ created_at: at, updated_at: at, is_guest: true, state: 'waiting' },
      },
    ])
    const seen = (await cast.read(id, cast.eve)).body as PublicPing
    expect(seen).toMatchObject({ guest: { user_id: cast.eve.id, name: 'eve' }, response_counts: null })
    await cast.approve(id, seen.guest?.id as GuestId)
    expect((await cast.respond(id, 'tentative', cast.eve)).body).toMatchObject({ state: 'approved' })
    expect((await cast.read(id, cast.eve)).body).toMatchObject({ response_counts: { accepted: 0, tentative: 1 } })
    expect((await cast.answers(id, cast.ann)).body).toEqual([])
    cast.server.clock.advance(30 * minuteMs)
    expect(await cast.respond(id, 'accepted', cast.eve)).toMatchObject(refused('ping_expired'))
    expect((await cast.takeBack(id, cast.eve)).status).toBe(204)
    expect(await cast.rowsOf(id)).toHaveLength(0)
  })

  it('becomes an invitee with the answer when they are friends again', async () => {
    const { id } = await cast.open('open', { recipient_ids: [cast.bob.id, cast.cat.id] })
    await cast.unfriend(cast.ann, cast.cat)
    expect((await cast.respond(id, 'tentative', cast.cat)).body).toMatchObject({ is_guest: true })
    await cast.server.befriend(cast.ann, cast.cat)
    const ping = (await cast.read(id, cast.ann)).body as OwnPing
    expect(ping.guests).toEqual([])
    expect(ping.responses).toMatchObject([{ user_id: cast.cat.id, response_type: 'tentative' }])
  })

  it('keeps a claimed token when it becomes an invitee', async () => {
    const { id } = await cast.open('open', { recipient_ids: [cast.bob.id, cast.cat.id] })
    const { token } = await cast.addGuest(id)
    await cast.unfriend(cast.ann, cast.cat)
    expect((await cast.claim(id, token, cast.cat)).body).toMatchObject({ is_guest: true, response_type: 'accepted' })
    await cast.server.befriend(cast.ann, cast.cat)
    expect(await cast.claim(id, token, cast.cat)).toMatchObject({ status: 200, body: { response_type: 'accepted' } })
    expect(await cast.respondAs(id, 'Mia', token)).toMatchObject(refused('guest_not_found'))
  })

  it('becomes an invitee with the answer also after the end', async () => {
    const { id } = await cast.open('open', { recipient_ids: [cast.bob.id, cast.cat.id] })
    await cast.unfriend(cast.ann, cast.cat)
    await cast.respond(id, 'tentative', cast.cat)
    cast.server.clock.advance(30 * minuteMs)
    await cast.server.befriend(cast.ann, cast.cat)
    expect(await cast.rowsOf(id)).toEqual([])
    const answers = await cast.server.db`select user_id, response_type from ping_responses where ping_id = ${id}`
    expect(answers).toEqual([{ user_id: cast.cat.id, response_type: 'tentative' }])
  })

  it('is gone after a block, and returns 404', async () => {
    const { id } = await cast.open()
    await cast.respond(id, 'accepted', cast.eve)
    await cast.server.call(blockUser, { params: { username: 'eve' } }, cast.ann)
    expect(await cast.rowsOf(id)).toHaveLength(0)
    expect(await cast.respond(id, 'accepted', cast.eve)).toMatchObject(refused('ping_not_found'))
    await cast.unblock(cast.ann, cast.eve)
  })

  it('is in both exports, without tokens', async () => {
    const { id } = await cast.open()
    await cast.respond(id, 'accepted', cast.eve)
    const { token } = await cast.addGuest(id)
    const owners = await cast.server.call(exportAccountWithPassword, { body: { password } }, cast.ann)
    expect(owners.body.pings[0]?.guests.map(({ name }) => name)).toEqual(['eve', 'Mia'])
    const own = await cast.server.call(exportAccountWithPassword, { body: { password } }, cast.eve)
    expect(own.body.guest_responses).toMatchObject([{ ping_id: id, username: 'ann', response_type: 'accepted' }])
    expect(JSON.stringify([owners.body, own.body])).not.toContain(token)
  })
})

describe('a claim', () => {
  it('moves the response to the account, once', async () => {
    const { id } = await cast.open()
    const { token, guest } = await cast.addGuest(id)
    const claimed = { user_id: cast.eve.id, response_type: 'accepted', is_guest: true, state: 'approved' }
    for (const _ of [1, 2]) {
      const { status, body } = await cast.claim(id, token, cast.eve)
      expect([status, body]).toMatchObject([200, claimed])
    }
    expect(await cast.view(id, token)).toMatchObject(refused('guest_not_found'))
    const dan = await cast.server.signUp(`dan${Date.now()}`)
    expect(await cast.claim(id, token, dan)).toMatchObject(refused('guest_not_found'))
    expect(await cast.respondAs(id, 'Mia', token)).toMatchObject(refused('guest_not_found'))
    expect(await cast.guestsSeenBy(id, cast.ann)).toEqual([{ ...guest, user_id: cast.eve.id, name: 'eve' }])
  })

  it('of an invitee becomes the response, unless there is one', async () => {
    const { id } = await cast.open()
    const one = await cast.addGuest(id)
    const two = await cast.addGuest(id, 'Tom', 'declined')
    await cast.respond(id, 'tentative', cast.cat)
    for (const _ of [1, 2])
      expect((await cast.claim(id, one.token, cast.bob)).body).toMatchObject({ response_type: 'accepted' })
    expect(await cast.claim(id, one.token, cast.cat)).toMatchObject(refused('guest_not_found'))
    expect((await cast.claim(id, two.token, cast.cat)).body).toMatchObject({ response_type: 'tentative' })
    for (const { token } of [one, two])
      expect(await cast.respondAs(id, 'Mia', token)).toMatchObject(refused('guest_not_found'))
    const ping = (await cast.read(id, cast.ann)).body as OwnPing
    expect(ping.guests).toEqual([])
    expect(ping.responses.map(({ username, response_type }) => [username, response_type]).sort()).toEqual([
      ['bob', 'accepted'],
      ['cat', 'tentative'],
    ])
  })

  it('of a guest with an account keeps the answer of the account and one row', async () => {
    const { id } = await cast.open()
    await cast.respond(id, 'declined', cast.eve)
    const { token } = await cast.addGuest(id)
    for (const _ of [1, 2])
      expect((await cast.claim(id, token, cast.eve)).body).toMatchObject({ response_type: 'declined' })
    expect(await cast.rowsOf(id)).toHaveLength(1)
  })

  it('is refused to the owner, to a removed account and to a blocked one', async () => {
    const { id } = await cast.open()
    const { token } = await cast.addGuest(id)
    expect(await cast.claim(id, token, cast.ann)).toMatchObject(refused('not_invited'))
    await cast.respond(id, 'accepted', cast.eve)
    const own = (await cast.guestsSeenBy(id, cast.ann)).find(({ name }) => name === 'eve')
    await cast.expel(id, own?.id as GuestId)
    expect(await cast.claim(id, token, cast.eve)).toMatchObject(refused('guests_not_allowed'))
    await cast.block(cast.eve, cast.ann)
    expect(await cast.claim(id, token, cast.eve)).toMatchObject(refused('ping_not_found'))
    await cast.unblock(cast.eve, cast.ann)
    expect((await cast.view(id, token)).status).toBe(200)
  })
})

describe('`can_respond`', () => {
  const combinations = (['off', 'open', 'approval'] as const).flatMap((policy) =>
    [true, false].flatMap((isPublic) => [true, false].map((isFull) => ({ policy, isPublic, isFull }))),
  )

  it.each(combinations)('states what the API accepts: %j', async ({ policy, isPublic, isFull }) => {
    const { id } = await cast.open('open', { recipient_ids: [cast.bob.id] })
    const { token } = await cast.addGuest(id)
    const dan = await cast.server.signUp(`dan${Math.random().toString(36).slice(2, 9)}`)
    await cast.respond(id, 'accepted', dan)
    await cast.respond(id, 'accepted', cast.eve)
    const removedGuest = await cast.addGuest(id, 'Tom')
    await cast.expel(id, removedGuest.guest.id)
    const removed = (await cast.guestsSeenBy(id, cast.ann)).find(({ name }) => name === 'eve')
    await cast.expel(id, removed?.id as GuestId)
    if (isFull)
      await cast.server.db`update location_pins set
      guests_admitted = array_fill(${cast.server.clock.now()}::timestamptz, array[300]) where id = ${id}`
    await cast.server.db`update location_pins set guest_policy = ${policy} where id = ${id}`
    await cast.setPublic(id, isPublic)

    const isOpen = isPublic && policy !== 'off' && !isFull
    const blocked = cast.cat
    await cast.block(cast.ann, blocked)
    const stranger = await cast.server.signUp(`fay${Math.random().toString(36).slice(2, 9)}`)
    const expected = [
      [cast.ann, false],
      [cast.bob, true],
      [cast.eve, false],
      [blocked, false],
      [dan, isPublic],
      [stranger, isOpen],
    ] as const
    for (const [who, accepts] of expected) {
      const { status, body } = await cast.read(id, who)
      expect([who.username, status === 200 && body.can_respond]).toEqual([who.username, accepts])
      const response = await cast.respond(id, 'tentative', who)
      expect([who.username, response.status === 200]).toEqual([who.username, accepts])
    }
    const listed = await Promise.all([
      cast.server.call(listPings, { query: {} }, cast.bob),
      cast.server.call(listMyPings, { query: {} }, cast.ann),
    ])
    expect(listed.map(({ body }) => body.find((ping) => ping.id === id)?.can_respond)).toEqual([true, false])
    const { status, body } = await cast.read(id)
    expect(status === 200 && body.can_respond).toBe(isOpen)
    // The page of a removed guest without account is that of a visitor; what it sends with the token is refused.
    expect((await cast.view(id, removedGuest.token)).status).toBe(404)
    expect((await cast.edit(id, removedGuest.token, { response_type: 'declined' })).status).toBe(404)
    expect((await cast.respondAs(id, 'Tom', removedGuest.token)).status).toBe(isPublic ? 403 : 404)
    expect((await cast.respondAs(id)).status === 201).toBe(isOpen)
    const own = await cast.view(id, token)
    expect(own.status === 200 && own.body.ping.can_respond).toBe(isPublic)
    expect((await cast.edit(id, token, { response_type: 'declined' })).status === 200).toBe(isPublic)
    await cast.unblock(cast.ann, blocked)
    await cast.server.befriend(cast.ann, blocked)
  })
})

it('a ping is full with 50 guests, and free again when one deletes the response', async () => {
  const { id } = await cast.open()
  const { token } = await cast.addGuest(id)
  await cast.fill(id, 49)
  expect(await cast.respondAs(id)).toMatchObject(refused('guests_full'))
  expect(await cast.respond(id, 'accepted', cast.eve)).toMatchObject(refused('guests_full'))
  await cast.withdraw(id, token)
  expect((await cast.respondAs(id)).status).toBe(201)
})

describe('300 guests within 24 hours', () => {
  /** A ping to which so many guests have been admitted by now, all of whom are gone. */
  async function after(count: number, policy: 'open' | 'approval') {
    const { id } = await cast.open(policy, { activates_at: cast.ahead(3 * 24 * 60) })
    await cast.server.db`
      update location_pins set guests_admitted = array_fill(${cast.server.clock.now()}::timestamptz, array[${count}::integer])
      where id = ${id}`
    return id
  }

  it.each([
    ['of an open link', 'open'],
    ['whom the owner approved', 'approval'],
  ] as const)(
    '%s make a ping full, also when they are gone, until the first of them is a day old',
    async (_, policy) => {
      const id = await after(299, policy)
      const { token, guest } = await cast.addGuest(id)
      if (policy === 'approval') await cast.approve(id, guest.id)
      await cast.withdraw(id, token)
      expect(await cast.respondAs(id)).toMatchObject(refused('guests_full'))
      expect(await cast.respond(id, 'accepted', cast.eve)).toMatchObject(refused('guests_full'))
      cast.server.clock.advance(24 * 60 * minuteMs)
      expect((await cast.respondAs(id)).status).toBe(201)
    },
  )

  it('do not count those who withdrew before any approval', async () => {
    const id = await after(299, 'approval')
    for (let count = 0; count < 3; count++) await cast.withdraw(id, (await cast.addGuest(id)).token)
    expect((await cast.respondAs(id)).status).toBe(201)
  })

  it('count all who are approved because anyone may respond from now on', async () => {
    const id = await after(298, 'approval')
    await cast.fill(id, 2)
    await cast.setPolicy(id, 'open')
    expect(await cast.respondAs(id)).toMatchObject(refused('guests_full'))
    const [row] = await cast.server.db`select cardinality(guests_admitted) as count from location_pins where id = ${id}`
    expect(row?.['count']).toBe(300)
  })
})

it('a guest with the username of an invitee is reported by the owner, with name, answer and ping', async () => {
  const { id } = await cast.open()
  const { guest } = await cast.addGuest(id, 'bob')
  expect((await cast.guestsSeenBy(id, cast.ann)).map(({ name, user_id }) => [name, user_id])).toEqual([['bob', null]])
  const report = { subject: 'guest', subject_id: guest.id, reason: 'impersonation' } as const
  expect(await cast.server.call(createReport, { body: report }, cast.bob)).toMatchObject(refused('guest_not_found'))
  const { status, body } = await cast.server.call(createReport, { body: report }, cast.ann)
  expect(status).toBe(201)
  const [stored] = await cast.server.db`select username, name, content, user_id from reports where id = ${body.id}`
  expect(stored).toEqual({ username: 'bob', name: 'Coffee', content: 'accepted', user_id: null })
})

it('reading and previews create nothing', async () => {
  const { id } = await cast.open()
  for (const path of [`/pins/${id}`, `/api/pings/${id}`, `/api/pings/${id}/guests/me`, `/api/pings/${id}/preview.png`])
    await cast.server.request('GET', path)
  expect(await cast.rowsOf(id)).toHaveLength(0)
})

it('a ping id that is unknown is refused for every call', async () => {
  const id = unknownPingId as PingId
  const token = newToken()
  expect(await cast.respondAs(id)).toMatchObject(refused('ping_not_found'))
  expect(await cast.view(id, token)).toMatchObject(refused('ping_not_found'))
  expect(await cast.claim(id, token, cast.eve)).toMatchObject(refused('ping_not_found'))
  expect(await cast.approve(id, unknownPingId as string as GuestId)).toMatchObject(refused('ping_not_found'))
})
