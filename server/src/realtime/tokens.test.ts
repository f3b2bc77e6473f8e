import { authLimits } from '@hither/contract/auth.ts'
import { expect, test } from 'vitest'
import { feedLogLimits } from './feed-log.ts'
import {
  ann,
  anyUser,
  bob,
  connect,
  deleted,
  eve,
  inserted,
  officialClient,
  sessionOf,
  startGateway,
  subscribe,
  type TestClient,
  type TestGateway,
  updated,
  userRow,
} from './harness.ts'

const topic = 'realtime:people'
const lifeMs = authLimits.accessTokenSeconds * 1000

/** Everything said on the topic since the last call, in short. */
async function heard(client: TestClient): Promise<string[]> {
  const frames = await client.settle()
  return frames.map(({ event, payload }) => {
    const { type, status } = { status: payload.status, ...(payload.data as { type?: string }) }
    return [event, type ?? status].filter(Boolean).join(' ')
  })
}

async function joined(gateway: TestGateway, token = gateway.tokenOf(ann)): Promise<TestClient> {
  const client = await connect(gateway)
  expect((await client.join(topic, '1', token)).payload.status).toBe('ok')
  return client
}

const renew = (client: TestClient, access_token: string | null) =>
  client.send('1', '5', topic, 'access_token', { access_token })

test('a token renewed in time is never answered and changes nothing', async () => {
  const gateway = await startGateway()
  const client = await joined(gateway)
  await client.settle()
  gateway.passTime(lifeMs - 1000)
  renew(client, gateway.tokenOf(ann))
  expect(await heard(client)).toEqual([])
  gateway.passTime(2000)
  gateway.publish(inserted(userRow(bob), [ann]))
  expect(await heard(client)).toEqual(['postgres_changes INSERT'])
})

test('after expiry nothing is delivered until the fresh token comes, and then all of it, in order', async () => {
  const gateway = await startGateway()
  const [client, other] = [await joined(gateway), await joined(gateway, gateway.tokenOf(bob))]
  await client.settle()
  gateway.passTime(lifeMs)
  renew(other, gateway.tokenOf(bob))
  await other.settle()
  const [off, on] = [userRow(eve), userRow(eve, { is_online: true })]
  gateway.publish(inserted(off, [ann, bob]), updated(on, off, [ann, bob]))
  expect(await heard(other)).toEqual(['postgres_changes INSERT', 'postgres_changes UPDATE'])
  expect(await heard(client)).toEqual([])
  renew(client, gateway.tokenOf(ann))
  expect(await heard(client)).toEqual(['system ok', 'postgres_changes INSERT', 'postgres_changes UPDATE'])
  gateway.publish(deleted(on, [ann]))
  expect(await heard(client)).toEqual(['postgres_changes DELETE'])
})

test('a row that was deleted while the token had expired is never shown, only its key', async () => {
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
  expect(await heard(client)).toEqual([])
})

test('where no fresh token comes the channel fails under its join_ref, and the client may rejoin', async () => {
  const gateway = await startGateway({ pingIntervalMs: 10 })
  const client = await joined(gateway)
  await client.settle()
  gateway.passTime(lifeMs + 49_000)
  await new Promise((resolve) => client.webSocket.once('ping', resolve))
  expect(await heard(client)).toEqual([])
  gateway.passTime(1000)
  expect((await client.next()).payload).toMatchObject({ status: 'error', message: 'The access token has expired' })
  expect(await client.next()).toEqual({ joinRef: '1', ref: '1', topic, event: 'phx_error', payload: {} })
  gateway.publish(inserted(userRow(bob), [ann]))
  expect(await heard(client)).toEqual([])
  expect((await client.join(topic, '2', gateway.tokenOf(ann))).payload.status).toBe('ok')
})

test('the official client rejoins by itself after a channel failed, with its new token', async () => {
  const gateway = await startGateway()
  const client = await officialClient(gateway, ann)
  const subscription = subscribe(client.channel('people'))
  await subscription.until('SUBSCRIBED')
  await client.setAuth(gateway.tokenOf(bob))
  await subscription.until('SUBSCRIBED', 2)
  expect(subscription.statuses.map(({ status }) => status)).toEqual(['SUBSCRIBED', 'CHANNEL_ERROR', 'SUBSCRIBED'])
})

test('too much for an expired token to hold fails the channel rather than lose single changes', async () => {
  const gateway = await startGateway()
  const client = await joined(gateway)
  await client.settle()
  gateway.passTime(lifeMs)
  for (let i = 0; i <= feedLogLimits.entriesMax; i++) gateway.publish(inserted(userRow(bob), [ann]))
  expect(await heard(client)).toEqual(['system error', 'phx_error'])
})

test('a tab that wakes up with its old token holds a place, and is served when the fresh one comes', async () => {
  const gateway = await startGateway()
  const old = gateway.tokenOf(ann)
  gateway.passTime(lifeMs + 23 * 3_600_000)
  const client = await joined(gateway, old)
  gateway.publish(inserted(userRow(bob), [ann]))
  expect(await heard(client)).toEqual([])
  renew(client, old)
  expect(await heard(client)).toEqual([])
  renew(client, gateway.tokenOf(ann))
  expect(await heard(client)).toEqual(['system ok', 'postgres_changes INSERT'])
})

test('a tab on probation whose fresh token does not come is told to join again', async () => {
  const gateway = await startGateway({ pingIntervalMs: 10 })
  const old = gateway.tokenOf(ann)
  gateway.passTime(lifeMs + 3_600_000)
  const client = await joined(gateway, old)
  await new Promise((resolve) => client.webSocket.once('ping', resolve))
  expect(await heard(client)).toEqual([])
  gateway.passTime(50_000)
  await client.next(({ event }) => event === 'phx_error')
})

test('a token expired for more than a day holds no place', async () => {
  const gateway = await startGateway()
  const old = gateway.tokenOf(ann)
  gateway.passTime(lifeMs + 24 * 3_600_000 + 1)
  const client = await connect(gateway)
  const { payload } = await client.join(topic, '1', old)
  expect(payload).toMatchObject({ status: 'error', response: { reason: 'Unauthorized: the access token has expired' } })
  expect(await heard(client)).toEqual([])
})

test('a channel does not change hands: the token of another person fails it', async () => {
  const gateway = await startGateway()
  const client = await joined(gateway)
  await client.settle()
  renew(client, gateway.tokenOf(bob))
  expect(await heard(client)).toEqual(['system error', 'phx_error'])
  gateway.publish(inserted(userRow(eve), [ann, bob]))
  expect(await heard(client)).toEqual([])
})

test('a forged token fails the channel, a key of an app is passed over', async () => {
  const gateway = await startGateway()
  const client = await joined(gateway)
  await client.settle()
  renew(client, 'sb_publishable_x')
  expect(await heard(client)).toEqual([])
  renew(client, 'forged')
  expect(await heard(client)).toEqual(['system error', 'phx_error'])
})

test('the token of an ended session closes the channel for good', async () => {
  const gateway = await startGateway()
  const client = await joined(gateway)
  await client.settle()
  const token = gateway.tokenOf(ann, sessionOf(eve))
  gateway.tokens.revoke([sessionOf(eve)])
  renew(client, token)
  expect(await heard(client)).toEqual(['system error', 'phx_close'])
  const { payload } = await client.join(topic, '2', token)
  expect(payload).toMatchObject({ status: 'error', response: { reason: 'Unauthorized: the session has ended' } })
  expect(await heard(client)).toEqual(['phx_close'])
})

test('who signs out hears nothing more, and must join anew when signing in again', async () => {
  const gateway = await startGateway()
  const client = await joined(gateway)
  await client.settle()
  renew(client, null)
  await client.settle()
  gateway.publish(inserted(userRow(bob), [ann]))
  expect(await heard(client)).toEqual([])
  renew(client, gateway.tokenOf(ann))
  expect(await heard(client)).toEqual(['system error', 'phx_error'])
})

test('a session that was renewed into is the one that ends the socket', async () => {
  const gateway = await startGateway()
  const client = await joined(gateway)
  renew(client, gateway.tokenOf(ann, sessionOf(eve)))
  await client.settle()
  gateway.announce({ kind: 'sessions_ended', sessionIds: [sessionOf(ann)] })
  expect(await heard(client)).toEqual([])
  gateway.announce({ kind: 'sessions_ended', sessionIds: [sessionOf(eve)] })
  expect(await client.closed).toBe(4001)
})

test('a probation join of the official client heals by the token it sends after the reply', async () => {
  const gateway = await startGateway()
  const client = await officialClient(gateway, null)
  let token = gateway.tokenOf(ann)
  client.accessToken = async () => token
  await client.setAuth()
  gateway.passTime(lifeMs + 60_000)
  const channel = client.channel('people')
  const heard = new Promise((resolve) => {
    channel.on('postgres_changes', { ...anyUser, event: '*' }, resolve)
  })
  const subscription = subscribe(channel)
  token = gateway.tokenOf(ann)
  await subscription.until('SUBSCRIBED')
  gateway.publish(inserted(userRow(bob), [ann]))
  expect(await heard).toMatchObject({ eventType: 'INSERT' })
  expect(subscription.statuses.map(({ status }) => status)).toEqual(['SUBSCRIBED'])
})

test.each([null, 'a client that names itself'])(
  'a clock that was an hour ahead for a while costs %s nothing that happened meanwhile',
  async (clientId) => {
    const gateway = await startGateway()
    const client = await connect(gateway, { clientId })
    await client.join(topic, '1', gateway.tokenOf(ann))
    const told = async (username: string) => {
      await gateway.publish(inserted(userRow(bob, { username }), [ann]))
      return (await client.settle()).flatMap(({ payload }) => {
        const { record } = (payload.data ?? {}) as { record?: { username: string } }
        return record ? [record.username] : []
      })
    }
    expect(await told('before')).toEqual(['before'])
    gateway.passTime(lifeMs)
    expect(await told('meanwhile')).toEqual([])
    gateway.passTime(-lifeMs)
    expect(await told('after')).toEqual(['meanwhile', 'after'])
  },
)
