import type { UserId } from '@hither/contract/ids.ts'
import { authLimits } from '@hither/contract/runtime/auth/auth.ts'
import { expect, test } from 'vitest'
import { officialClient, subscribe } from '../../../test/official-client.ts'
import {
  ann,
  anyUser,
  bob,
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
import { replayLimits } from '../subscriptions/replay.ts'

const topic = 'realtime:people'
const lifeMs = authLimits.accessTokenSeconds * 1000

/** Returns all messages on the topic since the last call, abbreviated. */
async function receivedEvents(client: TestClient): Promise<string[]> {
  const frames = await client.settle()
  return frames.map(({ event, payload }) => {
    const { type, status } = { status: payload.status, ...(payload.data as { type?: string }) }
    const extension = payload.extension === 'postgres_changes' ? null : payload.extension
    return [event, type ?? extension ?? status].filter(Boolean).join(' ')
  })
}

async function joined(gateway: TestGateway, token = gateway.tokenOf(ann)): Promise<TestClient> {
  const client = await connect(gateway)
  expect((await client.join(topic, '1', token)).payload.status).toBe('ok')
  return client
}

const renew = (client: TestClient, access_token: string | null) =>
  client.send('1', '5', topic, 'access_token', { access_token })

test('a token renewed in time gets no reply and changes nothing', async () => {
  const gateway = await startGateway()
  const client = await joined(gateway)
  await client.settle()
  gateway.passTime(lifeMs - 1000)
  renew(client, gateway.tokenOf(ann))
  expect(await receivedEvents(client)).toEqual([])
  gateway.passTime(2000)
  gateway.publish(inserted(userRow(bob), [ann]))
  expect(await receivedEvents(client)).toEqual(['postgres_changes INSERT'])
})

test('changes after expiry are deferred until the fresh token arrives and then delivered in order', async () => {
  const gateway = await startGateway()
  const [client, other] = [await joined(gateway), await joined(gateway, gateway.tokenOf(bob))]
  await client.settle()
  gateway.passTime(lifeMs)
  renew(other, gateway.tokenOf(bob))
  await other.settle()
  const [off, on] = [userRow(eve), userRow(eve, { is_online: true })]
  gateway.publish(inserted(off, [ann, bob]), updated(on, off, [ann, bob]))
  expect(await receivedEvents(other)).toEqual(['postgres_changes INSERT', 'postgres_changes UPDATE'])
  expect(await receivedEvents(client)).toEqual([])
  renew(client, gateway.tokenOf(ann))
  expect(await receivedEvents(client)).toEqual([
    'system ok',
    'postgres_changes INSERT',
    'postgres_changes UPDATE',
    'system position',
  ])
  gateway.publish(deleted(on, [ann]))
  expect(await receivedEvents(client)).toEqual(['postgres_changes DELETE'])
})

test('a row deleted while the token was expired is delivered as a DELETE with its key only', async () => {
  const gateway = await startGateway()
  const client = await joined(gateway)
  await client.settle()
  gateway.passTime(lifeMs)
  gateway.publish(inserted(userRow(bob), [ann]), inserted(userRow(eve), [ann]), deleted(userRow(bob), [ann]))
  renew(client, gateway.tokenOf(ann))
  expect((await client.next()).event).toBe('system')
  expect((await client.change()).record).toEqual(userRow(eve))
  const change = await client.change()
  expect([change.type, change.old_record]).toEqual(['DELETE', { id: bob }])
  expect(await receivedEvents(client)).toEqual(['system position'])
})

test('a channel without a fresh token fails under its join_ref, and the client may rejoin', async () => {
  const gateway = await startGateway({ pingIntervalMs: 10 })
  const client = await joined(gateway)
  await client.settle()
  gateway.passTime(lifeMs + 49_000)
  await new Promise((resolve) => client.webSocket.once('ping', resolve))
  expect(await receivedEvents(client)).toEqual([])
  gateway.passTime(1000)
  expect((await client.next()).payload).toMatchObject({ status: 'error', message: 'The access token has expired' })
  expect(await client.next()).toEqual({ joinRef: '1', ref: '1', topic, event: 'phx_error', payload: {} })
  gateway.publish(inserted(userRow(bob), [ann]))
  expect(await receivedEvents(client)).toEqual([])
  expect((await client.join(topic, '2', gateway.tokenOf(ann))).payload.status).toBe('ok')
})

test('the official client rejoins with its new token after a channel failed', async () => {
  const gateway = await startGateway()
  const client = await officialClient(gateway, ann)
  const subscription = subscribe(client.channel('people'))
  await subscription.until('SUBSCRIBED')
  await client.setAuth(gateway.tokenOf(bob))
  await subscription.until('SUBSCRIBED', 2)
  expect(subscription.statuses.map(({ status }) => status)).toEqual(['SUBSCRIBED', 'CHANNEL_ERROR', 'SUBSCRIBED'])
})

test('a client has to refetch if more changes are deferred for an expired token than a replay contains', async () => {
  const gateway = await startGateway()
  const client = await joined(gateway)
  await client.settle()
  gateway.passTime(lifeMs)
  for (let i = 0; i <= replayLimits.changesMax; i++) gateway.publish(inserted(userRow(bob), [ann]))
  expect(await receivedEvents(client)).toEqual([])
  renew(client, gateway.tokenOf(ann))
  expect(await receivedEvents(client)).toEqual(['system ok', 'system resync', 'system position'])
})

test('a join with an expired token is accepted and receives changes once the fresh token arrives', async () => {
  const gateway = await startGateway()
  const old = gateway.tokenOf(ann)
  gateway.passTime(lifeMs + 23 * 3_600_000)
  const client = await joined(gateway, old)
  gateway.publish(inserted(userRow(bob), [ann]))
  expect(await receivedEvents(client)).toEqual([])
  renew(client, old)
  expect(await receivedEvents(client)).toEqual([])
  renew(client, gateway.tokenOf(ann))
  // Without a position, the client has to refetch what came before its join.
  expect(await receivedEvents(client)).toEqual([
    'system ok',
    'system resync',
    'postgres_changes INSERT',
    'system position',
  ])
})

test('a channel joined with an expired token fails if no fresh token arrives', async () => {
  const gateway = await startGateway({ pingIntervalMs: 10 })
  const old = gateway.tokenOf(ann)
  gateway.passTime(lifeMs + 3_600_000)
  const client = await joined(gateway, old)
  await new Promise((resolve) => client.webSocket.once('ping', resolve))
  expect(await receivedEvents(client)).toEqual([])
  gateway.passTime(50_000)
  await client.next(({ event }) => event === 'phx_error')
})

test('a join with a token that expired more than a day ago is refused', async () => {
  const gateway = await startGateway()
  const old = gateway.tokenOf(ann)
  gateway.passTime(lifeMs + 24 * 3_600_000 + 1)
  const client = await connect(gateway)
  const { payload } = await client.join(topic, '1', old)
  expect(payload).toMatchObject({ status: 'error', response: { reason: 'Unauthorized: the access token has expired' } })
  expect(await receivedEvents(client)).toEqual([])
})

test('a token of another user fails the channel', async () => {
  const gateway = await startGateway()
  const client = await joined(gateway)
  await client.settle()
  renew(client, gateway.tokenOf(bob))
  expect(await receivedEvents(client)).toEqual(['system error', 'phx_error'])
  gateway.publish(inserted(userRow(eve), [ann, bob]))
  expect(await receivedEvents(client)).toEqual([])
})

test('a forged token fails the channel, an API key is ignored', async () => {
  const gateway = await startGateway()
  const client = await joined(gateway)
  await client.settle()
  renew(client, 'sb_publishable_x')
  expect(await receivedEvents(client)).toEqual([])
  renew(client, 'forged')
  expect(await receivedEvents(client)).toEqual(['system error', 'phx_error'])
})

test('a token of an ended session closes the channel permanently', async () => {
  const gateway = await startGateway()
  const client = await joined(gateway)
  await client.settle()
  const token = gateway.tokenOf(ann, sessionOf(eve))
  gateway.tokens.revoke([sessionOf(eve)])
  renew(client, token)
  expect(await receivedEvents(client)).toEqual(['system error', 'phx_close'])
  const { payload } = await client.join(topic, '2', token)
  expect(payload).toMatchObject({ status: 'error', response: { reason: 'Unauthorized: the session has ended' } })
  expect(await receivedEvents(client)).toEqual(['phx_close'])
})

test('a channel receives nothing after sign-out and must rejoin after the next sign-in', async () => {
  const gateway = await startGateway()
  const client = await joined(gateway)
  await client.settle()
  renew(client, null)
  await client.settle()
  gateway.publish(inserted(userRow(bob), [ann]))
  expect(await receivedEvents(client)).toEqual([])
  renew(client, gateway.tokenOf(ann))
  expect(await receivedEvents(client)).toEqual(['system error', 'phx_error'])
})

test('the socket ends with the session of the renewed token, not with the first one', async () => {
  const gateway = await startGateway()
  const client = await joined(gateway)
  renew(client, gateway.tokenOf(ann, sessionOf(eve)))
  await client.settle()
  gateway.announce({ kind: 'sessions_ended', sessionIds: [sessionOf(ann)] })
  expect(await receivedEvents(client)).toEqual([])
  gateway.announce({ kind: 'sessions_ended', sessionIds: [sessionOf(eve)] })
  expect(await client.closed).toBe(4001)
})

test('the official client recovers from a join with an expired token by sending the fresh one', async () => {
  const gateway = await startGateway()
  const client = await officialClient(gateway, null)
  let token = gateway.tokenOf(ann)
  client.accessToken = async () => token
  await client.setAuth()
  gateway.passTime(lifeMs + 60_000)
  const channel = client.channel('people')
  const receivedEvents = new Promise((resolve) => {
    channel.on('postgres_changes', { ...anyUser, event: '*' }, resolve)
  })
  const subscription = subscribe(channel)
  token = gateway.tokenOf(ann)
  await subscription.until('SUBSCRIBED')
  gateway.publish(inserted(userRow(bob), [ann]))
  expect(await receivedEvents).toMatchObject({ eventType: 'INSERT' })
  expect(subscription.statuses.map(({ status }) => status)).toEqual(['SUBSCRIBED'])
})

test('a clock that was an hour ahead for a while loses and repeats no changes', async () => {
  const gateway = await startGateway()
  const client = await joined(gateway)
  const received = async (...usernames: string[]) => {
    const rows = usernames.map((username) => userRow(idOf(username), { username }))
    await gateway.publish(...rows.map((row) => inserted(row, [ann])))
    return (await client.settle()).flatMap(({ payload }) => {
      const { record } = (payload.data ?? {}) as { record?: { username: string } }
      return record ? [record.username] : []
    })
  }
  expect(await received('before')).toEqual(['before'])
  gateway.passTime(lifeMs)
  expect(await received('meanwhile')).toEqual([])
  gateway.passTime(-lifeMs)
  // Both are in one row: the replay before the first one contains the second.
  expect(await received('after', 'last')).toEqual(['meanwhile', 'after', 'last'])
})

const idOf = (username: string) =>
  `0190a0a0-0000-7000-8000-${Buffer.from(username).toString('hex').padStart(12, '0').slice(-12)}` as UserId
