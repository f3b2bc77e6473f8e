import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { MessageRow } from '@hither/contract/feeds.ts'
import type { ConversationId, MessageId, UserId } from '@hither/contract/ids.ts'
import type { PingRow } from '@hither/contract/pings.ts'
import { expect, test } from 'vitest'
import { expectDeliveryDespiteInterruptions, officialClient, subscribe } from '../../../test/official-client.ts'
import type { Change } from '../../platform/events/bus.ts'
import {
  ann,
  anyUser,
  bob,
  committedAt,
  connect,
  deleted,
  eve,
  inserted,
  sessionOf,
  startGateway,
  type TestClient,
  type TestGateway,
  updated,
  userRow,
} from '../harness.ts'
import type { Payload } from '../protocol/protocol.ts'
import { subscriptionLogLimits } from './subscription-log.ts'
import { subscriptionLimits } from './subscriptions.ts'

const topic = 'realtime:people'
const clientId = 'a tab'

/** A row with this name in a table of users. */
const row = (name: string) => userRow(bob, { username: name })

interface Entering {
  readonly as?: UserId
  readonly id?: string
  readonly bindings?: Payload[]
  readonly after?: string | null
  readonly token?: string
  /** Whether the client acknowledges what arrived with the join. */
  readonly acknowledges?: boolean
}

async function enter(
  gateway: TestGateway,
  { as = ann, id = clientId, bindings = [anyUser], after, token, acknowledges = true }: Entering = {},
) {
  const client = await connect(gateway, { clientId: id, autoPong: false })
  const pings: Buffer[] = []
  client.webSocket.on('ping', (data) => pings.push(data))
  const more = { resume: { after } }
  await client.join(topic, '1', token ?? gateway.tokenOf(as), { postgres_changes: bindings }, more)
  if (!acknowledges) return client
  const first = await client.settle()
  for (const data of pings) client.webSocket.pong(data)
  client.received.push(...first, ...(await client.settle()))
  return client
}

/** Returns the names of the rows received since the last call: `resync` for a resync notice, `-` for a DELETE. */
async function received(client: TestClient): Promise<string[]> {
  return (await client.settle()).flatMap(({ event, payload }) => {
    if (event === 'system') return payload.extension === 'resync' ? ['resync'] : []
    if (event !== 'postgres_changes') return [event]
    const data = payload.data as { record?: { username: string } }
    return [data.record?.username ?? '-']
  })
}

async function drop(client: TestClient): Promise<void> {
  client.webSocket.terminate()
  await client.closed
}

/** Waits until the server has noticed as well. */
async function gone(gateway: TestGateway, sockets = 0): Promise<void> {
  while (gateway.gateway.stats().sockets > sockets) await new Promise((resolve) => setImmediate(resolve))
}

test('a first join must resync, but not a client without an id or without bindings', async () => {
  const gateway = await startGateway()
  expect(await received(await enter(gateway))).toEqual(['resync'])
  const nameless = await connect(gateway)
  await nameless.join(topic, '1', gateway.tokenOf(ann))
  expect(await received(nameless)).toEqual([])
  expect(await received(await enter(gateway, { id: 'other', bindings: [] }))).toEqual([])
})

test('the resync notice is a system message with its own extension', async () => {
  const gateway = await startGateway()
  const client = await enter(gateway)
  await client.next(({ payload }) => payload.extension === 'postgres_changes')
  expect(await client.next()).toEqual({
    joinRef: '1',
    ref: null,
    topic,
    event: 'system',
    payload: {
      extension: 'resync',
      status: 'ok',
      message: 'Changes may have been missed: refetch all data',
      channel: 'people',
    },
  })
})

test('a client that returns within the window receives missed changes after the reply and before new ones', async () => {
  const gateway = await startGateway()
  const before = await enter(gateway)
  await before.settle()
  await drop(before)
  await gone(gateway)
  gateway.publish(inserted(row('one'), [ann]), inserted(row('not for ann'), [eve]))
  gateway.passTime(subscriptionLimits.windowMs - 1)
  gateway.publish(inserted(row('two'), [ann]))
  const after = await enter(gateway)
  gateway.publish(inserted(row('three'), [ann]))
  expect(await received(after)).toEqual(['one', 'two', 'three'])
})

test('a client that returns after the window must resync and receives no old changes', async () => {
  const gateway = await startGateway()
  await drop(await enter(gateway))
  await gone(gateway)
  gateway.publish(inserted(row('one'), [ann]))
  gateway.passTime(subscriptionLimits.windowMs)
  expect(await received(await enter(gateway))).toEqual(['resync'])
})

test('changes stored for a client that does not return are discarded after the window', async () => {
  const gateway = await startGateway({ pingIntervalMs: 5 })
  await drop(await enter(gateway))
  await gone(gateway)
  gateway.passTime(subscriptionLimits.windowMs)
  const other = await enter(gateway, { as: bob })
  await once(other.webSocket, 'ping')
  gateway.passTime(-subscriptionLimits.windowMs)
  expect(await received(await enter(gateway))).toEqual(['resync'])
})

test('written changes without an acknowledgement are sent again, acknowledged ones are not', async () => {
  const gateway = await startGateway({ pingIntervalMs: 10 })
  const before = await enter(gateway)
  gateway.publish(inserted(row('one'), [ann]))
  expect(await received(before)).toEqual(['resync', 'one'])
  const [data] = await once(before.webSocket, 'ping')
  before.webSocket.pong(data)
  await before.settle()
  gateway.publish(inserted(row('two'), [ann]))
  expect(await received(before)).toEqual(['two'])
  await drop(before)
  await gone(gateway)
  expect(await received(await enter(gateway))).toEqual(['two'])
})

test('a pong for no ping or an earlier one acknowledges nothing', async () => {
  const gateway = await startGateway({ pingIntervalMs: 200 })
  const before = await enter(gateway)
  const [earlier] = await once(before.webSocket, 'ping')
  // Any frame counts as a sign of life, so that the socket is not ended for the pongs that it leaves out.
  await before.settle()
  gateway.publish(inserted(row('one'), [ann]))
  await once(before.webSocket, 'ping')
  for (const data of [earlier, '', 'NaN', '-1', 'x'.repeat(100)]) before.webSocket.pong(data)
  await before.settle()
  await drop(before)
  await gone(gateway)
  expect(await received(await enter(gateway))).toEqual(['one'])
})

test('a client that sends its cursor receives no change twice', async () => {
  const gateway = await startGateway()
  const before = await enter(gateway, { after: null })
  gateway.publish(inserted(row('one'), [ann]), inserted(row('two'), [ann]), inserted(row('three'), [ann]))
  const stamps = []
  for (let i = 0; i < 2; i++) stamps.push((await before.change()).commit_timestamp as string)
  await drop(before)
  await gone(gateway)
  gateway.publish(inserted(row('four'), [ann]))
  const after = await enter(gateway, { after: stamps[1] as string })
  expect(await received(after)).toEqual(['three', 'four'])
  await drop(after)
  await gone(gateway)
  expect(await received(await enter(gateway, { after: 'never said' }))).toEqual(['resync'])
})

test('a row that became invisible in the meantime is sent as its key only', async () => {
  const gateway = await startGateway()
  await drop(await enter(gateway))
  await gone(gateway)
  const [off, on] = [userRow(eve), userRow(eve, { is_online: true })]
  gateway.publish(inserted(off, [ann]), inserted(row('one'), [ann]), updated(on, off, [ann]), deleted(on, [ann]))
  const after = await enter(gateway)
  expect(await received(after)).toEqual(['one', '-'])
  const again = await enter(gateway, { id: 'read' })
  gateway.publish(deleted(row('one'), [ann]))
  expect((await again.change()).old_record).toEqual(row('one'))
})

test.each([
  ['a friendship', { kind: 'friends_changed', userIds: [bob, ann] } as const],
  ['a membership', { kind: 'membership_ended', userId: ann, conversationId: randomUUID() as ConversationId } as const],
])('a client must resync and receives no old changes if %s ended in the meantime', async (_, message) => {
  const gateway = await startGateway()
  const [before, others] = [await enter(gateway), await enter(gateway, { as: eve })]
  await before.settle()
  await drop(before)
  await drop(others)
  await gone(gateway)
  gateway.publish(inserted(row('one'), [ann, eve]))
  gateway.announce(message)
  gateway.publish(inserted(row('two'), [ann, eve]))
  expect(await received(await enter(gateway))).toEqual(['resync'])
  expect(await received(await enter(gateway, { as: eve }))).toContain('two')
})

test('a user cannot resume with the client id of another user', async () => {
  const gateway = await startGateway()
  await drop(await enter(gateway))
  await gone(gateway)
  gateway.publish(inserted(row('one'), [ann]))
  expect(await received(await enter(gateway, { as: eve }))).toEqual(['resync'])
  expect(await received(await enter(gateway))).toEqual(['one'])
})

test('an ended session discards its stored changes', async () => {
  const gateway = await startGateway()
  await drop(await enter(gateway))
  await gone(gateway)
  gateway.publish(inserted(row('one'), [ann]))
  gateway.announce({ kind: 'sessions_ended', sessionIds: [sessionOf(ann)] })
  expect(await received(await enter(gateway, { token: gateway.tokenOf(ann, sessionOf(eve)) }))).toEqual(['resync'])
})

test('a client that left the channel or changed its bindings starts again', async () => {
  const gateway = await startGateway()
  const leaver = await enter(gateway)
  leaver.send('1', '2', topic, 'phx_leave')
  await leaver.reply('2')
  gateway.publish(inserted(row('one'), [ann]))
  expect(await received(await enter(gateway))).toEqual(['resync'])
  const bindings = [{ ...anyUser, filter: `id=eq.${bob}` }]
  expect(await received(await enter(gateway, { bindings }))).toEqual(['resync'])
})

test('a channel with an expired token receives nothing before the fresh token', async () => {
  const gateway = await startGateway()
  const old = gateway.tokenOf(ann)
  await drop(await enter(gateway, { token: old }))
  await gone(gateway)
  gateway.passTime(3_599_000)
  const before = await enter(gateway)
  await drop(before)
  await gone(gateway)
  gateway.publish(inserted(row('one'), [ann]))
  gateway.passTime(2_000)
  const after = await enter(gateway, { token: old })
  expect(await received(after)).toEqual([])
  after.send('1', '2', topic, 'access_token', { access_token: gateway.tokenOf(ann) })
  expect(await received(after)).toEqual(['one'])
})

test('a client must resync if more changes were missed than the log can store', async () => {
  const gateway = await startGateway()
  await drop(await enter(gateway))
  await gone(gateway)
  for (let i = 0; i <= subscriptionLogLimits.entriesMax; i++) gateway.publish(inserted(row('one'), [ann]))
  expect(await received(await enter(gateway))).toEqual(['resync'])
})

test('a user who makes up client ids evicts only their own subscriptions', async () => {
  const gateway = await startGateway()
  await drop(await enter(gateway, { as: bob }))
  for (let i = 0; i <= subscriptionLimits.waitingPerPersonMax; i++) await drop(await enter(gateway, { id: String(i) }))
  await gone(gateway)
  gateway.publish(inserted(row('one'), [ann, bob]))
  expect(await received(await enter(gateway, { id: '0' }))).toEqual(['resync'])
  expect(await received(await enter(gateway, { id: '1' }))).toEqual(['one'])
  expect(await received(await enter(gateway, { as: bob }))).toEqual(['one'])
})

test('a client that returns before its old socket is closed misses nothing, and a duplicated tab stays connected', async () => {
  const gateway = await startGateway()
  const before = await enter(gateway)
  await before.settle()
  before.webSocket.pause()
  gateway.publish(inserted(row('one'), [ann]))
  const after = await enter(gateway)
  gateway.publish(inserted(row('two'), [ann]))
  expect(await received(after)).toEqual(['one', 'two'])
  before.webSocket.resume()
  expect(await received(before)).toEqual(['one', 'two'])
  await drop(before)
  await gone(gateway, 1)
  gateway.publish(inserted(row('three'), [ann]))
  expect(await received(after)).toEqual(['three'])
  await drop(after)
  await gone(gateway)
  expect(await received(await enter(gateway))).toEqual(['one', 'two', 'three'])
})

test('a loss of events between nodes makes connected and returning clients resync', async () => {
  const gateway = await startGateway()
  const [here, away] = [await enter(gateway, { as: bob }), await enter(gateway)]
  await received(here)
  await drop(away)
  await gone(gateway, 1)
  gateway.bus.deliver({ kind: 'gap' })
  expect(await received(here)).toEqual(['resync'])
  expect(await received(await enter(gateway))).toEqual(['resync'])
})

test('a loss of events between nodes makes a client without an id rejoin', async () => {
  const gateway = await startGateway()
  const client = await officialClient(gateway, ann)
  const channel = client.channel('people')
  const { promise: change, resolve } = Promise.withResolvers<unknown>()
  channel.on('postgres_changes', { ...anyUser, event: '*' }, resolve)
  const subscription = subscribe(channel)
  await subscription.until('SUBSCRIBED')
  gateway.bus.deliver({ kind: 'gap' })
  await subscription.until('SUBSCRIBED', 2)
  expect(subscription.statuses.map(({ status }) => status)).toEqual(['SUBSCRIBED', 'CHANNEL_ERROR', 'SUBSCRIBED'])
  gateway.publish(inserted(row('one'), [ann]))
  expect(await change).toMatchObject({ new: { username: 'one' } })
})

test('a loss of events between nodes while a token was expired fails the channel after renewal', async () => {
  const gateway = await startGateway()
  const client = await enter(gateway)
  await received(client)
  gateway.passTime(3_600_000)
  gateway.publish(inserted(row('one'), [ann]))
  gateway.bus.deliver({ kind: 'gap' })
  expect(await received(client)).toEqual([])
  client.send('1', '2', topic, 'access_token', { access_token: gateway.tokenOf(ann) })
  expect((await received(client)).at(-1)).toBe('phx_error')
})

test.each([
  ['that sends its cursor receives every change once', true],
  ['without a cursor receives every change at least once', false],
])('an official client whose connection is cut repeatedly %s, in order', async (_, sendsCursor) => {
  const gateway = await startGateway({ pingIntervalMs: 20 })
  await expectDeliveryDespiteInterruptions({
    gateway,
    sendsCursor,
    publisherOf: () => gateway,
    interrupt: (proxy) => proxy.cut(),
  })
})

test.each([
  ['that sends its cursor', true],
  ['without a cursor', false],
])('a resync notice lost with the connection is sent again to a client %s', async (_, tellsCursor) => {
  const gateway = await startGateway()
  const first = await enter(gateway, { acknowledges: false, ...(tellsCursor ? { after: null } : {}) })
  await drop(first)
  await gone(gateway)
  // The first delivery may not have reached the client at all.
  const second = await enter(gateway, tellsCursor ? { after: null } : {})
  expect(await received(second)).toEqual(['resync'])
  gateway.publish(inserted(row('one'), [ann]))
  const { commit_timestamp: cursor } = await second.change()
  second.webSocket.pause()
  gateway.bus.deliver({ kind: 'gap' })
  await drop(second)
  await gone(gateway)
  expect(await received(await enter(gateway, tellsCursor ? { after: cursor as string } : {}))).toEqual(['resync'])
})

test('a resync notice that arrives after the client has sent a newer join is sent again to that join', async () => {
  const gateway = await startGateway()
  const client = await connect(gateway, { clientId, autoPong: false })
  const pinged = once(client.webSocket, 'ping')
  await client.join(topic, '1', gateway.tokenOf(ann))
  expect(await received(client)).toEqual(['resync'])
  const [data] = await pinged
  // Together, so that the server reads both before it decides on the join.
  client.send('2', '2', topic, 'phx_join', {
    config: { postgres_changes: [anyUser], presence: { enabled: false } },
    access_token: gateway.tokenOf(ann),
  })
  client.webSocket.pong(data)
  await client.reply('2')
  expect(await received(client)).toEqual(['resync'])
})

test('a resync notice that arrived is not sent again', async () => {
  const gateway = await startGateway()
  await drop(await enter(gateway, { after: null }))
  await gone(gateway)
  gateway.publish(inserted(row('one'), [ann]))
  expect(await received(await enter(gateway, { after: null }))).toEqual(['one'])
})

test('a client that forgets its cursor at a resync notice resumes before the next change', async () => {
  const gateway = await startGateway()
  const before = await enter(gateway, { after: null })
  gateway.publish(inserted(row('one'), [ann]))
  const { commit_timestamp: cursor } = await before.change()
  await drop(before)
  await gone(gateway)
  gateway.passTime(subscriptionLimits.windowMs)
  const resynced = await enter(gateway, { after: cursor as string })
  expect(await received(resynced)).toEqual(['resync'])
  await drop(resynced)
  await gone(gateway)
  const resumed = await enter(gateway)
  gateway.publish(inserted(row('two'), [ann]))
  expect(await received(resumed)).toEqual(['two'])
  const pinged = once(resumed.webSocket, 'ping')
  gateway.bus.deliver({ kind: 'gap' })
  const [data] = await pinged
  resumed.webSocket.pong(data)
  expect(await received(resumed)).toEqual(['resync'])
  await drop(resumed)
  await gone(gateway)
  gateway.publish(inserted(row('three'), [ann]))
  expect(await received(await enter(gateway))).toEqual(['three'])
})

test('a client receives all changes that wait for its channels, although they exceed the limit for a slow peer', async () => {
  const gateway = await startGateway()
  const enterBoth = async () => {
    const client = await connect(gateway, { clientId })
    const payload = { config: { postgres_changes: [anyUser] }, access_token: gateway.tokenOf(ann) }
    for (const ref of ['1', '2']) client.send(ref, ref, `realtime:${ref}`, 'phx_join', payload)
    return client
  }
  const before = await enterBoth()
  for (const ref of ['1', '2']) await before.reply(ref)
  // The second one is sent after the acknowledgement of the resync notices.
  for (let round = 0; round < 2; round++) await before.settle()
  await drop(before)
  await gone(gateway)
  const digits = ['0', '1', '2', '3', '4', '5', '6']
  const rows = digits.map((digit) => row(digit.repeat(subscriptionLogLimits.bytesMax / 10)))
  gateway.publish(...rows.map((each) => inserted(each, [ann])))
  const after = await enterBoth()
  const names: string[] = []
  while (names.length < 2 * rows.length)
    names.push(((await after.change()).record as { username: string }).username.charAt(0))
  expect(names).toEqual([...digits, ...digits])
})

function messageRow(content: string, edited_at: string | null = null): MessageRow {
  return {
    ...{ id: eve as string as MessageId, conversation_id: bob as string as ConversationId, sender_id: bob },
    ...{ sender_username: 'bob', sender_display_name: null, content, created_at: committedAt, seq: 1 },
    ...{ client_id: null, edited_at, reply_to: null, attachment: null },
  }
}

test.each([
  ['for inserts', { event: 'INSERT' }, ['INSERT See you at 9']],
  ['for all events', { event: '*' }, ['INSERT See you at 9', 'UPDATE See you at 9']],
])(
  'a listener %s receives a message that was edited in the meantime with its current text only',
  async (_, listener, expected) => {
    const gateway = await startGateway()
    const bindings = [{ schema: 'public', table: 'messages', ...listener }]
    await drop(await enter(gateway, { bindings }))
    await gone(gateway)
    const [sent, edited] = [messageRow('See you at 8'), messageRow('See you at 9', committedAt)]
    const { id, conversation_id } = sent
    const of = { table: 'messages', audience: [ann], committedAt } as const
    gateway.publish(
      { ...of, type: 'INSERT', record: sent, oldRecord: null },
      { ...of, type: 'UPDATE', record: edited, oldRecord: { id, conversation_id } },
    )
    const frames = await (await enter(gateway, { bindings })).settle()
    expect(frames.map(({ payload }) => payload.extension)).not.toContain('resync')
    const changes = frames.filter(({ event }) => event === 'postgres_changes').map(({ payload }) => payload.data)
    const texts = (changes as { type: string; record: MessageRow }[]).map(
      ({ type, record }) => `${type} ${record.content}`,
    )
    expect(texts).toEqual(expected)
  },
)

const pingsBinding = { event: '*', schema: 'public', table: 'location_pins' }
const exactLatitude = 40.7437251

/** A ping of bob whose exact place is not for everyone; exact or with its area. It ends an hour after the gateway's start. */
function pingRow(place: 'exact' | 'area', values: Partial<PingRow> = {}): PingRow {
  return {
    ...{ id: eve as string as PingRow['id'], user_id: bob, username: 'bob', display_name: null, user_has_image: false },
    ...{ name: 'Coffee', message: null, address: null, exact_place_for: 'going', area_km: 1, longitude: -74.028745 },
    ...(place === 'exact'
      ? { latitude: exactLatitude, place_radius_m: null }
      : { latitude: 40.745, place_radius_m: 1000 }),
    ...{ created_at: committedAt, activates_at: null, expires_at: '2026-11-21T12:01:00.000Z', status: 'active' },
    ...{ is_public: false, has_image: false, guest_policy: 'off', responses_visible: true, conversation_id: null },
    ...{ updated_at: committedAt, revision: 0, place_revision: 0, time_revision: 0 },
    ...{ canceled_at: null, cancel_message: null },
    ...values,
  }
}

const changed = (record: PingRow, oldRecord = record): Change => ({
  ...{ table: 'location_pins', type: 'UPDATE', record, oldRecord, audience: [ann, bob], committedAt },
})

/** Returns the latitudes in the frames that a client receives. */
async function latitudes(client: TestClient): Promise<unknown[]> {
  const frames = (await client.settle()).filter(({ event }) => event === 'postgres_changes')
  return frames.map(({ payload }) => (payload.data as { record?: PingRow }).record?.latitude)
}

test('an exact place that was hidden in the meantime is not sent, and the area is', async () => {
  const gateway = await startGateway()
  const bindings = [pingsBinding]
  await drop(await enter(gateway, { bindings }))
  await gone(gateway)
  const other = pingRow('exact', { id: bob as string as PingRow['id'] })
  gateway.publish(changed(pingRow('exact'), pingRow('area')), changed(other), changed(pingRow('area')))
  gateway.publish(changed(pingRow('area', { name: 'Tea' })))
  expect(await latitudes(await enter(gateway, { bindings }))).toEqual([exactLatitude, 40.745, 40.745])
})

test('an exact place that was hidden and shown again is sent', async () => {
  const gateway = await startGateway()
  const bindings = [pingsBinding]
  await drop(await enter(gateway, { bindings }))
  await gone(gateway)
  gateway.publish(changed(pingRow('exact')), changed(pingRow('area')), changed(pingRow('exact')))
  expect(await latitudes(await enter(gateway, { bindings }))).toEqual([40.745, exactLatitude])
})

test('the exact place of a ping that has ended is sent to its owner only, also if the end is not announced', async () => {
  const gateway = await startGateway()
  const bindings = [pingsBinding]
  for (const as of [ann, bob]) {
    await drop(await enter(gateway, { as, bindings }))
    await gone(gateway)
  }
  const everyone = { exact_place_for: 'everyone', id: ann as string as PingRow['id'] } as const
  gateway.publish(changed(pingRow('exact')), changed(pingRow('exact', everyone)))
  gateway.passTime(60_000)
  expect(await latitudes(await enter(gateway, { as: ann, bindings }))).toEqual([exactLatitude])
  expect(await latitudes(await enter(gateway, { as: bob, bindings }))).toEqual([exactLatitude, exactLatitude])
})
