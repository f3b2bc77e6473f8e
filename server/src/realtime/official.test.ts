import { type ConversationId, type MessageId } from '@hither/contract/ids.ts'
import { RealtimeClient } from '@supabase/realtime-js'
import { expect, onTestFinished, test } from 'vitest'
import {
  ann,
  bob,
  committedAt,
  createLine,
  inserted,
  officialClient,
  startGateway,
  subscribe,
  userRow,
} from './harness.ts'
import { type Vsn } from './protocol.ts'

// What the official client does by itself, and what its app is told of it. Feeds, broadcasts, presence and tokens have
// suites of their own.

const versions: readonly Vsn[] = ['1.0.0', '2.0.0']
const quickly = { reconnectAfterMs: () => 10 }
const everyone = { event: '*', schema: 'public', table: 'users' } as const

test('an endpoint of the self-hosted kind works too', async () => {
  const gateway = await startGateway()
  const client = new RealtimeClient(`${gateway.origin}/socket`, { params: { apikey: 'any text' } })
  onTestFinished(async () => void (await client.disconnect()))
  await client.setAuth(gateway.tokenOf(ann))
  await subscribe(client.channel('people')).until('SUBSCRIBED')
})

test.each(versions)('in version %s ten channels of one socket join, and all rejoin after a drop', async (vsn) => {
  const gateway = await startGateway()
  const line = await createLine(gateway)
  const client = await officialClient({ ...gateway, origin: line.origin }, ann, vsn, quickly)
  const names = Array.from({ length: 10 }, (_, index) => `people-${index}`)
  const heard: string[] = []
  const channels = names.map((name) => {
    const channel = client.channel(name)
    channel.on('postgres_changes', everyone, () => heard.push(name))
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
  expect(heard).toEqual(names)
})

test('joins that were buffered while there was no server end in one channel each', async () => {
  const gateway = await startGateway()
  const line = await createLine(gateway)
  line.setOpen(false)
  const client = await officialClient({ ...gateway, origin: line.origin }, ann, '2.0.0', quickly)
  const subscription = subscribe(client.channel('people'))
  await subscription.until('CHANNEL_ERROR')
  line.setOpen(true)
  await subscription.until('SUBSCRIBED')
  await heartbeat(client)
  expect(subscription.statuses.at(-1)?.status).toBe('SUBSCRIBED')
  expect(gateway.gateway.stats()).toEqual({ sockets: 1, channels: 1 })
})

test('a join that is answered too late for its client is tried again, and ends in one channel', async () => {
  let calls = 0
  let answer = (_: boolean) => {}
  const isMember = async () =>
    ++calls > 1 ||
    new Promise<boolean>((resolve) => {
      answer = resolve
    })
  const gateway = await startGateway({ isMember })
  const client = await officialClient(gateway, ann, '2.0.0', { timeout: 100 })
  const subscription = subscribe(client.channel('conversation:0190a0a0-0000-7000-8000-0000000000c1'))
  await subscription.until('TIMED_OUT')
  await subscription.until('SUBSCRIBED')
  answer(true)
  await heartbeat(client)
  expect(subscription.statuses.map(({ status }) => status)).toEqual(['TIMED_OUT', 'SUBSCRIBED'])
  expect(gateway.gateway.stats()).toEqual({ sockets: 1, channels: 1 })
})

test('a first join without a token costs one error, and heals by itself', async () => {
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

test('a channel that was left is gone, and one of the same name can be joined after it', async () => {
  const gateway = await startGateway()
  const client = await officialClient(gateway, ann)
  for (let i = 0; i < 3; i++) {
    const channel = client.channel('people')
    const subscription = subscribe(channel)
    await subscription.until('SUBSCRIBED')
    expect(await client.removeChannel(channel)).toBe('ok')
    expect(subscription.statuses.map(({ status }) => status)).toEqual(['SUBSCRIBED', 'CLOSED'])
  }
  const last = subscribe(client.channel('people'))
  await last.until('SUBSCRIBED')
  expect(gateway.gateway.stats()).toEqual({ sockets: 1, channels: 1 })
})

test('all that a channel may ask for at once is granted, and numbers come as they are', async () => {
  const gateway = await startGateway({ isMember: async () => true })
  const client = await officialClient(gateway, ann)
  const id = '0190a0a0-0000-7000-8000-0000000000c1' as ConversationId
  const channel = client.channel(`conversation:${id}`, {
    config: { private: true, broadcast: { ack: true, self: true }, presence: { key: 'ann', enabled: true } },
  })
  const heard = new Promise<unknown>((resolve) => {
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
    content: '{a,b} t 1.10',
    created_at: '2026-11-21 12:00:00+00',
    seq: 9007199254740991,
    client_id: null,
  }
  gateway.publish({ table: 'messages', type: 'INSERT', record, oldRecord: null, audience: [ann], committedAt })
  expect(await heard).toEqual(record)
})

test('a server that stops sends its clients away, and they come to the next by themselves', async () => {
  const [first, second] = [await startGateway(), await startGateway()]
  const line = await createLine(first)
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
