import {
  getNotificationPreferences,
  listMutes,
  muteConversation,
  unmuteConversation,
} from '@hither/contract/notifications.ts'
import { notificationKinds } from '@hither/contract/runtime/notifications.ts'
import { shareTrip } from '@hither/contract/trips.ts'
import { exportAccountWithPassword } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, password } from '../../test/harness.ts'
import { noConversation } from '../messages/harness.ts'
import { type Cast, minuteMs, startCast } from './harness.ts'
import { isQuiet } from './preferences.rules.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

beforeEach(() => cast.reset())

afterAll(() => cast.close())

/** All kinds are on by default, except one. */
const kinds = Object.fromEntries(notificationKinds.map((kind) => [kind, kind !== 'message_reaction']))
const night = { from: '22:00', to: '07:30', time_zone: 'Europe/Berlin' }

const read = async (who: Person) => (await cast.server.call(getNotificationPreferences, {}, who)).body

describe('the notification preferences', () => {
  it('allow all notifications except those of reactions at any hour by default', async () => {
    expect(await read(cast.bob)).toEqual({ kinds, quiet_hours: null, hide_details: false })
    expect((await cast.server.call(getNotificationPreferences, {})).status).toBe(401)
  })

  it('change by the given fields only, and for the caller only', async () => {
    const { ann, bob } = cast
    await cast.prefer(bob, { kinds: { message: false } })
    await cast.prefer(bob, { quiet_hours: night })
    const { status, body } = await cast.prefer(bob, { hide_details: true, kinds: { new_ping: false } })
    const expected = { kinds: { ...kinds, message: false, new_ping: false }, quiet_hours: night, hide_details: true }
    expect([status, body, await read(bob)]).toEqual([200, expected, expected])
    await cast.prefer(bob, { quiet_hours: null, kinds: { message: true } })
    expect(await read(bob)).toEqual({ kinds: { ...kinds, new_ping: false }, quiet_hours: null, hide_details: true })
    expect(await read(ann)).toEqual({ kinds, quiet_hours: null, hide_details: false })
  })

  it('changed twice concurrently lose neither change', async () => {
    const { bob } = cast
    await Promise.all([cast.prefer(bob, { kinds: { message: false } }), cast.prefer(bob, { hide_details: true })])
    expect(await read(bob)).toEqual({ kinds: { ...kinds, message: false }, quiet_hours: null, hide_details: true })
  })

  it.each([
    [{ ...night, time_zone: 'Europe/Atlantis' }, 'Please choose a time zone such as Europe/Berlin.'],
    [{ ...night, to: '22:00' }, 'Quiet hours must end at a different time than they start.'],
    [{ ...night, from: '24:00' }, 'pattern'],
    [{ from: '22:00', to: '07:30' }, 'time_zone'],
  ])('refuse quiet hours such as %j', async (quiet_hours, sentence) => {
    const { status, body } = await cast.prefer(cast.bob, { quiet_hours: quiet_hours as typeof night })
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(sentence)])
  })

  it.each(['new_ping', 'ping_activated', 'ping_response', 'ping_trip', 'message', 'friend_request'] as const)(
    'suppress notifications of the kind %s, and no others',
    async (kind) => {
      const { ann, bob, cat, dan, eve } = cast
      await cast.prefer(bob, { kinds: { [kind]: false } })
      const theirs = await cast.drop(bob, [dan])
      await cast.drop(ann, [bob])
      const soon = new Date(cast.server.clock.now().getTime() + minuteMs).toISOString()
      const scheduled = await cast.drop(dan, [bob], { activates_at: soon })
      await cast.server.db`delete from push_deliveries where subject->>'ping_id' = ${scheduled.id}`
      await cast.respond(theirs, dan, 'accepted')
      await cast.server.call(shareTrip, { params: { id: theirs.id }, body: { eta_minutes: 10 } }, dan)
      await cast.say((await cast.make(ann, [bob])).id, ann)
      await cast.server.request('POST', '/api/friends/request', { body: { username: bob.username }, as: eve })
      await cast
        .arrivals()
        .then((pushes) =>
          expect(kindsOf(pushes)).toEqual(
            without(kind, 'ping_activated', 'ping_changed', 'ping_reminder', 'message_reaction'),
          ),
        )
      cast.server.clock.advance(minuteMs)
      await cast.server.app.pingJobs.runDue()
      expect(kindsOf(await cast.arrivals())).toEqual(kind === 'ping_activated' ? [] : ['ping_activated'])
      expect(cat).toBeDefined()
    },
  )

  function kindsOf(pushes: Awaited<ReturnType<Cast['arrivals']>>) {
    return pushes
      .filter(({ device }) => device === 'bob')
      .map(({ payload }) => payload.kind as string)
      .sort()
  }

  function without(...left: string[]) {
    return Object.keys(kinds)
      .filter((kind) => !left.includes(kind))
      .sort()
  }
})

describe('hidden details', () => {
  it('show the kind of a notification, and neither names nor texts', async () => {
    const { ann, bob, dan, eve, server } = cast
    await cast.prefer(bob, { hide_details: true })
    const theirs = await cast.drop(bob, [dan], { name: 'Secret place' })
    await cast.drop(ann, [bob], { name: 'Secret place', message: 'Secret text' })
    await cast.respond(theirs, dan, 'accepted')
    await cast.say((await cast.make(ann, [bob])).id, ann, 'Secret text')
    await cast.say((await cast.group(ann, [bob, cast.cat], { name: 'Secret group' })).id, ann, 'Secret text')
    await server.request('POST', '/api/friends/request', { body: { username: bob.username }, as: eve })
    const pushes = (await cast.arrivals()).filter(({ device }) => device === 'bob')
    expect(pushes.map(({ payload }) => payload.title).sort()).toEqual([
      'New answer to your ping',
      'New friend request',
      'New message',
      'New message',
      'New ping',
    ])
    for (const { text, payload } of pushes) {
      expect(text).not.toMatch(/secret|ann|dan|eve/i)
      expect([payload.body, payload.actions]).toEqual(['', []])
    }
  })
})

describe('quiet hours', () => {
  it("suppress notifications in the user's time zone, and none of them are sent afterwards", async () => {
    const { ann, bob, server } = cast
    // In a time zone in which it is noon at the time of the server's clock, to the hour.
    const hoursAhead = (36 - server.clock.now().getUTCHours()) % 24
    const offset = hoursAhead > 12 ? hoursAhead - 24 : hoursAhead
    const time_zone = offset === 0 ? 'UTC' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`
    await cast.prefer(bob, { quiet_hours: { from: '12:00', to: '13:00', time_zone } })
    await cast.drop(ann, [bob, cast.cat])
    expect(await cast.notified()).toEqual(['cat: ann dropped a pin | Coffee'])
    server.clock.advance(60 * minuteMs)
    expect(await cast.notified()).toEqual([])
    await cast.drop(ann, [bob])
    expect(await cast.notified()).toEqual(['bob: ann dropped a pin | Coffee'])
  })

  it.each([
    ['2026-07-01T19:59:59.999Z', false],
    ['2026-07-01T20:00:00.000Z', true],
    ['2026-07-01T22:00:00.000Z', true],
    ['2026-07-02T05:29:59.999Z', true],
    ['2026-07-02T05:30:00.000Z', false],
    // One hour later in winter.
    ['2026-12-01T20:59:59.999Z', false],
    ['2026-12-01T21:00:00.000Z', true],
    ['2026-12-02T06:29:59.999Z', true],
    ['2026-12-02T06:30:00.000Z', false],
  ])('over midnight, in Berlin at %s: %s', (at, expected) => {
    expect(isQuiet(night, new Date(at))).toBe(expected)
  })

  it.each([
    ['12:59', false],
    ['13:00', true],
    ['14:59', true],
    ['15:00', false],
    ['00:00', false],
  ])('within a day, at %s: %s', (time, expected) => {
    expect(isQuiet({ from: '13:00', to: '15:00', time_zone: 'UTC' }, new Date(`2026-07-01T${time}:00Z`))).toBe(expected)
  })
})

describe('muting a conversation', () => {
  it('without an end lasts until it is unmuted', async () => {
    const { ann, bob } = cast
    const { id } = await cast.make(ann, [bob])
    expect((await cast.mute(bob, id, null)).body).toEqual({ conversation_id: id, muted_until: null })
    await cast.say(id, ann)
    cast.server.clock.advance(60 * minuteMs)
    await cast.say(id, ann)
    expect(await cast.notified()).toEqual([])
    const params = { conversationId: id }
    for (let time = 0; time < 2; time++)
      expect((await cast.server.call(unmuteConversation, { params }, bob)).status).toBe(204)
    await cast.say(id, ann, 'Again')
    expect(await cast.notified()).toEqual(['bob: ann | Again'])
  })

  it('is listed to the caller only, as long as it lasts', async () => {
    const { ann, bob, cat, server } = cast
    const until = new Date(server.clock.now().getTime() + minuteMs).toISOString()
    const { id } = await cast.group(ann, [bob, cat])
    await cast.mute(bob, id, null)
    await cast.mute(bob, id, until)
    expect((await server.call(listMutes, {}, bob)).body).toEqual([{ conversation_id: id, muted_until: until }])
    expect((await server.call(listMutes, {}, cat)).body).toEqual([])
    server.clock.advance(minuteMs)
    expect((await server.call(listMutes, {}, bob)).body).toEqual([])
    expect((await server.call(listMutes, {})).status).toBe(401)
  })

  it('ends with the membership', async () => {
    const { ann, bob, cat, server } = cast
    const { id } = await cast.group(ann, [bob, cat])
    await cast.mute(bob, id, null)
    await cast.remove(id, ann, bob)
    expect((await server.call(listMutes, {}, bob)).body).toEqual([])
    await cast.add(id, ann, bob)
    await cast.say(id, ann)
    expect(await cast.notified()).toEqual(['bob: Walks | ann: Hello', 'cat: Walks | ann: Hello'])
  })

  it('gets the same refusal for an unknown conversation and one without the caller', async () => {
    const { ann, bob, dan, server } = cast
    const { id } = await cast.make(ann, [bob])
    for (const conversationId of [id, '01900000-0000-7000-8000-000000000000'])
      expect(
        await server.request('PUT', `/api/notifications/mutes/${conversationId}`, {
          body: { muted_until: null },
          as: dan,
        }),
      ).toMatchObject(noConversation)
    await cast.block(ann, bob)
    expect(await cast.mute(bob, id, null)).toMatchObject(noConversation)
  })

  it.each(['2020-01-01T00:00:00Z', 'tomorrow', ''])('until %j is refused', async (muted_until) => {
    const { id: conversationId } = await cast.make(cast.ann, [cast.bob])
    const answer = await cast.server.call(
      muteConversation,
      { params: { conversationId }, body: { muted_until } },
      cast.bob,
    )
    expect([answer.status, answer.body]).toMatchObject([422, { detail: [{ loc: ['body', 'muted_until'] }] }])
  })
})

describe('the notification data in the export of an account', () => {
  it('is complete, without the endpoints of devices', async () => {
    const { ann, bob, server, service } = cast
    const { id } = await cast.make(ann, [bob])
    await cast.prefer(bob, { hide_details: true })
    await cast.mute(bob, id, null)
    const { body } = await server.call(exportAccountWithPassword, { body: { password } }, bob)
    expect(body.notifications).toEqual({
      preferences: { kinds, quiet_hours: null, hide_details: true },
      mutes: [{ conversation_id: id, muted_until: null }],
      devices: [
        { session_id: expect.any(String), push_service: new URL(service.origin).host, updated_at: expect.any(String) },
      ],
    })
    expect(JSON.stringify(body)).not.toContain('/push/')
  })
})
