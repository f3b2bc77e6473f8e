import { connect as connectTcp } from 'node:net'
import { expect, test } from 'vitest'
import { countingTransport, officialClient, subscribe } from '../../../test/official-client.ts'
import { ann, anyUser, bob, connect, inserted, sessionOf, startGateway, type TestGateway, userRow } from '../harness.ts'
import type { Vsn } from '../protocol/protocol.ts'

const topic = 'realtime:people'
const versions: readonly Vsn[] = ['1.0.0', '2.0.0']
const ok = { status: 'ok', response: {} }

/** Returns the status line of the response to an upgrade request. */
async function statusOf({ origin }: TestGateway, path: string, headers: string[] = []): Promise<string> {
  const { hostname, port } = new URL(origin)
  const stream = connectTcp(Number(port), hostname)
  const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
  const lines = [
    `GET ${path} HTTP/1.1`,
    'Host: x',
    'Connection: Upgrade',
    'Upgrade: websocket',
    key,
    ...headers,
    '',
    '',
  ]
  stream.write(lines.join('\r\n'))
  const [head] = (await new Promise<Buffer>((resolve) => stream.once('data', resolve))).toString().split('\r\n')
  stream.destroy()
  return head as string
}

test.each([
  ['/api/realtime/v1/websocket?apikey=x&vsn=2.0.0', 'HTTP/1.1 101 Switching Protocols'],
  ['/socket/websocket?vsn=1.0.0', 'HTTP/1.1 101 Switching Protocols'],
  ['/socket/websocket', 'HTTP/1.1 101 Switching Protocols'],
  ['/api/realtime/v1/websocket?vsn=3.0.0', 'HTTP/1.1 400 Bad Request'],
  ['/api/realtime/v1/websocket?vsn=', 'HTTP/1.1 400 Bad Request'],
  ['/api/realtime/v1', 'HTTP/1.1 404 Not Found'],
  ['/elsewhere?vsn=2.0.0', 'HTTP/1.1 404 Not Found'],
])('a request to upgrade at %s is answered with %s', async (path, status) => {
  expect(await statusOf(await startGateway(), path)).toBe(status)
})

test('an upgrade of a foreign origin is refused, one without an origin is accepted', async () => {
  const gateway = await startGateway({ allowedOrigins: (origin) => !origin || origin === 'https://ours.example' })
  const path = '/api/realtime/v1/websocket'
  expect(await statusOf(gateway, path, ['Origin: https://evil.example'])).toBe('HTTP/1.1 403 Forbidden')
  expect(await statusOf(gateway, path, ['Origin: https://ours.example'])).toContain('101')
  expect(await statusOf(gateway, path)).toContain('101')
})

test.each(versions)('a heartbeat of version %s gets a reply', async (vsn) => {
  const client = await connect(await startGateway(), { vsn })
  client.send(null, '8', 'phoenix', 'heartbeat')
  expect(await client.next()).toEqual({ joinRef: null, ref: '8', topic: 'phoenix', event: 'phx_reply', payload: ok })
})

test.each(versions)('malformed frames of version %s are ignored and the socket stays open', async (vsn) => {
  const gateway = await startGateway()
  const client = await connect(gateway, { vsn })
  await client.join(topic, '1', gateway.tokenOf(ann))
  const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  const garbage = ['', '{', 'null', '[]', '[1,2,3,4,5]', '{"topic":1}', nested, Buffer.of(), Buffer.of(4, 1, 2)]
  for (const data of [...garbage, Buffer.of(3, 255, 255, 255, 255, 255, 1), Buffer.of(0, 1, 2, 3)])
    client.webSocket.send(data)
  client.send('1', '2', topic, 'no such event')
  client.send(null, '3', 'phoenix', 'no such event')
  client.send('1', '4', topic, 'access_token', { access_token: 42 })
  await client.next(({ payload }) => payload.extension === 'position')
  expect(await client.settle()).toEqual([])
  expect(client.webSocket.readyState).toBe(client.webSocket.OPEN)
})

test('a frame above the size limit closes the socket with 1009', async () => {
  const client = await connect(await startGateway())
  client.webSocket.send('x'.repeat(256 * 1024 + 1))
  expect(await client.closed).toBe(1009)
})

test('a frame that throws closes its own socket only', async () => {
  const gateway = await startGateway()
  const [client, other] = [await connect(gateway), await connect(gateway)]
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  await client.join(topic, '1', gateway.tokenOf(ann), {})
  client.webSocket.send(`["1","2","${topic}","broadcast",{"type":"broadcast","event":"x","payload":${deep}}]`)
  expect(await client.closed).toBe(1011)
  expect(await other.settle()).toEqual([])
  expect(gateway.gateway.stats()).toEqual({ sockets: 1, channels: 0 })
  expect(gateway.errors.splice(0)).toHaveLength(1)
})

test.each(versions)('a join of version %s gets reply, system message and presence state in order', async (vsn) => {
  const gateway = await startGateway()
  const client = await connect(gateway, { vsn })
  const asked = [
    { ...anyUser, filter: '', since: 7 },
    { event: 'insert', schema: '*', table: null },
  ]
  const config = { postgres_changes: asked, presence: { enabled: true, key: '' } }
  client.send('6', '6', topic, 'phx_join', { config, access_token: gateway.tokenOf(ann) })
  expect(await client.next()).toEqual({
    joinRef: '6',
    ref: '6',
    topic,
    event: 'phx_reply',
    payload: {
      status: 'ok',
      response: { postgres_changes: asked.map((binding) => ({ ...binding, id: expect.stringMatching(/./) })) },
    },
  })
  expect(await client.next()).toEqual({
    joinRef: '6',
    ref: null,
    topic,
    event: 'system',
    payload: {
      extension: 'postgres_changes',
      status: 'ok',
      message: 'Subscribed to PostgreSQL',
      channel: 'people',
    },
  })
  const state = { joinRef: '6', ref: null, topic, event: 'presence_state', payload: {} }
  expect(await client.next()).toEqual(state)
  expect((await client.settle()).map(({ payload }) => payload.extension)).toEqual(['resync', 'position'])
})

test('a join without postgres_changes receives no changes', async () => {
  const gateway = await startGateway()
  const client = await connect(gateway)
  const { payload } = await client.join(topic, '1', gateway.tokenOf(ann), {})
  expect(payload).toEqual({ status: 'ok', response: { postgres_changes: [] } })
})

test.each([
  ['an unknown table', { ...anyUser, table: 'sessions' }, 'There is no table "sessions"'],
  ['a table that only every object has', { ...anyUser, table: 'constructor' }, 'There is no table "constructor"'],
  ['another schema', { ...anyUser, schema: 'auth' }, 'There is no schema "auth"'],
  ['an unknown event', { ...anyUser, event: 'TRUNCATE' }, 'The event must be'],
  ['a filter by a text', { ...anyUser, filter: 'username=eq.a' }, 'Bad filter: There is no filter by "username"'],
  ['a filter by a column of another table', { ...anyUser, filter: `ping_id=eq.${ann}` }, 'Bad filter: "users" has no'],
  ['a filter without an operator', { ...anyUser, filter: 'id' }, 'Bad filter: A filter has the form'],
  ['a pattern', { ...anyUser, filter: 'id=like.a%' }, 'Bad filter: There is no operator "like"'],
  ['a pattern on all tables', { ...anyUser, table: '*', filter: 'id=like.a%' }, 'Bad filter: There is no operator'],
  ['a filter that is no text', { ...anyUser, filter: 5 }, '"filter" must be a text'],
  ['an unknown column to select', { ...anyUser, select: ['email'] }, 'There is no column "email" to select'],
  ['a selection without a table', { event: '*', schema: 'public', select: ['id'] }, '"select" needs a schema'],
  ['a binding that is no object', 'users', 'A binding of postgres_changes must be an object'],
])('%s is refused for good, with the reason', async (_, binding, reason) => {
  const gateway = await startGateway()
  const client = await connect(gateway)
  const { payload } = await client.join(topic, '1', gateway.tokenOf(ann), { postgres_changes: [anyUser, binding] })
  expect(payload).toEqual({ status: 'error', response: { reason: expect.stringContaining(reason) } })
  expect(await client.next()).toEqual({ joinRef: '1', ref: '1', topic, event: 'phx_close', payload: {} })
  expect(gateway.gateway.stats().channels).toBe(0)
})

test('a permanent refusal of a join is reported once and the client does not retry', async () => {
  const gateway = await startGateway()
  const client = await officialClient(gateway, ann)
  const channel = client.channel('people')
  channel.on('postgres_changes', { event: '*', schema: 'public', table: 'sessions' }, () => {})
  const subscription = subscribe(channel)
  await subscription.until('CLOSED')
  expect(subscription.statuses.map(({ status }) => status)).toEqual(['CHANNEL_ERROR', 'CLOSED'])
  expect(subscription.statuses[0]?.reason).toContain('There is no table "sessions"')
  // All channels are removed, so that none can rejoin.
  expect(client.getChannels()).toEqual([])
})

test('a join without a token is refused with a reason and succeeds once there is a token', async () => {
  const gateway = await startGateway()
  const client = await officialClient(gateway, null)
  const subscription = subscribe(client.channel('people'))
  expect(await subscription.until('CHANNEL_ERROR')).toContain('there is no access token')
  await client.setAuth(gateway.tokenOf(ann))
  await subscription.until('SUBSCRIBED')
})

test.each([
  ['no token', {}, 'there is no access token'],
  ['an empty token', { access_token: '' }, 'there is no access token'],
  ['a key of an app', { access_token: 'sb_publishable_x' }, 'there is no access token'],
  ['a forged token', { access_token: 'a.b.c' }, 'is not valid'],
])('%s is refused with a reason and may be tried again', async (_, token, reason) => {
  const client = await connect(await startGateway())
  client.send('1', '1', topic, 'phx_join', { config: {}, ...token })
  const { payload } = await client.reply('1')
  expect(payload).toEqual({ status: 'error', response: { reason: expect.stringContaining(reason) } })
  expect(await client.settle()).toEqual([])
})

test('a token in the older field user_token is accepted', async () => {
  const gateway = await startGateway()
  const client = await connect(gateway)
  client.send('1', '1', topic, 'phx_join', { config: {}, user_token: gateway.tokenOf(ann) })
  expect((await client.reply('1')).payload.status).toBe('ok')
})

test('a newer join of the topic wins, and the older generation is closed under its own join_ref', async () => {
  const gateway = await startGateway()
  const client = await connect(gateway)
  await client.join(topic, '1', gateway.tokenOf(ann))
  const access_token = gateway.tokenOf(ann)
  client.send('2', '2', topic, 'phx_join', { config: { postgres_changes: [anyUser] }, access_token })
  const close = await client.next(({ event }) => event !== 'system')
  expect(close).toEqual({ joinRef: '1', ref: '1', topic, event: 'phx_close', payload: {} })
  expect((await client.next()).ref).toBe('2')
  await client.settle()
  gateway.publish(inserted(userRow(bob), [ann]))
  expect((await client.change()).type).toBe('INSERT')
  expect(await client.settle()).toEqual([])
})

test('a leave and a join in one batch keep the new generation joined', async () => {
  const gateway = await startGateway()
  const client = await officialClient(gateway, ann)
  const first = client.channel('people')
  await subscribe(first).until('SUBSCRIBED')
  client.removeChannel(first)
  const second = client.channel('people')
  const subscription = subscribe(second)
  await subscription.until('SUBSCRIBED')
  const echoed = await new Promise((resolve) => {
    client.sendHeartbeat()
    client.onHeartbeat((status) => status === 'ok' && resolve(status))
  })
  expect(echoed).toBe('ok')
  expect(subscription.statuses.map(({ status }) => status)).toEqual(['SUBSCRIBED'])
  expect(gateway.gateway.stats()).toEqual({ sockets: 1, channels: 1 })
})

test('a frame of an older generation does not affect the current one', async () => {
  const gateway = await startGateway()
  const client = await connect(gateway)
  await client.join(topic, '2', gateway.tokenOf(ann), { postgres_changes: [anyUser], broadcast: { ack: true } })
  client.send('1', '3', topic, 'access_token', { access_token: 'forged' })
  client.send('1', '4', topic, 'broadcast', { type: 'broadcast', event: 'e', payload: {} })
  client.send('1', '5', topic, 'phx_leave')
  await client.next(({ payload }) => payload.extension === 'position')
  expect(await client.next()).toEqual({ joinRef: '1', ref: '5', topic, event: 'phx_reply', payload: ok })
  gateway.publish(inserted(userRow(bob), [ann]))
  expect((await client.change()).type).toBe('INSERT')
})

test('a frame of an older generation does not affect the join that is being decided', async () => {
  const decisions: ((is: boolean) => void)[] = []
  const gateway = await startGateway({ isMember: () => new Promise((resolve) => decisions.push(resolve)) })
  const client = await connect(gateway)
  const chat = 'realtime:conversation:0190a0a0-0000-7000-8000-0000000000c1'
  const config = { presence: { enabled: false } }
  for (const ref of ['1', '2']) client.send(ref, ref, chat, 'phx_join', { config, access_token: gateway.tokenOf(ann) })
  client.send('1', '3', chat, 'access_token', { access_token: null })
  client.send('1', '4', chat, 'presence', { event: 'track' })
  client.send('1', '5', chat, 'broadcast', { event: 'typing', payload: {} })
  client.send('1', '6', chat, 'phx_leave')
  expect((await client.reply('1')).payload).toMatchObject({ response: { reason: 'A newer join took its place' } })
  expect(await client.next()).toEqual({ joinRef: '1', ref: '6', topic: chat, event: 'phx_reply', payload: ok })
  for (const decide of decisions) decide(true)
  expect((await client.reply('2')).payload.status).toBe('ok')
  expect((await client.settle()).map(({ event }) => event)).toEqual(['system'])
  expect(gateway.gateway.stats().channels).toBe(1)
})

test.each(versions)('a leave without a join_ref in version %s is meant for the newest join', async (vsn) => {
  const gateway = await startGateway()
  const client = await connect(gateway, { vsn })
  await client.join(topic, '1', gateway.tokenOf(ann))
  client.send(null, '2', topic, 'phx_leave')
  expect((await client.reply('2')).payload).toEqual(ok)
  expect(gateway.gateway.stats().channels).toBe(0)
})

test('a leave gets a reply, and no changes arrive after it', async () => {
  const gateway = await startGateway()
  const client = await connect(gateway)
  await client.join(topic, '1', gateway.tokenOf(ann))
  await client.join('realtime:other', '2', gateway.tokenOf(ann))
  await client.settle()
  client.send('1', '9', topic, 'phx_leave')
  expect(await client.next()).toEqual({ joinRef: '1', ref: '9', topic, event: 'phx_reply', payload: ok })
  expect(await client.next()).toEqual({ joinRef: '1', ref: '1', topic, event: 'phx_close', payload: {} })
  gateway.publish(inserted(userRow(bob), [ann]))
  expect((await client.next()).topic).toBe('realtime:other')
  expect(await client.settle()).toEqual([])
})

test('leaving a topic that was not joined succeeds, other events on it are refused', async () => {
  const client = await connect(await startGateway())
  client.send('1', '2', topic, 'phx_leave')
  client.send('1', '3', topic, 'presence', { event: 'track' })
  client.send('1', '4', topic, 'access_token', { access_token: 'x' })
  const unmatched = { status: 'error', response: { reason: 'unmatched topic' } }
  expect((await client.settle()).map(({ ref, payload }) => [ref, payload])).toEqual([
    ['2', ok],
    ['3', unmatched],
  ])
})

test('a join is refused unless its topic begins with realtime: and has a valid length', async () => {
  const gateway = await startGateway()
  const client = await connect(gateway)
  for (const [ref, name] of ['people', `realtime:${'é'.repeat(130)}`].entries()) {
    const { payload } = await client.join(name, String(ref), gateway.tokenOf(ann))
    expect(payload).toEqual({ status: 'error', response: { reason: 'unmatched topic' } })
  }
})

test('a socket is limited to 100 channels and a channel to 100 bindings', async () => {
  const gateway = await startGateway()
  const client = await connect(gateway)
  const bindings = (length: number) => ({ postgres_changes: Array.from({ length }, () => anyUser) })
  for (let i = 1; i <= 100; i++) {
    const { payload } = await client.join(`realtime:${i}`, String(i), gateway.tokenOf(ann), bindings(i === 1 ? 100 : 1))
    expect(payload.status).toBe('ok')
  }
  const over = await client.join('realtime:101', '101', gateway.tokenOf(ann))
  expect(over.payload).toMatchObject({ status: 'error', response: { reason: 'A socket takes at most 100 channels' } })
  const again = await client.join('realtime:1', '102', gateway.tokenOf(ann), bindings(100))
  expect(again.payload.status).toBe('ok')
  const many = await client.join('realtime:1', '103', gateway.tokenOf(ann), bindings(101))
  expect(many.payload).toMatchObject({ status: 'error', response: { reason: 'A channel takes at most 100 bindings' } })
})

test('a broadcast on a topic without broadcasts is refused and not delivered', async () => {
  const gateway = await startGateway()
  const [annClient, bobClient] = [await officialClient(gateway, ann), await connect(gateway)]
  const channel = annClient.channel('people', { config: { broadcast: { ack: true, self: true } } })
  await subscribe(channel).until('SUBSCRIBED')
  await bobClient.join(topic, '1', gateway.tokenOf(bob))
  await bobClient.settle()
  expect(await channel.send({ type: 'broadcast', event: 'typing', payload: { by: 'ann' } })).toBe('error')
  expect(await bobClient.settle()).toEqual([])
})

test.each(versions)('a broadcast with ack as text of version %s is refused with the reason', async (vsn) => {
  const gateway = await startGateway()
  const client = await connect(gateway, { vsn })
  await client.join(topic, '1', gateway.tokenOf(ann), { broadcast: { ack: true } })
  client.send('1', '2', topic, 'broadcast', { type: 'broadcast', event: 'e', payload: {} })
  const { payload } = await client.reply('2')
  expect(payload).toEqual({ status: 'error', response: { reason: 'You may not broadcast here' } })
})

test('a broadcast without ack gets no reply', async () => {
  const gateway = await startGateway()
  const client = await connect(gateway)
  await client.join(topic, '1', gateway.tokenOf(ann), {})
  await client.settle()
  client.send('1', '2', topic, 'broadcast', { type: 'broadcast', event: 'e', payload: {} })
  expect(await client.settle()).toEqual([])
})

test('a client whose session ended reconnects once and is refused permanently', async () => {
  const gateway = await startGateway()
  const client = await officialClient(gateway, ann)
  const subscription = subscribe(client.channel('people'))
  await subscription.until('SUBSCRIBED')
  gateway.tokens.revoke([sessionOf(ann)])
  gateway.announce({ kind: 'sessions_ended', sessionIds: [sessionOf(ann)] })
  await subscription.until('CLOSED')
  expect(subscription.statuses.map(({ reason }) => reason)).toEqual([
    undefined,
    expect.stringContaining('session ended'),
    expect.stringContaining('the session has ended'),
    undefined,
  ])
})

test('a client that loses its socket reconnects by itself and reports it', async () => {
  const gateway = await startGateway()
  const { sockets, transport } = countingTransport()
  const client = await officialClient(gateway, ann, '2.0.0', { transport })
  const subscription = subscribe(client.channel('people'))
  await subscription.until('SUBSCRIBED')
  sockets[0]?.close(4002, 'a tunnel')
  await subscription.until('SUBSCRIBED', 2)
  expect(sockets).toHaveLength(2)
})

test('a peer that does not answer pings is disconnected, one that does is not', async () => {
  const gateway = await startGateway({ pingIntervalMs: 20 })
  const [dead, alive] = [await connect(gateway, { autoPong: false }), await connect(gateway)]
  expect(await dead.closed).toBe(1006)
  expect(dead.pings()).toBe(2)
  expect(await alive.settle()).toEqual([])
  expect(gateway.gateway.stats().sockets).toBe(1)
})

test('stop closes all sockets with 1012 and refuses new ones', async () => {
  const gateway = await startGateway()
  const clients = []
  for (let i = 0; i < 25; i++) clients.push(await connect(gateway))
  const stopped = gateway.gateway.stop()
  expect(await statusOf(gateway, '/api/realtime/v1/websocket')).toBe('HTTP/1.1 503 Service Unavailable')
  const codes = await Promise.all(clients.map(({ closed }) => closed))
  expect(new Set(codes)).toEqual(new Set([1012]))
  await stopped
  expect(gateway.gateway.stats()).toEqual({ sockets: 0, channels: 0 })
})

test('stop does not wait forever for a peer that does not answer the close', async () => {
  const gateway = await startGateway()
  const client = await connect(gateway)
  client.webSocket.pause()
  await gateway.gateway.stop()
  client.webSocket.resume()
  await client.closed
  expect(gateway.gateway.stats().sockets).toBe(0)
})
