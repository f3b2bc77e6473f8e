import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import type { UserId } from '@hither/contract/ids.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ann,
  anyUser,
  bob,
  connect,
  eve,
  inserted,
  startGateway,
  type TestClient,
  type TestGateway,
  userRow,
} from '../harness.ts'
import type { Vsn } from '../protocol/protocol.ts'
import { connectionLimits } from './connection.ts'
import { shareLimits } from './shares.ts'
import { socketLimits } from './socket.ts'

const topic = 'realtime:people'
const conversation = 'realtime:conversation:0190a0a0-0000-7000-8000-0000000000c1'
const versions: readonly Vsn[] = ['1.0.0', '2.0.0']

/** A second client that is joined to everything that malformed input could affect. */
async function bystander(gateway: TestGateway) {
  const client = await connect(gateway)
  await client.join(topic, '1', gateway.tokenOf(ann))
  await client.join('realtime:online-users', '2', gateway.tokenOf(ann), { presence: { enabled: true } })
  await client.join(conversation, '3', gateway.tokenOf(ann), {})
  await client.settle()
  return client
}

/** Checks that the second client still receives its messages, and has received nothing else. */
async function isWell(gateway: TestGateway, client: TestClient): Promise<void> {
  gateway.publish(inserted(userRow(eve), [ann]))
  expect((await client.settle()).map(({ topic, event }) => [topic, event])).toEqual([[topic, 'postgres_changes']])
}

const isMember = async (_: unknown, userId: string) => userId === ann || userId === bob
const friendsOf = async () => []

const known = ['phx_join', 'phx_leave', 'access_token', 'presence', 'broadcast', 'heartbeat', 'phx_close', 'phx_reply']
const word = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('INSERT', 'public', 'users', '*', 'id=eq.1', 'track', 'untrack', 'typing', '__proto__'),
  },
  fc.string(),
)
const key = fc.constantFrom(
  ...['config', 'postgres_changes', 'broadcast', 'presence', 'event', 'schema', 'table', 'filter', 'select', 'payload'],
  ...[
    'access_token',
    'user_token',
    'resume',
    'after',
    'ack',
    'self',
    'enabled',
    '__proto__',
    'constructor',
    'toString',
  ],
)
const tree = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    word,
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(key, tie('value'), { maxKeys: 6 }),
})).object
const ref = fc.option(fc.oneof(fc.constantFrom('1', '2', '3'), fc.integer(), fc.string()), { nil: null })
const place = fc.oneof(
  fc.constantFrom(topic, conversation, 'realtime:online-users', 'phoenix', 'realtime:'),
  fc.string(),
)
const frame = fc.tuple(ref, ref, place, fc.oneof(fc.constantFrom(...known), fc.string()), tree)
const push = fc
  .tuple(
    fc.constantFrom('1', ''),
    fc.constantFrom(topic, conversation, 'x'),
    fc.constantFrom('typing', ''),
    fc.uint8Array(),
    fc.constantFrom(0, 1, 2),
  )
  .map(([joinRef, topic, event, body, encoding]) => {
    const texts = [joinRef, '9', topic, event, '']
    return Buffer.concat([
      Buffer.from([3, ...texts.map(({ length }) => length), encoding]),
      Buffer.from(texts.join('')),
      body,
    ])
  })

test.each(versions)('random bytes, texts and frames in version %s do not affect other clients', async (vsn) => {
  const gateway = await startGateway({ isMember, friendsOf, pingIntervalMs: 20 })
  const well = await bystander(gateway)
  const access_token = gateway.tokenOf(eve)
  const text = fc.oneof({ weight: 5, arbitrary: frame }, fc.jsonValue()).map((value) => {
    if (!Array.isArray(value) || value.length !== 5 || vsn === '2.0.0') return JSON.stringify(value)
    const [join_ref, ref, topic, event, payload] = value
    return JSON.stringify({ join_ref, ref, topic, event, payload })
  })
  const signed = text.map((json) =>
    json.replace(/"payload":\{|,\{(?=[^{]*\}\]?$)/, (match) => `${match}"access_token":"${access_token}",`),
  )
  const messages = fc.oneof(fc.uint8Array().map(Buffer.from), push, fc.string(), text, signed)
  for (const batch of fc.sample(fc.array(messages, { minLength: 20, maxLength: 60 }), 40)) {
    const attacker = await connect(gateway, { vsn })
    const isOpen = () => attacker.webSocket.readyState === attacker.webSocket.OPEN
    await attacker.join(topic, '1', access_token, { presence: { enabled: true }, broadcast: { ack: true } })
    for (const message of batch) attacker.webSocket.send(message)
    await attacker.settle()
    expect(isOpen()).toBe(true)
    attacker.webSocket.terminate()
  }
  await isWell(gateway, well)
})

test('random bytes below the WebSocket protocol end only their own connection', async () => {
  const gateway = await startGateway({ isMember, friendsOf })
  const well = await bystander(gateway)
  const { hostname, port } = new URL(gateway.origin)
  const head = [
    'GET /socket/websocket?vsn=2.0.0 HTTP/1.1',
    'Host: x',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ].join('\r\n')
  for (const bytes of fc.sample(fc.uint8Array({ minLength: 10, maxLength: 300 }), 60)) {
    const line = connectTcp(Number(port), hostname)
    line.on('error', () => {})
    line.resume()
    const closed = once(line, 'close')
    line.write(`${head}\r\n\r\n`)
    line.end(bytes)
    await closed
  }
  await isWell(gateway, well)
})

test('a client above the message rate is read more slowly, loses nothing and does not delay others', async () => {
  const gateway = await startGateway({ isMember, friendsOf })
  const well = await bystander(gateway)
  const attacker = await connect(gateway)
  const over = 30
  const count = socketLimits.messages.burst + over
  const start = performance.now()
  for (let i = 1; i <= count; i++) attacker.send(null, String(i), 'phoenix', 'heartbeat')
  await isWell(gateway, well)
  await attacker.reply(String(count))
  await attacker.settle()
  // The time is never shorter: the excess must be refilled first.
  expect(performance.now() - start).toBeGreaterThan((over / socketLimits.messages.perSecond) * 1000 - 20)
})

test('all joins of many clients at once are answered, even if the database is slow', async () => {
  let running = 0
  let most = 0
  const gateway = await startGateway({
    friendsOf,
    isMember: async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running--
      return true
    },
  })
  const clients = await Promise.all(Array.from({ length: 20 }, () => connect(gateway)))
  for (const [index, client] of clients.entries())
    for (let i = 0; i < 50; i++) {
      const access_token = gateway.tokenOf(`0190a0a2-0000-7000-8000-${String(index).padStart(12, '0')}` as UserId)
      const id = `0190a0a0-0000-7000-8000-${String(i).padStart(12, '0')}`
      client.send(String(i), String(i), `realtime:conversation:${id}`, 'phx_join', { config: {}, access_token })
    }
  for (const client of clients) {
    const statuses = []
    while (statuses.length < 50) {
      const { payload } = await client.next(({ event }) => event === 'phx_reply')
      statuses.push(payload.status)
    }
    expect(new Set(statuses)).toEqual(new Set(['ok']))
  }
  expect(most).toBeLessThanOrEqual(32)
  expect(gateway.gateway.stats()).toEqual({ sockets: 20, channels: 1000 })
})

test('joins above the rate are refused with a reason, and the socket stays open', async () => {
  const gateway = await startGateway({ friendsOf })
  const client = await connect(gateway)
  const access_token = gateway.tokenOf(ann)
  for (let i = 0; i < 400; i++)
    client.send(String(i), String(i), topic, 'phx_join', { config: { postgres_changes: [anyUser] }, access_token })
  const payloads = (await client.settle()).map(({ payload }) => payload)
  expect(payloads).toContainEqual({ status: 'error', response: { reason: 'Busy: too many joins' } })
  expect(client.webSocket.readyState).toBe(client.webSocket.OPEN)
})

test('a socket that joins nothing is closed after the idle time, a joined one is not', async () => {
  const gateway = await startGateway({ pingIntervalMs: 10 })
  const [idle, joined] = [await connect(gateway), await connect(gateway)]
  await joined.join('realtime:x', '1', gateway.tokenOf(ann), {})
  await once(joined.webSocket, 'ping')
  gateway.passTime(socketLimits.idleMs - 1)
  await once(idle.webSocket, 'ping')
  await idle.settle()
  gateway.passTime(1)
  expect(await idle.closed).toBe(4000)
  await joined.settle()
})

const listening = (count: number, filter = '') => ({
  postgres_changes: Array.from({ length: count }, (_, i) => ({ ...anyUser, filter, since: i })),
})

test('a join above 16 KB is refused permanently', async () => {
  const gateway = await startGateway()
  const client = await connect(gateway)
  const padded = (length: number) => ({ ...listening(1), padding: 'x'.repeat(length) })
  const fitting = await client.join(topic, '1', gateway.tokenOf(ann), padded(connectionLimits.joinBytesMax - 1000))
  expect(fitting.payload.status).toBe('ok')
  const large = await client.join(topic, '2', gateway.tokenOf(ann), padded(connectionLimits.joinBytesMax))
  expect(large.payload).toEqual({ status: 'error', response: { reason: 'A join takes at most 16 KB' } })
  expect((await client.next(({ event }) => event === 'phx_close')).joinRef).toBe('2')
})

test('a user has one budget of bindings over all sockets, independent of other users', async () => {
  const gateway = await startGateway({ isMember, friendsOf })
  const well = await bystander(gateway)
  const [first, second, third] = [await connect(gateway), await connect(gateway), await connect(gateway)]
  const half = shareLimits.bindingsMax / 2
  const token = gateway.tokenOf(eve)
  expect((await first.join(topic, '1', token, listening(half))).payload.status).toBe('ok')
  expect((await second.join(topic, '1', token, listening(half))).payload.status).toBe('ok')
  const refused = { status: 'error', response: { reason: 'Too many subscriptions: close some' } }
  expect((await third.join(topic, '1', token, listening(1))).payload).toEqual(refused)
  await isWell(gateway, well)
  first.send('1', '2', topic, 'phx_leave')
  await first.reply('2')
  expect((await third.join(topic, '2', token, listening(half))).payload.status).toBe('ok')
})

test('a user joins on a limited number of sockets, and may join again once one has closed', async () => {
  const gateway = await startGateway({ isMember, friendsOf })
  const well = await bystander(gateway)
  const token = gateway.tokenOf(eve)
  const clients = await Promise.all(Array.from({ length: shareLimits.socketsMax }, () => connect(gateway)))
  const last = await connect(gateway)
  for (const client of clients) expect((await client.join(topic, '1', token, {})).payload.status).toBe('ok')
  // A second channel of a counted socket.
  expect((await clients[0]?.join('realtime:x', '2', token, {}))?.payload.status).toBe('ok')
  const refused = { status: 'error', response: { reason: 'Too many connections: close some' } }
  expect((await last.join(topic, '1', token, {})).payload).toEqual(refused)
  await isWell(gateway, well)
  clients[0]?.webSocket.close()
  await clients[0]?.closed
  expect((await last.join(topic, '2', token, {})).payload.status).toBe('ok')
})
