import type { ConversationId, MessageId } from '@hither/contract/ids.ts'
import { RealtimeClient } from '@supabase/realtime-js'
import { expect, onTestFinished, test } from 'vitest'
import { countingTransport, officialClient, openProxy, subscribe } from '../../../test/official-client.ts'
import { ann, bob, committedAt, inserted, startGateway, userRow } from '../harness.ts'
import type { Vsn } from './protocol.ts'

// These tests check what the official client does by itself, and what it reports to its app. Feeds, broadcasts,
// presence and tokens have their own test files.

const versions: readonly Vsn[] = ['1.0.0', '2.0.0']
const quickly = { reconnectAfterMs: () => 10 }
const everyone = { event: '*', schema: 'public', table: 'users' } as const

test('the client connects to the endpoint path of a self-hosted Supabase', async () => {
  const gateway = await startGateway()
  const client = new RealtimeClient(`${gateway.origin}/socket`, { params: { apikey: 'any text' } })
  onTestFinished(async () => void (await client.disconnect()))
  await client.setAuth(gateway.tokenOf(ann))
  await subscribe(client.channel('people')).until('SUBSCRIBED')
})

test.each(versions)(
  'in version %s ten channels of one socket join, and all rejoin after the connection is lost',
  async (vsn) => {
    const gateway = await startGateway()
    const line = await openProxy(gateway)
    const client = await officialClient({ ...gateway, origin: line.origin }, ann, vsn, quickly)
    const names = Array.from({ length: 10 }, (_, index) => `people-${index}`)
    const receivedChanges: string[] = []
    const channels = names.map((name) => {
      const channel = client.channel(name)
      channel.on('postgres_changes', everyone, () => receivedChanges.push(name))
      return channel
    })
    const subscriptions = channels.map(subscribe)
    await Promise.all(subscriptions.map(({ until }) => until('SUBSCRIBED')))
    expect(gateway.gateway.stats()).toEqual({ sockets: 1, channels: 10 })
    line.cut()
    await Promise.all(subscriptions.map(({ until }) => until('SUBSCRIBED', 2)))
    for (const { statuses } of subscriptions)
      expect(statuses.map(({ status }) => status)).toEqual(['SUBSCRIBED', 'CHANNEL_ERROR', 'SUBSCRIBED'])
    gateway.publish(inserted(userRow(bob), [ann]))
    await heartbeat(client)
    expect(receivedChanges).toEqual(names)
  },
)

test('joins that were buffered without a server result in one channel each', async () => {
  const gateway = await startGateway()
  const line = await openProxy(gateway)
  line.set('closed')
  const client = await officialClient({ ...gateway, origin: line.origin }, ann, '2.0.0', quickly)
  const subscription = subscribe(client.channel('people'))
  await subscription.until('CHANNEL_ERROR')
  line.set('open')
  await subscription.until('SUBSCRIBED')
  await heartbeat(client)
  expect(subscription.statuses.at(-1)?.status).toBe('SUBSCRIBED')
  expect(gateway.gateway.stats()).toEqual({ sockets: 1, channels: 1 })
})

test('a join whose reply comes too late is retried and results in one channel', async () => {
  let calls = 0
  let answer = (_: boolean) => {}
  const isMember = async () =>
    ++calls > 1 ||
    new Promise<boolean>((resolve) => {
      answer = resolve
    })
  const gateway = await startGateway({ isMember })
  const client = await officialClient(gateway, ann, '2.0.0', { timeout: 2000 })
  const subscription = subscribe(client.channel('conversation:0190a0a0-0000-7000-8000-0000000000c1'))
  await subscription.until('TIMED_OUT')
  await subscription.until('SUBSCRIBED')
  answer(true)
  await heartbeat(client)
  expect(subscription.statuses.map(({ status }) => status)).toEqual(['TIMED_OUT', 'SUBSCRIBED'])
  expect(gateway.gateway.stats()).toEqual({ sockets: 1, channels: 1 })
})

test('a first join without a token reports one error and recovers by itself', async () => {
  const gateway = await startGateway()
  const client = await officialClient(gateway, null)
  client.accessToken = async () => gateway.tokenOf(ann)
  const subscription = subscribe(client.channel('people'))
  await subscription.until('SUBSCRIBED')
  const [first, ...others] = subscription.statuses
  expect(first).toMatchObject({
    status: 'CHANNEL_ERROR',
    reason: expect.stringContaining('no access token in the join'),
  })
  expect(others.map(({ status }) => status)).toEqual(['SUBSCRIBED'])
})

test('a channel that was left is closed, and the same topic can be joined again', async () => {
  const gateway = await startGateway()
  const { sockets, transport } = countingTransport()
  const client = await officialClient(gateway, ann, '2.0.0', { transport })
  for (let i = 0; i < 3; i++) {
    const channel = client.channel('people')
    const subscription = subscribe(channel)
    await subscription.until('SUBSCRIBED')
    expect(await client.removeChannel(channel)).toBe('ok')
    expect(subscription.statuses.map(({ status }) => status)).toEqual(['SUBSCRIBED', 'CLOSED'])
  }
  const last = subscribe(client.channel('people'))
  await last.until('SUBSCRIBED')
  expect(gateway.gateway.stats().channels).toBe(1)
  expect(sockets).toHaveLength(1)
})

test('a channel with all options at once works, and numbers keep their values', async () => {
  const gateway = await startGateway({ isMember: async () => true })
  const client = await officialClient(gateway, ann)
  const id = '0190a0a0-0000-7000-8000-0000000000c1' as ConversationId
  const channel = client.channel(`conversation:${id}`, {
    config: { private: true, broadcast: { ack: true, self: true }, presence: { key: 'ann', enabled: true } },
  })
  const receivedChanges = new Promise<unknown>((resolve) => {
    const messages = {
      event: 'INSERT',
      schema: 'public',
      table: 'messages',
      filter: `conversation_id=eq.${id}`,
    } as const
    channel.on('postgres_changes', messages, (change) => resolve(change.new))
    channel.on('postgres_changes', everyone, () => {})
    channel.on('postgres_changes', { event: '*', schema: '*' }, () => {})
  })
  await subscribe(channel).until('SUBSCRIBED')
  expect(await channel.send({ type: 'broadcast', event: 'typing', payload: {} })).toBe('ok')
  expect(await channel.track({ online_at: 'now' })).toBe('ok')
  expect(await channel.untrack()).toBe('ok')
  const record = {
    id: id as string as MessageId,
    conversation_id: id,
    sender_id: bob,
    sender_username: 'bob',
    sender_display_name: null,
    content: '{a,b} t 1.10',
    created_at: '2026-11-21 12:00:00+00',
    seq: 9007199254740991,
    client_id: null,
    edited_at: null,
    reply_to: null,
    attachment: null,
  }
  gateway.publish({ table: 'messages', type: 'INSERT', record, oldRecord: null, audience: [ann], committedAt })
  expect(await receivedChanges).toEqual(record)
})

test('clients of a server that stops reconnect to the next server by themselves', async () => {
  const [first, second] = [await startGateway(), await startGateway()]
  const line = await openProxy(first)
  const client = await officialClient({ ...first, origin: line.origin }, ann, '2.0.0', quickly)
  const subscription = subscribe(client.channel('people'))
  await subscription.until('SUBSCRIBED')
  line.setTarget(second)
  await first.gateway.stop()
  await subscription.until('SUBSCRIBED', 2)
  expect(subscription.statuses[1]?.reason).toContain('1012')
  expect(second.gateway.stats()).toEqual({ sockets: 1, channels: 1 })
})

/** Resolves once everything sent before has been handled. */
function heartbeat(client: RealtimeClient): Promise<void> {
  return new Promise((resolve) => {
    client.onHeartbeat((status) => status === 'ok' && resolve())
    client.sendHeartbeat()
  })
}
