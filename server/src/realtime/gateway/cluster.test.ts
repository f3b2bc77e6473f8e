import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { UserId } from '@hither/contract/ids.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestPool } from '../../../test/harness.ts'
import { expectDeliveryDespiteInterruptions } from '../../../test/official-client.ts'
import { hasRedis, openRedis, type RedisServer } from '../../../test/redis-server.ts'
import type { Cluster } from '../../platform/cluster/cluster.ts'
import type { Pool } from '../../platform/db/database.ts'
import {
  ann,
  anyUser,
  bob,
  connect,
  countsChanged,
  deleted,
  inserted,
  startGateway,
  type TestClient,
  type TestGateway,
  userRow,
} from '../harness.ts'
import type { Frame } from '../protocol/protocol.ts'
import type { GatewayDeps } from './gateway.ts'

const online = 'realtime:online-users'
const withPresence = { presence: { enabled: true } }
const row = (username: string, id: UserId = bob) => userRow(id, { username })
const isDiff = ({ event }: Frame) => event === 'presence_diff'

type Writable<T> = { -readonly [K in keyof T]: T[K] }

describe.skipIf(!hasRedis)('two nodes', () => {
  let pool: Pool
  let closeDatabase: () => Promise<void>
  let redis: RedisServer
  /** Each test has its own. */
  let database = 0

  beforeAll(async () => {
    redis = await openRedis()
    const opened = await openTestPool()
    pool = opened.db
    closeDatabase = opened.close
  })

  afterAll(async () => {
    await redis.close()
    await closeDatabase()
  })

  beforeEach(() => {
    database++
  })

  async function startNodes(options: Partial<GatewayDeps> = {}) {
    const shared = { redisUrl: `${redis.url}/${database}`, pool }
    const both = { friendsOf: async (userId: UserId) => [userId === ann ? bob : ann], presenceGraceMs: 40, ...options }
    return [await startGateway({ shared, ...both }), await startGateway({ shared, ...both })] as const
  }

  const topic = 'realtime:people'

  async function enter(gateway: TestGateway, clientId: string, after?: string | null, autoPong = true) {
    const client = await connect(gateway, { clientId, autoPong })
    await client.join(topic, '1', gateway.tokenOf(ann), undefined, after === undefined ? {} : { resume: { after } })
    return client
  }

  /**
   * Returns the changes and notices so far, abbreviated. Everything published at other nodes before has been received.
   */
  async function received(client: TestClient, gateway: TestGateway) {
    const last = randomUUID()
    await gateway.publish(inserted(row(last), [ann]))
    const frames: string[] = []
    for (;;) {
      const { event, payload } = await client.next(() => true)
      const data = payload.data as { type: string; record?: { username: string } } | undefined
      if (data?.record?.username === last) return frames
      if (event === 'postgres_changes') frames.push(`${data?.type} ${data?.record?.username ?? ''}`.trim())
      if (event === 'system' && payload.extension === 'resync') frames.push('resync')
    }
  }

  test('a client that moves to another node receives missed changes, each once if it sends its cursor', async () => {
    const [one, two] = await startNodes()
    const clientId = randomUUID()
    const before = await enter(one, clientId)
    expect(await received(before, one)).toEqual(['resync'])
    await two.publish(inserted(row('a'), [ann]), inserted(row('b'), [ann]))
    await before.change()
    const { commit_timestamp: cursor } = await before.change()
    before.webSocket.terminate()
    await one.publish(inserted(row('c'), [ann]))
    await two.publish(inserted(row('not hers'), [bob]), inserted(row('d'), [ann]))
    const after = await enter(two, clientId, cursor as string)
    expect(await received(after, one)).toEqual(['INSERT c', 'INSERT d'])
    // The client returns to the first node, where its subscription still exists.
    const { commit_timestamp: later } = await publishAndHear(after, two, 'e')
    after.webSocket.terminate()
    await two.publish(inserted(row('f'), [ann]))
    expect(await received(await enter(one, clientId, later as string), two)).toEqual(['INSERT f'])
  })

  test('a client that moves to another node receives the unread counts that it missed, and no one else', async () => {
    const [one, two] = await startNodes()
    const clientId = randomUUID()
    const config = { postgres_changes: [anyUser, { event: '*', schema: 'public', table: 'chats' }] }
    const join = async (gateway: TestGateway, after: string | null) => {
      const client = await connect(gateway, { clientId })
      await client.join(topic, '1', gateway.tokenOf(ann), config, { resume: { after } })
      return client
    }
    const before = await join(one, null)
    const { commit_timestamp: cursor } = await publishAndHear(before, two, 'a')
    before.webSocket.terminate()
    await one.announce(countsChanged({ [bob]: 4, [ann]: 3 }))
    const after = await join(two, cursor as string)
    expect(await after.change()).toMatchObject({ type: 'UPDATE', record: { user_id: ann, unread_count: 3 } })
    expect(await received(after, one)).toEqual([])
  })

  test('a client resumes from any change at any node, although the clock of one is 30 seconds ahead', async () => {
    const [slow, fast] = await startNodes()
    const say = (gateway: TestGateway, username: string) => {
      const committedAt = new Date(Date.now() + (gateway === fast ? 30_000 : 0)).toISOString()
      return gateway.publish({ ...inserted(row(username), [ann]), committedAt })
    }
    const clientId = randomUUID()
    let client = await enter(slow, clientId)
    await received(client, slow)
    const cursors: number[] = []
    for (const [from, to] of [
      [slow, fast],
      [fast, slow],
      [slow, slow],
      [fast, fast],
    ] as const) {
      await say(from, 'heard')
      const { commit_timestamp: cursor } = await client.change()
      cursors.push(Date.parse(cursor as string))
      client.webSocket.terminate()
      await say(to, 'a')
      await say(from, 'b')
      await say(to, 'c')
      client = await enter(to, clientId, cursor as string)
      expect(await received(client, from)).toEqual(['INSERT a', 'INSERT b', 'INSERT c'])
    }
    // The later of these has the smaller cursor.
    const [, second = 0, third = 0] = cursors
    expect(third).toBeLessThan(second)
  })

  async function publishAndHear(client: TestClient, gateway: TestGateway, username: string) {
    await gateway.publish(inserted(row(username), [ann]))
    return client.change()
  }

  test('a client that moves without sending a cursor misses nothing', async () => {
    const [one, two] = await startNodes({ pingIntervalMs: 20 })
    const clientId = randomUUID()
    const before = await enter(one, clientId)
    await received(before, one)
    // The position is saved every few seconds.
    const position = () => one.cluster?.resumption?.find({ userId: ann, clientId, topic })
    while ((await position())?.owesResync !== false) await once(before.webSocket, 'ping')
    before.webSocket.terminate()
    await one.publish(inserted(row('c'), [ann]))
    const after = await enter(two, clientId)
    expect((await received(after, two)).slice(-1)).toEqual(['INSERT c'])
  })

  test('a resync notice lost with the connection is sent again by the other node, also to a client that has handled nothing', async () => {
    const [one, two] = await startNodes()
    for (const after of [undefined, null]) {
      const clientId = randomUUID()
      const before = await enter(one, clientId, after, false)
      before.webSocket.terminate()
      expect(await received(await enter(two, clientId, after), two)).toEqual(['resync'])
    }
  })

  test('a client that joins while its node misses events must resync', async () => {
    const [one, two] = await startNodes()
    const clientId = randomUUID()
    const before = await enter(one, clientId)
    const { commit_timestamp: cursor } = await publishAndHear(before, one, 'a')
    before.webSocket.terminate()
    const resumption = two.cluster?.resumption as Writable<NonNullable<Cluster['resumption']>>
    const { since } = resumption
    resumption.since = (...of) => {
      two.bus.deliver({ kind: 'gap' })
      return since(...of)
    }
    expect(await received(await enter(two, clientId, cursor as string), two)).toContain('resync')
  })

  test('a client that returns while its node notices that it has missed events must resync', async () => {
    const [one] = await startNodes()
    const clientId = randomUUID()
    const before = await enter(one, clientId)
    const { commit_timestamp: cursor } = await publishAndHear(before, one, 'a')
    before.webSocket.terminate()
    while (one.gateway.stats().sockets > 0) await new Promise((resolve) => setImmediate(resolve))
    const resumption = one.cluster?.resumption as Writable<NonNullable<Cluster['resumption']>>
    const { catchUp } = resumption
    resumption.catchUp = () => {
      one.bus.deliver({ kind: 'gap' })
      return catchUp()
    }
    expect(await received(await enter(one, clientId, cursor as string), one)).toEqual(['resync'])
  })

  test('a client that was away too long, changed its bindings or sends an unknown cursor must resync', async () => {
    const [one, two] = await startNodes()
    const clientId = randomUUID()
    const before = await enter(one, clientId)
    await received(before, one)
    before.webSocket.terminate()
    expect(await received(await enter(two, randomUUID(), null), two)).toEqual(['resync'])
    const other = await connect(two, { clientId })
    await other.join(topic, '1', two.tokenOf(ann), { postgres_changes: [{ ...anyUser, event: 'INSERT' }] })
    expect(await received(other, two)).toEqual(['resync'])
    const third = randomUUID()
    await received(await enter(one, third), one)
    expect(await received(await enter(two, third, '2026-11-21T11:00:00.000000Z'), two)).toEqual(['resync'])
  })

  test('a user cannot resume the subscription of another user', async () => {
    const [one, two] = await startNodes()
    const clientId = randomUUID()
    const before = await enter(one, clientId)
    await received(before, one)
    before.webSocket.terminate()
    await one.publish(inserted(row('secret'), [ann]))
    const thief = await connect(two, { clientId })
    await thief.join(topic, '1', two.tokenOf(bob), undefined, { resume: { after: null } })
    expect((await thief.settle()).filter(({ event }) => event === 'postgres_changes')).toEqual([])
  })

  test('a change that the user may no longer see is not delivered by the other node either', async () => {
    const [one, two] = await startNodes()
    const clientId = randomUUID()
    const before = await enter(one, clientId)
    await received(before, one)
    const { commit_timestamp: cursor } = await publishAndHear(before, one, 'a')
    before.webSocket.terminate()
    await one.publish(inserted(row('secret'), [ann]), deleted(row('secret'), [ann]))
    const after = await enter(two, clientId, cursor as string)
    expect(await received(after, two)).toEqual(['DELETE'])
    const { commit_timestamp: later } = await publishAndHear(after, two, 'b')
    after.webSocket.terminate()
    await two.publish(inserted(row('secret'), [ann]))
    await two.announce({ kind: 'friends_changed', userIds: [ann, bob] })
    // A third node, which has nothing of it in memory.
    const [three] = await startNodes()
    expect(await received(await enter(three, clientId, later as string), three)).toEqual(['resync'])
  })

  test.each([
    ['that sends its cursor receives every change once', true],
    ['without a cursor receives every change at least once', false],
  ])('an official client that is moved between nodes repeatedly %s, in order', async (_, sendsCursor) => {
    const nodes = await startNodes({ pingIntervalMs: 20 })
    const nodeOf = (number: number) => nodes[number % 2] as TestGateway
    await expectDeliveryDespiteInterruptions({
      gateway: nodes[0],
      sendsCursor,
      publisherOf: nodeOf,
      interrupt(proxy, times) {
        proxy.setTarget(nodeOf(times))
        proxy.cut()
      },
    })
  })

  async function watchOnline(gateway: TestGateway, userId: UserId) {
    const client = await connect(gateway)
    await client.join(online, '1', gateway.tokenOf(userId), withPresence)
    const { payload } = await client.next(({ event }) => event === 'presence_state')
    return { client, state: Object.keys(payload) }
  }

  const track = (client: TestClient, event = 'track') =>
    client.send('1', '7', online, 'presence', { type: 'presence', event, payload: {} })

  const seen = async (client: TestClient) => {
    const { joins, leaves } = (await client.next(isDiff)).payload
    return [Object.keys(joins as object), Object.keys(leaves as object)]
  }

  test('friends on different nodes see each other come online, stay online with one tab left, and go offline', async () => {
    const changes: string[] = []
    const [one, two] = await startNodes({ onOnlineChange: (userId, is) => changes.push(`${userId.at(-1)} ${is}`) })
    const { client: bobClient, state } = await watchOnline(two, bob)
    expect(state).toEqual([])
    const { client: annClient } = await watchOnline(one, ann)
    track(annClient)
    expect(await seen(bobClient)).toEqual([[ann], []])
    expect((await watchOnline(two, bob)).state).toEqual([ann])
    const { client: annsOther } = await watchOnline(two, ann)
    track(annsOther)
    expect(await seen(bobClient)).toEqual([[ann], []])
    expect(await one.presenceStore.onlineAmong([ann, bob])).toEqual(new Set([ann]))
    annClient.webSocket.terminate()
    expect(await seen(bobClient)).toEqual([[], [ann]])
    expect(await two.presenceStore.isOnline(ann)).toBe(true)
    track(annsOther, 'untrack')
    expect(await seen(bobClient)).toEqual([[], [ann]])
    expect(await one.presenceStore.isOnline(ann)).toBe(false)
    expect(changes).toEqual(['a true', 'a false'])
  })

  test('a removed friend disappears at both nodes, and appears again when the friendship is restored', async () => {
    let friends: UserId[] = [ann, bob]
    const friendsOf = async (userId: UserId) => friends.filter((id) => friends.includes(userId) && id !== userId)
    const [one, two] = await startNodes({ friendsOf })
    const [{ client: annClient }, { client: bobClient }] = [await watchOnline(one, ann), await watchOnline(two, bob)]
    track(annClient)
    expect(await seen(bobClient)).toEqual([[ann], []])
    friends = []
    await one.announce({ kind: 'friends_changed', userIds: [ann, bob] })
    expect(await seen(bobClient)).toEqual([[], [ann]])
    friends = [ann, bob]
    await one.announce({ kind: 'friends_changed', userIds: [ann, bob] })
    expect(await seen(bobClient)).toEqual([[ann], []])
  })

  test('users of a node that died go offline within seconds, and users who moved stay online', {
    timeout: 40_000,
  }, async () => {
    const changes: string[] = []
    const [one, two] = await startNodes({
      friendsOf: async (userId) => (userId === bob ? [ann] : [bob]),
      onOnlineChange: (userId, is) => changes.push(`${userId.at(-1)} ${is}`),
      presenceGraceMs: 60_000,
    })
    const { client: bobClient } = await watchOnline(two, bob)
    const { client: annClient } = await watchOnline(one, ann)
    track(annClient)
    await seen(bobClient)
    // The node is silent from now on, as if it had been killed.
    await one.cluster?.close()
    expect(await seen(bobClient)).toEqual([[], [ann]])
    expect(changes).toEqual(['a true', 'a false'])
    const { client: annAgain } = await watchOnline(two, ann)
    track(annAgain)
    expect(await seen(bobClient)).toEqual([[ann], []])
  })

  test('a typing broadcast reaches the other node, and an ended session closes its sockets there', async () => {
    const conversation = '01900000-0000-7000-8000-00000000c0c0'
    const [one, two] = await startNodes({ isMember: async () => true })
    const [annClient, bobClient] = [await connect(one), await connect(two)]
    const chat = `realtime:conversation:${conversation}`
    await annClient.join(chat, '1', one.tokenOf(ann), {})
    await bobClient.join(chat, '1', two.tokenOf(bob), {})
    annClient.send('1', '2', chat, 'broadcast', { type: 'broadcast', event: 'typing', payload: { user_id: ann } })
    const { payload } = await bobClient.next(({ event }) => event === 'broadcast')
    expect(payload).toMatchObject({ event: 'typing', payload: { user_id: ann } })
    const sessionId = bob.replace('0190a0a0', '0190a0a1') as Parameters<typeof one.tokenOf>[1] & string
    await one.announce({ kind: 'sessions_ended', sessionIds: [sessionId] })
    expect(await bobClient.closed).toBe(4001)
  })

  test('a gap makes the channel of a conversation rejoin, because the membership may have ended', async () => {
    const [one] = await startNodes({ isMember: async () => true })
    const client = await connect(one, { clientId: randomUUID() })
    const chat = 'realtime:conversation:01900000-0000-7000-8000-00000000c0c2'
    await client.join(chat, '1', one.tokenOf(bob), {})
    await client.join(topic, '2', one.tokenOf(bob))
    await one.bus.deliver({ kind: 'gap' })
    expect(await client.next(({ event }) => event === 'phx_error')).toMatchObject({ topic: chat, joinRef: '1' })
    expect(one.gateway.stats().channels).toBe(1)
  })

  test('a membership that ends at one node closes the channel at the other', async () => {
    const conversation = '01900000-0000-7000-8000-00000000c0c1'
    const [one, two] = await startNodes({ isMember: async () => true })
    const client = await connect(two)
    const chat = `realtime:conversation:${conversation}`
    await client.join(chat, '1', two.tokenOf(bob), {})
    await one.announce({ kind: 'membership_ended', conversationId: conversation as never, userId: bob })
    expect((await client.next(({ event }) => event === 'phx_close')).joinRef).toBe('1')
  })
})
