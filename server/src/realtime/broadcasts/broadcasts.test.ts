import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import type { RealtimeChannel } from '@supabase/realtime-js'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { officialClient, subscribe } from '../../../test/official-client.ts'
import { readConfig } from '../../config.ts'
import { addErrorHandler } from '../../platform/http/error-handler.ts'
import { noRateLimits } from '../../platform/http/rate-limits.ts'
import { createServer } from '../../platform/http/server.ts'
import type { GatewayDeps } from '../gateway/gateway.ts'
import { shareLimits } from '../gateway/shares.ts'
import { ann, bob, connect, eve, startGateway, type TestGateway } from '../harness.ts'
import type { Vsn } from '../protocol/protocol.ts'
import { addBroadcastRoutes } from './broadcast.routes.ts'

const chat = '0190a0a0-0000-7000-8000-0000000000c1' as ConversationId
const other = '0190a0a0-0000-7000-8000-0000000000c2' as ConversationId
const name = `conversation:${chat}`
const topic = `realtime:${name}`
const versions: readonly Vsn[] = ['1.0.0', '2.0.0']
const typing = { event: 'typing', payload: { user_id: ann, username: 'ann' } }
/** What others receive, whatever the payload contains. */
const typingOf = (userId: UserId) => ({ event: 'typing', payload: { user_id: userId } })

/** Ann and bob are members of one conversation, and eve of none, until a test changes that. */
async function start(options: Partial<GatewayDeps> = {}) {
  const members = new Map<ConversationId, UserId[]>([[chat, [ann, bob]]])
  const isMember = async (id: ConversationId, userId: UserId) => members.get(id)?.includes(userId) ?? false
  return { ...(await startGateway({ isMember, ...options })), members }
}

/** Collects the broadcasts that a channel of the official client receives from now on. */
function collect(channel: RealtimeChannel) {
  const receivedBroadcasts: unknown[] = []
  let wake = () => {}
  channel.on('broadcast', { event: '*' }, ({ event, payload }) => {
    receivedBroadcasts.push({ event, payload })
    wake()
  })
  return {
    receivedBroadcasts,
    async until(count: number) {
      while (receivedBroadcasts.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      return receivedBroadcasts
    },
  }
}

async function enter(gateway: TestGateway, userId: UserId, config: object = {}, vsn: Vsn = '2.0.0') {
  const client = await connect(gateway, { vsn })
  const { payload } = await client.join(topic, '1', gateway.tokenOf(userId), { ...config })
  expect(payload.status).toBe('ok')
  await client.settle()
  return client
}

const says = (payload: object) => ({ type: 'broadcast', ...payload })

test.each(versions.flatMap((from) => versions.map((to) => [from, to] as const)))(
  'a typing broadcast in version %s reaches, in version %s, the other member only',
  async (from, to) => {
    const gateway = await start()
    const [annClient, bobClient] = [await officialClient(gateway, ann, from), await officialClient(gateway, bob, to)]
    const [annChannel, bobChannel] = [annClient.channel(name), bobClient.channel(name)]
    const [toAnn, toBob] = [collect(annChannel), collect(bobChannel)]
    await Promise.all([subscribe(annChannel).until('SUBSCRIBED'), subscribe(bobChannel).until('SUBSCRIBED')])
    expect(await annChannel.send({ type: 'broadcast', ...typing })).toBe('ok')
    expect(await toBob.until(1)).toEqual([typingOf(ann)])
    await bobChannel.send({ type: 'broadcast', event: 'typing', payload: {} })
    expect(await toAnn.until(1)).toEqual([typingOf(bob)])
  },
)

test('the sender receives its broadcast with self and a reply with ack, and another tab of theirs always receives it', async () => {
  const gateway = await start()
  const [one, two] = [await officialClient(gateway, ann), await officialClient(gateway, ann)]
  const config = { broadcast: { self: true, ack: true } }
  const [sender, tab] = [one.channel(name, { config }), two.channel(name)]
  const [toSender, toTab] = [collect(sender), collect(tab)]
  await Promise.all([subscribe(sender).until('SUBSCRIBED'), subscribe(tab).until('SUBSCRIBED')])
  expect(await sender.send({ type: 'broadcast', ...typing })).toBe('ok')
  expect(await toSender.until(1)).toEqual([typingOf(ann)])
  expect(await toTab.until(1)).toEqual([typingOf(ann)])
})

test('a binary broadcast is treated like its text form, and bytes are refused', async () => {
  const gateway = await start()
  const [client, listener] = [await enter(gateway, ann, { broadcast: { ack: true } }), await enter(gateway, bob)]
  const push = (ref: string, body: Uint8Array, isJson = true) => {
    const texts = ['1', ref, topic, 'typing', '']
    const head = Buffer.from([3, ...texts.map(({ length }) => length), isJson ? 1 : 0])
    client.webSocket.send(Buffer.concat([head, Buffer.from(texts.join('')), body]))
    return client.reply(ref)
  }
  const refusedWith = (reason: string) => ({ status: 'error', response: { reason } })
  const own = Buffer.from(JSON.stringify(typing.payload))
  expect((await push('2', own, false)).payload).toEqual(refusedWith('The payload is not JSON'))
  expect((await push('3', Buffer.from('{'))).payload).toEqual(refusedWith('The payload is not JSON'))
  expect((await push('4', Buffer.alloc(201, '1'))).payload).toEqual(refusedWith('payload_size_exceeded'))
  const others = Buffer.from(JSON.stringify({ user_id: bob }))
  expect((await push('5', others)).payload).toEqual(refusedWith('You may broadcast for yourself only'))
  expect(await listener.settle()).toEqual([])
  expect((await push('6', own)).payload.status).toBe('ok')
  expect((await listener.next()).payload).toEqual({ type: 'broadcast', ...typingOf(ann) })
})

test.each([
  ['another event', { event: 'shouting', payload: {} }, 'Only "typing" may be broadcast here'],
  ['the name of another', { event: 'typing', payload: { user_id: bob } }, 'You may broadcast for yourself only'],
  ['more than 200 bytes', { event: 'typing', payload: { x: 'é'.repeat(97) } }, 'payload_size_exceeded'],
])('%s is refused with the reason, and received by nobody', async (_, said, reason) => {
  const gateway = await start()
  const [client, listener] = [await enter(gateway, ann, { broadcast: { ack: true } }), await enter(gateway, bob)]
  client.send('1', '2', topic, 'broadcast', says(said))
  expect((await client.reply('2')).payload).toEqual({ status: 'error', response: { reason } })
  expect(await listener.settle()).toEqual([])
})

test('a text frame with the fields of a binary broadcast is not treated as one', async () => {
  const gateway = await start()
  gateway.members.set(other, [bob])
  const client = await enter(gateway, ann, { broadcast: { ack: true } })
  const listener = await connect(gateway)
  await listener.join(`realtime:conversation:${other}`, '1', gateway.tokenOf(bob), {})
  await listener.settle()
  const body = { topic: `realtime:conversation:${other}`, event: 'typing', isJson: true, body: [123, 125] }
  client.send('1', '2', topic, 'broadcast', { broadcast: body, binary: body, event: 'typing', payload: {} })
  expect((await client.reply('2')).payload.status).toBe('ok')
  expect(await listener.settle()).toEqual([])
})

test('all sockets and calls of a user share one rate on a topic, and nobody else is affected', async () => {
  const gateway = await startWithHttp()
  const asked = { broadcast: { ack: true } }
  const clients = await Promise.all(Array.from({ length: 15 }, () => enter(gateway, ann, asked)))
  const [bobClient, listener] = [await enter(gateway, bob, asked), await enter(gateway, bob)]
  const channel = (await officialClient(gateway, ann)).channel(name, { config: { private: true } })
  const { max, seconds } = shareLimits.typingOnTopic
  const flood = async () => {
    for (const client of clients) for (const ref of ['2', '3']) client.send('1', ref, topic, 'broadcast', says(typing))
    const replies = (await Promise.all(clients.map((client) => client.settle()))).flat()
    return replies.filter(({ payload }) => payload.status === 'ok').length
  }
  expect(await flood()).toBe(max)
  expect(await listener.settle()).toHaveLength(max)
  await expect(channel.httpSend('typing', {})).rejects.toThrow('Too Many Requests')
  expect(await listener.settle()).toEqual([])
  bobClient.send('1', '2', topic, 'broadcast', says({ event: 'typing', payload: {} }))
  expect((await bobClient.reply('2')).payload.status).toBe('ok')
  expect(await listener.settle()).toHaveLength(1)
  gateway.passTime((seconds * 1000) / max)
  expect(await flood()).toBe(1)
  expect(gateway.gateway.stats().channels).toBe(17)
})

test('a user has one rate for all topics together', async () => {
  const topics = Array.from({ length: 20 }, (_, i) => `realtime:conversation:${chat.slice(0, -2)}${i + 10}`)
  const gateway = await start({ isMember: async () => true })
  const client = await connect(gateway)
  for (const topic of topics) await client.join(topic, topic, gateway.tokenOf(ann), { broadcast: { ack: true } })
  await client.settle()
  for (const topic of topics)
    for (let i = 0; i < shareLimits.typingOnTopic.max; i++) client.send(topic, 'x', topic, 'broadcast', says(typing))
  const replies = (await client.settle()).filter(({ payload }) => payload.status === 'ok')
  expect(replies).toHaveLength(shareLimits.typing.max)
})

test.each([
  ['its channel', topic, []],
  [
    'its messages',
    'realtime:x',
    [{ event: '*', schema: 'public', table: 'messages', filter: `conversation_id=eq.${chat}` }],
  ],
  [
    'its read receipts',
    'realtime:x',
    [
      {
        event: '*',
        schema: 'public',
        table: 'message_read_receipts',
        filter: `conversation_id=in.(${chat.toUpperCase()})`,
      },
    ],
  ],
  ['its rows of any table', 'realtime:x', [{ event: '*', schema: 'public', filter: `conversation_id=eq.${chat}` }]],
])(
  'a user without membership is permanently refused %s of a conversation with the reason, a member is not',
  async (_, joined, postgres_changes) => {
    const gateway = await start()
    const [member, stranger] = [await connect(gateway), await connect(gateway)]
    expect((await member.join(joined, '1', gateway.tokenOf(ann), { postgres_changes })).payload.status).toBe('ok')
    const { payload } = await stranger.join(joined, '1', gateway.tokenOf(eve), { postgres_changes })
    const reason = `Unauthorized: you are not a member of the conversation ${chat}`
    expect(payload).toEqual({ status: 'error', response: { reason } })
    expect(await stranger.next()).toMatchObject({ event: 'phx_close', joinRef: '1', ref: '1' })
    expect(gateway.gateway.stats().channels).toBe(1)
  },
)

test.each(['conversation:', `conversation:${chat.toUpperCase()}`, `conversation:${chat}x`, 'conversation:42'])(
  'a join of the topic %s is refused',
  async (wrong) => {
    const gateway = await start({ isMember: async () => true })
    const client = await connect(gateway)
    const { payload } = await client.join(`realtime:${wrong}`, '1', gateway.tokenOf(ann), {})
    expect(payload.status).toBe('error')
  },
)

test('a user without membership can listen to messages without a filter or with one that names no conversation', async () => {
  const gateway = await start()
  const client = await connect(gateway)
  for (const [ref, filter] of [undefined, '', `id=eq.${chat}`].entries()) {
    const postgres_changes = [{ event: '*', schema: 'public', table: 'messages', filter }]
    expect(
      (await client.join('realtime:x', String(ref), gateway.tokenOf(eve), { postgres_changes })).payload.status,
    ).toBe('ok')
  }
})

test('a user whose membership ends is removed at once and permanently, other members are not', async () => {
  const gateway = await start()
  const [annClient, bobClient] = [await enter(gateway, ann), await enter(gateway, bob, { broadcast: { ack: true } })]
  const postgres_changes = [{ event: '*', schema: 'public', table: 'messages', filter: `conversation_id=eq.${chat}` }]
  await annClient.join('realtime:messages', '2', gateway.tokenOf(ann), { postgres_changes })
  await annClient.join('realtime:people', '3', gateway.tokenOf(ann))
  await annClient.settle()
  gateway.members.set(chat, [bob])
  gateway.announce({ kind: 'membership_ended', conversationId: chat, userId: ann })
  bobClient.send('1', '2', topic, 'broadcast', says({ event: 'typing', payload: {} }))
  expect((await bobClient.reply('2')).payload.status).toBe('ok')
  const said = await annClient.settle()
  expect(said.map(({ topic, event }) => [topic, event])).toEqual([
    [topic, 'system'],
    [topic, 'phx_close'],
    ['realtime:messages', 'system'],
    ['realtime:messages', 'phx_close'],
  ])
  expect((await annClient.join(topic, '4', gateway.tokenOf(ann), {})).payload.status).toBe('error')
  expect(gateway.gateway.stats().channels).toBe(2)
})

test('a membership that ends while a join is being decided prevents the join', async () => {
  let decide = (_: boolean) => {}
  const gateway = await start({
    isMember: () =>
      new Promise((resolve) => {
        decide = resolve
      }),
  })
  const client = await connect(gateway)
  client.send('1', '1', topic, 'phx_join', { config: {}, access_token: gateway.tokenOf(ann) })
  await client.settle()
  gateway.announce({ kind: 'membership_ended', conversationId: chat, userId: ann })
  decide(true)
  expect((await client.reply('1')).payload.status).toBe('error')
  expect(gateway.gateway.stats().channels).toBe(0)
})

test('a pending join answers heartbeats, holds its frames, and is ended by a newer join or a leave', async () => {
  const decisions: ((is: boolean) => void)[] = []
  const gateway = await start({ isMember: () => new Promise((resolve) => decisions.push(resolve)) })
  const client = await connect(gateway)
  const access_token = gateway.tokenOf(ann)
  const join = (ref: string) =>
    client.send(ref, ref, topic, 'phx_join', { config: { broadcast: { ack: true } }, access_token })
  join('1')
  join('2')
  expect((await client.reply('1')).payload).toMatchObject({ response: { reason: 'A newer join took its place' } })
  client.send('2', '3', topic, 'broadcast', says(typing))
  expect(await client.settle()).toEqual([])
  for (const decision of decisions.splice(0).reverse()) decision(true)
  expect((await client.next()).ref).toBe('2')
  expect((await client.reply('3')).payload.status).toBe('ok')
  join('4')
  await client.settle()
  client.send('4', '5', topic, 'phx_leave')
  expect((await client.reply('4')).payload).toMatchObject({ response: { reason: 'The channel was left' } })
  expect((await client.reply('5')).payload.status).toBe('ok')
  for (const decision of decisions) decision(true)
  await client.settle()
  expect(gateway.gateway.stats().channels).toBe(0)
})

test('a join is refused temporarily if memberships cannot be read', async () => {
  let works = false
  const gateway = await start({
    isMember: async () => {
      if (!works) throw new Error('no database')
      return true
    },
  })
  const client = await connect(gateway)
  const { payload } = await client.join(topic, '1', gateway.tokenOf(ann), {})
  expect(payload).toEqual({ status: 'error', response: { reason: 'Busy: please try again' } })
  expect(await client.settle()).toEqual([])
  expect(gateway.errors.splice(0)).toHaveLength(1)
  works = true
  expect((await client.join(topic, '2', gateway.tokenOf(ann), {})).payload.status).toBe('ok')
})

/** The gateway and the HTTP routes that the official client uses for a topic it has not joined. */
async function startWithHttp() {
  const gateway = await start()
  const http = await createServer(readConfig({ LOG_LEVEL: 'silent' }), pino({ level: 'silent' }))
  addErrorHandler(http)
  addBroadcastRoutes(http, { ...gateway, rateLimits: noRateLimits, ceilings: noRateLimits })
  gateway.gateway.attach(http.server)
  const origin = (await http.listen({ port: 0, host: '127.0.0.1' })).replace('http', 'ws')
  onTestFinished(() => http.close())
  return { ...gateway, origin }
}

test('a client that has not joined can broadcast over HTTP', async () => {
  const gateway = await startWithHttp()
  const annClient = await officialClient(gateway, ann)
  const listener = await enter(gateway, bob)
  const channel = annClient.channel(name, { config: { private: true } })
  expect(await channel.send({ type: 'broadcast', ...typing })).toBe('ok')
  expect((await listener.next()).payload).toEqual({ type: 'broadcast', ...typingOf(ann) })
  expect(await channel.httpSend('typing', typing.payload)).toEqual({ success: true })
  expect((await listener.next()).payload).toEqual({ type: 'broadcast', ...typingOf(ann) })
  await expect(channel.httpSend('typing', Uint8Array.of(1, 255).buffer)).rejects.toThrow('Unsupported Media Type')
  await expect(channel.httpSend('typing', { x: 'x'.repeat(200) })).rejects.toThrow('Unprocessable Entity')
  await expect(channel.httpSend('typing', { x: 'x'.repeat(2000) })).rejects.toThrow('Payload Too Large')
  expect(await listener.settle()).toEqual([])
})

test('a broadcast over HTTP is accepted from members only, for themselves, and for existing events', async () => {
  const gateway = await startWithHttp()
  const listener = await enter(gateway, bob)
  const url = `${gateway.origin.replace('ws', 'http')}/api/realtime/v1/api/broadcast`
  const post = async (path: string, body: unknown, as: UserId | null) => {
    const headers = {
      'content-type': 'application/json',
      ...(as && { authorization: `Bearer ${gateway.tokenOf(as)}` }),
    }
    return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status
  }
  const message = { topic: name, ...typing }
  expect(await post('', { messages: [message] }, null)).toBe(401)
  expect(await post('', { messages: [message] }, eve)).toBe(422)
  expect(await post('', { messages: [{ ...message, payload: {} }] }, eve)).toBe(404)
  expect(await post('', { messages: [message] }, bob)).toBe(422)
  expect(await post('', { messages: [{ ...message, topic: 'people' }] }, ann)).toBe(422)
  expect(await post('', { messages: [] }, ann)).toBe(422)
  expect(await post('', { messages: 'x' }, ann)).toBe(422)
  expect(await post(`/${name}/events/shouting`, {}, ann)).toBe(422)
  expect(await post(`/conversation:${other}/events/typing`, {}, ann)).toBe(404)
  expect(await listener.settle()).toEqual([])
  expect(await post(`/${name}/events/typing?private=true`, {}, ann)).toBe(202)
  expect((await listener.next()).payload).toEqual({ type: 'broadcast', ...typingOf(ann) })
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' },
  })
  expect(preflight.status).toBe(204)
})
