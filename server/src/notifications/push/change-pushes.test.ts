import type { PingId } from '@hither/contract/ids.ts'
import {
  type ChangePing,
  type CreatePing,
  cancelPing,
  changePing,
  createPing,
  invitePeople,
  removeInvitee,
  respondToPing,
} from '@hither/contract/pings.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Person } from '../../../test/harness.ts'
import { type Cast, minuteMs, secondMs, startCast } from '../harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

beforeEach(() => cast.reset())

afterAll(() => cast.close())

const ahead = (minutes: number) => new Date(cast.server.clock.now().getTime() + minutes * minuteMs).toISOString()

/** Creates a ping and sends its first notifications. */
async function drop(fields: Partial<CreatePing> = {}) {
  const body = { name: 'Coffee', latitude: 45.52, longitude: -122.68, address: '1 Main St', ...fields }
  const { body: ping } = await cast.server.call(createPing, { body }, cast.ann)
  await cast.arrivals()
  return ping
}

const change = (id: PingId, body: ChangePing) => cast.server.call(changePing, { params: { id }, body }, cast.ann)
const cancel = (id: PingId, message?: string) =>
  cast.server.call(cancelPing, { params: { id }, body: message === undefined ? {} : { message } }, cast.ann)

/** Sends the notifications about answers, which are not tested here. */
async function going(ping: { id: PingId }, ...people: Person[]) {
  for (const person of people) await cast.respond(ping, person, 'accepted')
  await cast.arrivals()
}

async function after(ms: number) {
  cast.server.clock.advance(ms)
  return cast.notified()
}

it('a new place notifies everybody who is going or maybe after a minute, once', async () => {
  const ping = await drop()
  await going(ping, cast.bob)
  await cast.respond(ping, cast.cat, 'tentative')
  await cast.arrivals()
  await change(ping.id, { latitude: 1, longitude: 2 })
  expect(await after(50 * secondMs)).toEqual([])
  cast.server.clock.advance(7 * secondMs)
  const pushes = await cast.arrivals()
  expect(pushes.map(({ device }) => device)).toEqual(['bob', 'cat'])
  expect(pushes[0]?.payload).toMatchObject({
    kind: 'ping_changed',
    title: 'ann changed Coffee',
    body: 'New place. Still going?',
    tag: `change:${ping.id}`,
    url: `/pins/${ping.id}`,
    revision: 1,
    actions: [{ action: 'accepted' }, { action: 'tentative' }, { action: 'declined' }],
  })
  expect(await after(10 * minuteMs)).toEqual([])
})

it('a new name, message or duration notifies nobody', async () => {
  const ping = await drop({ activates_at: ahead(600) })
  await going(ping, cast.bob)
  await change(ping.id, { name: 'Tea', message: 'Cake', address: 'Here', duration_minutes: 60, is_public: true })
  expect(await after(10 * minuteMs)).toEqual([])
})

it('people who cannot come or have not answered are not notified of a change', async () => {
  const ping = await drop()
  await cast.respond(ping, cast.bob, 'declined')
  await cast.arrivals()
  await change(ping.id, { latitude: 1, longitude: 2 })
  expect(await after(10 * minuteMs)).toEqual([])
})

it('five changes of place and time within a minute are one notification that names both', async () => {
  const ping = await drop({ activates_at: ahead(600) })
  await going(ping, cast.bob)
  for (const step of [1, 2, 3, 4, 5]) {
    await change(ping.id, step % 2 ? { latitude: 1, longitude: step } : { activates_at: ahead(600 + step) })
    cast.server.clock.advance(5 * secondMs)
  }
  expect(await after(35 * secondMs)).toEqual(['bob: ann changed Coffee | New time and place. Still going?'])
  expect(await after(10 * minuteMs)).toEqual([])
})

it('a person who answers again within the minute is not notified', async () => {
  const ping = await drop({ activates_at: ahead(600) })
  await going(ping, cast.bob, cast.cat)
  await change(ping.id, { activates_at: ahead(700) })
  await cast.respond(ping, cast.bob, 'accepted')
  const old = { ping_id: ping.id, response_type: 'tentative', revision: 0 } as const
  await cast.server.call(respondToPing, { body: old }, cast.cat)
  expect((await after(minuteMs)).filter((text) => !text.startsWith('ann'))).toEqual([
    'cat: ann changed Coffee | New time. Still going?',
  ])
})

it('a person is notified of changes of a pin at most once in five minutes', async () => {
  const ping = await drop({ activates_at: ahead(600) })
  await going(ping, cast.bob)
  await change(ping.id, { latitude: 1, longitude: 1 })
  expect(await after(minuteMs)).toHaveLength(1)
  await change(ping.id, { activates_at: ahead(700) })
  await going(ping, cast.cat)
  await change(ping.id, { latitude: 1, longitude: 2 })
  expect(await after(minuteMs)).toEqual(['cat: ann changed Coffee | New place. Still going?'])
  expect(await after(2 * minuteMs)).toEqual([])
  expect(await after(2 * minuteMs)).toEqual(['bob: ann changed Coffee | New time and place. Still going?'])
})

it('a removed or unfriended person is not notified of a change', async () => {
  const ping = await drop()
  await going(ping, cast.bob)
  await change(ping.id, { latitude: 1, longitude: 2 })
  await cast.server.call(removeInvitee, { params: { id: ping.id, userId: cast.bob.id } }, cast.ann)
  expect(await after(10 * minuteMs)).toEqual([])
})

it('a signed-in guest is notified like an invitee once approved', async () => {
  const ping = await drop({ is_public: true, guest_policy: 'open', recipient_ids: [] })
  await going(ping, cast.eve)
  await change(ping.id, { latitude: 1, longitude: 2 })
  expect(await after(minuteMs)).toEqual(['eve: ann changed Coffee | New place. Still going?'])
  await cancel(ping.id)
  expect(await cast.notified()).toEqual(['eve: ann canceled Coffee | '])
})

it('a signed-in guest is notified of changes while the ping is public, also of the one that makes it public', async () => {
  const ping = await drop({ is_public: true, guest_policy: 'open', recipient_ids: [] })
  await going(ping, cast.eve)
  await change(ping.id, { is_public: false })
  await change(ping.id, { latitude: 1, longitude: 2 })
  expect(await after(minuteMs)).toEqual([])
  await change(ping.id, { latitude: 3, longitude: 4, is_public: true })
  expect(await after(minuteMs)).toEqual(['eve: ann changed Coffee | New place. Still going?'])
})

it.each([
  ['an active', undefined],
  ['a scheduled', 60],
])('the cancellation of %s pin notifies everybody who is going or maybe, once and at once', async (_, minutes) => {
  const ping = await drop(minutes ? { activates_at: ahead(minutes) } : {})
  await going(ping, cast.bob)
  await cast.respond(ping, cast.cat, 'declined')
  await cast.arrivals()
  await cancel(ping.id, 'Rain')
  await cancel(ping.id, 'Snow')
  const pushes = await cast.arrivals()
  expect(pushes.map(({ device }) => device)).toEqual(['bob'])
  expect(pushes[0]?.payload).toMatchObject({ title: 'ann canceled Coffee', body: 'Rain', actions: [] })
  expect(await after(100 * minuteMs)).toEqual([])
})

it('a cancellation replaces a change that waits', async () => {
  const ping = await drop()
  await going(ping, cast.bob)
  await change(ping.id, { latitude: 1, longitude: 2 })
  await cancel(ping.id)
  expect(await cast.notified()).toEqual(['bob: ann canceled Coffee | '])
  expect(await after(10 * minuteMs)).toEqual([])
})

it('ending, deleting and removing notify nobody', async () => {
  const [ended, deleted] = [await drop(), await drop()]
  await going(ended, cast.bob)
  await going(deleted, cast.bob)
  await cast.server.call(removeInvitee, { params: { id: ended.id, userId: cast.cat.id } }, cast.ann)
  await cast.endPing(ended, cast.ann)
  await cast.server.request('DELETE', `/api/pings/${deleted.id}`, { as: cast.ann })
  expect(await after(10 * minuteMs)).toEqual([])
})

it('newly invited people are notified as of a new pin, the others are not', async () => {
  const ping = await drop({ recipient_ids: [cast.bob.id] })
  const body = { recipient_ids: [cast.bob.id, cast.cat.id] }
  await cast.server.call(invitePeople, { params: { id: ping.id }, body }, cast.ann)
  expect(await cast.notified()).toEqual(['cat: ann dropped a pin | Coffee'])
  await cast.server.call(invitePeople, { params: { id: ping.id }, body }, cast.ann)
  expect(await cast.notified()).toEqual([])
})

it('respects quiet hours, switched-off kinds and hidden details', async () => {
  const [first, second] = [await drop({ activates_at: ahead(600) }), await drop({ activates_at: ahead(600) })]
  const { dan } = cast
  await cast.server.befriend(cast.ann, dan)
  await cast.server.call(invitePeople, { params: { id: first.id }, body: { recipient_ids: [dan.id] } }, cast.ann)
  await cast.arrivals()
  for (const ping of [first, second]) await going(ping, cast.bob, cast.cat)
  await going(first, dan)
  await cast.prefer(cast.bob, { kinds: { ping_changed: false, ping_reminder: false } })
  await cast.prefer(cast.cat, { hide_details: true })
  await cast.prefer(dan, { quiet_hours: { from: '00:00', to: '23:59', time_zone: 'UTC' } })
  await change(first.id, { latitude: 1, longitude: 2 })
  await cancel(second.id, 'Rain')
  expect(await cast.notified()).toEqual(['cat: A pin was canceled | '])
  const quiet = cast.server.clock.now().toISOString().slice(11, 16) >= '23:58'
  expect(quiet ? [] : await after(minuteMs)).toEqual(quiet ? [] : ['cat: A pin changed | '])
})

it('no notification contains coordinates, an address or a time of day', async () => {
  const ping = await drop({ activates_at: ahead(600) })
  await going(ping, cast.bob)
  await change(ping.id, { latitude: 12.3456, longitude: 65.4321, address: 'Secret St', activates_at: ahead(100) })
  cast.server.clock.advance(minuteMs)
  const pushes = await cast.arrivals()
  cast.server.clock.advance(84 * minuteMs)
  await cast.server.app.pingJobs.runDue()
  pushes.push(...(await cast.arrivals()))
  await cancel(ping.id)
  pushes.push(...(await cast.arrivals()))
  expect(pushes.map(({ payload }) => payload.kind)).toEqual([
    'ping_changed',
    'ping_reminder',
    'ping_reminder',
    'ping_changed',
  ])
  for (const { payload } of pushes) {
    const { timestamp, ping_id, tag, url, ...words } = payload
    expect(JSON.stringify(words)).not.toMatch(/12\.3|65\.4|Secret|Main|\d\d:\d\d|\d{4}-/)
  }
})
