import type { UserId } from '@hither/contract/ids.ts'
import { describe, expect, test } from 'vitest'
import { officialClient, subscribe } from '../../../test/official-client.ts'
import type { GatewayDeps } from '../gateway/gateway.ts'
import { shareLimits } from '../gateway/shares.ts'
import { ann, bob, connect, eve, sessionOf, startGateway, type TestClient, type TestGateway } from '../harness.ts'
import type { Frame } from '../protocol/protocol.ts'

const topic = 'realtime:online-users'
const now = '2026-11-21T12:00:00.000Z'
const withPresence = { presence: { enabled: true, key: 'forged' } }

/** Ann and bob are friends, and eve has no friends, until a test changes that. */
async function start(options: Partial<GatewayDeps> = {}) {
  const friends = new Map<UserId, UserId[]>([
    [ann, [bob]],
    [bob, [ann]],
  ])
  const online: string[] = []
  const gateway = await startGateway({
    friendsOf: async (userId) => friends.get(userId) ?? [],
    onOnlineChange: (userId, isOnline) => online.push(`${userId.at(-1)} ${isOnline ? 'on' : 'off'}`),
    presenceGraceMs: 40,
    ...options,
  })
  return { ...gateway, friends, online }
}

/** Joins, and consumes all frames up to the presence state. */
async function enter(gateway: TestGateway, userId: UserId, config: object = withPresence) {
  const client = await connect(gateway)
  await client.join(topic, '1', gateway.tokenOf(userId), { ...config })
  const state = await client.next(({ event }) => event === 'presence_state')
  return { client, state: state.payload }
}

function track(client: TestClient, event = 'track', payload: object = {}) {
  client.send('1', '7', topic, 'presence', { type: 'presence', event, payload })
}

const isDiff = ({ event }: Frame) => event === 'presence_diff'
const metaOf = (userId: UserId) => ({ phx_ref: expect.stringMatching(/./), user_id: userId, online_at: now })
const shown = (userId: UserId) => ({ [userId]: { metas: [metaOf(userId)] } })

test('friends see each other under their user id, whatever the payload claims, and others see nothing', async () => {
  const gateway = await start()
  const { client: annClient } = await enter(gateway, ann)
  const { client: bobClient } = await enter(gateway, bob)
  const { client: eveClient } = await enter(gateway, eve)
  track(annClient, 'TRACK', { user_id: eve, online_at: 'never', phone: '1' })
  expect((await annClient.reply('7')).payload).toEqual({ status: 'ok', response: {} })
  const diff = { joinRef: null, ref: null, topic, event: 'presence_diff', payload: { joins: shown(ann), leaves: {} } }
  expect(await annClient.next(isDiff)).toEqual(diff)
  expect(await bobClient.next(isDiff)).toEqual(diff)
  expect(await eveClient.settle()).toEqual([])
  expect((await enter(gateway, bob)).state).toEqual(shown(ann))
  expect((await enter(gateway, ann)).state).toEqual(shown(ann))
  expect((await enter(gateway, eve)).state).toEqual({})
  expect(await gateway.presenceStore.onlineAmong([ann, bob])).toEqual(new Set([ann]))
})

test('the official client sees a friend come online and go offline', async () => {
  const gateway = await start()
  const [annClient, bobClient] = [await officialClient(gateway, ann), await officialClient(gateway, bob)]
  const annChannel = annClient.channel('online-users')
  await subscribe(annChannel).until('SUBSCRIBED')
  const bobChannel = bobClient.channel('online-users', { config: { presence: { key: bob } } })
  const seen: string[][] = []
  let wake = () => {}
  bobChannel.on('presence', { event: 'sync' }, () => {
    seen.push(Object.keys(bobChannel.presenceState()))
    wake()
  })
  const synced = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  const first = synced()
  await subscribe(bobChannel).until('SUBSCRIBED')
  await first
  const second = synced()
  expect(await annChannel.track({ user_id: ann, online_at: now })).toBe('ok')
  await second
  const third = synced()
  expect(await annChannel.untrack()).toBe('ok')
  await third
  expect(seen).toEqual([[], [ann], []])
})

test('a channel without presence receives none, but its user can be tracked', async () => {
  const gateway = await start()
  const { client: bobClient } = await enter(gateway, bob)
  const annClient = await connect(gateway)
  await annClient.join(topic, '1', gateway.tokenOf(ann), {})
  track(annClient)
  await bobClient.next(isDiff)
  expect((await annClient.settle()).map(({ event }) => event)).toEqual(['system', 'phx_reply'])
})

test.each([
  [{}, true],
  [{ presence: null }, true],
  [{ presence: { key: '' } }, true],
  [{ presence: { enabled: null } }, true],
  [{ presence: { enabled: 'perhaps' } }, true],
  [{ presence: { enabled: 'constructor' } }, true],
  [{ presence: { enabled: { toString: 1 } } }, true],
  [{ presence: { enabled: 'True' } }, true],
  [{ presence: { enabled: true } }, true],
  [{ presence: { enabled: false } }, false],
  [{ presence: { enabled: 'false' } }, false],
  [{ presence: { enabled: 'False' } }, false],
])('presence is on unless a client turns it off: %j', async (config, isOn) => {
  const gateway = await start()
  const { client: bobClient } = await enter(gateway, bob)
  track(bobClient)
  await bobClient.next(isDiff)
  const annClient = await connect(gateway)
  // Not the helper, which turns presence off by itself.
  annClient.send('1', '1', topic, 'phx_join', { config, access_token: gateway.tokenOf(ann) })
  expect((await annClient.reply('1')).payload.status).toBe('ok')
  await annClient.settle()
  track(annClient)
  await bobClient.next(isDiff)
  const own = await annClient.settle()
  expect(own.map(({ event }) => event)).toEqual(isOn ? ['phx_reply', 'presence_diff'] : ['phx_reply'])
})

test('a user who comes and goes all the time is shown to friends at a limited rate, over all sockets', async () => {
  const gateway = await start()
  const { client: bobClient } = await enter(gateway, bob)
  const { max, seconds } = shareLimits.tracks
  const clients = [(await enter(gateway, ann)).client, (await enter(gateway, ann)).client] as const
  for (let i = 0; i < max; i++)
    for (const event of ['track', 'untrack']) {
      track(clients[i % 2 === 0 ? 0 : 1], event)
      await bobClient.next(isDiff)
    }
  for (const client of clients) await client.settle()
  const refused = { status: 'error', response: { reason: 'Busy: too many presence changes' } }
  for (const client of clients) {
    track(client)
    expect((await client.reply('7')).payload).toEqual(refused)
  }
  expect(await bobClient.settle()).toEqual([])
  gateway.passTime((seconds * 1000) / max)
  track(clients[0])
  await bobClient.next(isDiff)
})

test('tracking again sends nothing, and a user is offline when the last tab has left', async () => {
  const gateway = await start()
  const { client: bobClient } = await enter(gateway, bob)
  const [{ client: one }, { client: two }] = [await enter(gateway, ann), await enter(gateway, ann)]
  for (const client of [one, one, two]) {
    track(client)
    await client.reply('7')
  }
  expect((await bobClient.settle()).map(({ payload }) => payload)).toEqual([
    { joins: shown(ann), leaves: {} },
    { joins: shown(ann), leaves: {} },
  ])
  track(one, 'untrack')
  expect((await bobClient.next(isDiff)).payload).toEqual({ joins: {}, leaves: shown(ann) })
  expect((await enter(gateway, bob)).state).toEqual(shown(ann))
  two.send('1', '9', topic, 'phx_leave')
  expect((await bobClient.next(isDiff)).payload).toEqual({ joins: {}, leaves: shown(ann) })
  expect((await enter(gateway, bob)).state).toEqual({})
  expect(gateway.online).toEqual(['a on', 'a off'])
})

test('a socket closed on purpose ends the presence at once', async () => {
  const gateway = await start({ presenceGraceMs: 60_000 })
  const { client: bobClient } = await enter(gateway, bob)
  const { client: annClient } = await enter(gateway, ann)
  track(annClient)
  await bobClient.next(isDiff)
  annClient.webSocket.close(1001)
  expect((await bobClient.next(isDiff)).payload).toEqual({ joins: {}, leaves: shown(ann) })
})

describe.each([
  ['drops', (client: TestClient) => client.webSocket.terminate()],
  [
    'is closed by its client after an unanswered heartbeat',
    (client: TestClient) => client.webSocket.close(1000, 'heartbeat timeout'),
  ],
])('a socket that %s', (_, drop) => {
  async function dropAnn(presenceGraceMs: number) {
    const gateway = await start({ presenceGraceMs })
    const { client: bobClient } = await enter(gateway, bob)
    const { client: annClient } = await enter(gateway, ann)
    track(annClient)
    await bobClient.next(isDiff)
    drop(annClient)
    await annClient.closed
    return { gateway, bobClient }
  }

  test('keeps its user online during the grace time', async () => {
    const { gateway, bobClient } = await dropAnn(60_000)
    expect((await enter(gateway, bob)).state).toEqual(shown(ann))
    expect(await bobClient.settle()).toEqual([])
    expect(gateway.online).toEqual(['a on'])
  })

  test('takes its user offline after the grace time', async () => {
    const { gateway, bobClient } = await dropAnn(40)
    expect((await bobClient.next(isDiff)).payload).toEqual({ joins: {}, leaves: shown(ann) })
    expect(gateway.online).toEqual(['a on', 'a off'])
  })
})

test('a client that reconnects within the grace time is never shown as offline', async () => {
  const gateway = await start({ presenceGraceMs: 1500 })
  gateway.friends.set(bob, [ann, eve]).set(eve, [bob])
  const { client: bobClient } = await enter(gateway, bob)
  const { client: before } = await enter(gateway, ann)
  const { client: eveClient } = await enter(gateway, eve)
  for (const client of [before, eveClient]) {
    track(client)
    await bobClient.next(isDiff)
  }
  before.webSocket.terminate()
  await before.closed
  const { client: after } = await enter(gateway, ann)
  track(after)
  await after.reply('7')
  // Eve disconnects later than Ann: when Eve's grace time has ended, Ann's would have ended too.
  eveClient.webSocket.terminate()
  expect((await bobClient.next(isDiff)).payload).toEqual({ joins: {}, leaves: shown(eve) })
  expect((await enter(gateway, bob)).state).toEqual(shown(ann))
  expect(gateway.online).toEqual(['a on', 'e on', 'e off'])
})

test('a removed friend goes offline at once, a new friend comes online', async () => {
  const gateway = await start()
  const { client: bobClient } = await enter(gateway, bob)
  const { client: annClient } = await enter(gateway, ann)
  const { client: eveClient } = await enter(gateway, eve)
  track(annClient)
  await bobClient.next(isDiff)
  gateway.friends.set(ann, [eve]).set(bob, []).set(eve, [ann])
  gateway.announce({ kind: 'friends_changed', userIds: [ann, bob] })
  expect((await bobClient.next(isDiff)).payload).toEqual({ joins: {}, leaves: shown(ann) })
  gateway.announce({ kind: 'friends_changed', userIds: [eve, ann] })
  expect((await eveClient.next(isDiff)).payload).toEqual({ joins: shown(ann), leaves: {} })
  track(annClient, 'untrack')
  expect((await eveClient.next(isDiff)).payload).toEqual({ joins: {}, leaves: shown(ann) })
  expect(await bobClient.settle()).toEqual([])
})

test('a removed friend goes offline before the friends are read again', async () => {
  let answers = true
  const friendsOf = (userId: UserId) =>
    answers ? Promise.resolve(userId === ann ? [bob] : [ann]) : new Promise<never>(() => {})
  const gateway = await start({ friendsOf })
  const { client: bobClient } = await enter(gateway, bob)
  const { client: annClient } = await enter(gateway, ann)
  track(annClient)
  await bobClient.next(isDiff)
  answers = false
  gateway.announce({ kind: 'friends_changed', userIds: [bob, ann] })
  expect((await bobClient.next(isDiff)).payload).toEqual({ joins: {}, leaves: shown(ann) })
})

test('a channel with an expired token tracks and receives presence once its fresh token arrives', async () => {
  const gateway = await start()
  const old = gateway.tokenOf(ann)
  gateway.passTime(3_600_001)
  const { client: bobClient } = await enter(gateway, bob)
  track(bobClient)
  await bobClient.next(isDiff)
  const client = await connect(gateway)
  await client.join(topic, '1', old, withPresence)
  track(client)
  expect((await client.settle()).map(({ event }) => event)).toEqual(['phx_reply'])
  expect(await bobClient.settle()).toEqual([])
  client.send('1', '8', topic, 'access_token', { access_token: gateway.tokenOf(ann) })
  const { payload } = await client.next(({ event }) => event === 'presence_state')
  expect(Object.keys(payload).sort()).toEqual([ann, bob])
  expect(Object.keys((await bobClient.next(isDiff)).payload.joins as object)).toEqual([ann])
})

test('a user does not come online with an expired token, and does not stay online after sign-out', async () => {
  const gateway = await start()
  const { client: annClient } = await enter(gateway, ann)
  gateway.passTime(3_600_000)
  const { client: bobClient } = await enter(gateway, bob)
  track(annClient)
  await annClient.reply('7')
  expect(await bobClient.settle()).toEqual([])
  annClient.send('1', '8', topic, 'access_token', { access_token: gateway.tokenOf(ann) })
  expect(Object.keys((await bobClient.next(isDiff)).payload.joins as object)).toEqual([ann])
  annClient.send('1', '9', topic, 'access_token', { access_token: null })
  expect(Object.keys((await bobClient.next(isDiff)).payload.leaves as object)).toEqual([ann])
})

test('the presence state of any other topic stays empty', async () => {
  const gateway = await start()
  const client = await connect(gateway)
  await client.join('realtime:people', '1', gateway.tokenOf(ann), withPresence)
  expect((await client.next(({ event }) => event === 'presence_state')).payload).toEqual({})
  client.send('1', '7', 'realtime:people', 'presence', { event: 'track', payload: {} })
  expect((await client.reply('7')).payload.status).toBe('ok')
  expect(await client.settle()).toEqual([])
  expect(await gateway.presenceStore.isOnline(ann)).toBe(false)
})

test('a channel fails if the friends cannot be read, and the client may retry', async () => {
  let works = false
  const gateway = await start({
    friendsOf: async () => {
      if (!works) throw new Error('no database')
      return []
    },
  })
  const client = await connect(gateway)
  await client.join(topic, '1', gateway.tokenOf(ann), withPresence)
  await client.next(({ event }) => event === 'phx_error')
  expect(gateway.errors.splice(0)).toHaveLength(1)
  works = true
  await client.join(topic, '2', gateway.tokenOf(ann), withPresence)
  expect((await client.next(({ event }) => event === 'presence_state')).payload).toEqual({})
})

test('an ended session is offline at once', async () => {
  const gateway = await start({ presenceGraceMs: 60_000 })
  const { client: bobClient } = await enter(gateway, bob)
  const { client: annClient } = await enter(gateway, ann)
  track(annClient)
  await bobClient.next(isDiff)
  gateway.announce({ kind: 'sessions_ended', sessionIds: [sessionOf(ann)] })
  expect((await bobClient.next(isDiff)).payload).toEqual({ joins: {}, leaves: shown(ann) })
})

test('a failed read after a gap is retried until it succeeds, without losing changes in the meantime', async () => {
  let failures = 0
  const friends = new Map([[ann, [bob]]])
  const gateway = await start({
    friendsOf: async (userId) => {
      if (failures > 0) throw new Error(`no database, ${failures--}`)
      return friends.get(userId) ?? [ann]
    },
  })
  const { client: annClient } = await enter(gateway, ann)
  const { client: bobClient } = await enter(gateway, bob)
  // Both read again, and each fails once.
  failures = 2
  gateway.bus.deliver({ kind: 'gap' })
  track(annClient)
  expect((await bobClient.next(isDiff)).payload).toEqual({ joins: shown(ann), leaves: {} })
  expect(gateway.errors.splice(0)).toHaveLength(2)
})
