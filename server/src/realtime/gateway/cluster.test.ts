import type { UserId } from '@hither/contract/ids.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestPool } from '../../../test/harness.ts'
import { hasRedis, openRedis, type RedisServer } from '../../../test/redis-server.ts'
import type { Pool } from '../../platform/db/database.ts'
import { ann, bob, connect, startGateway, type TestClient, type TestGateway } from '../harness.ts'
import type { Frame } from '../protocol/protocol.ts'
import type { GatewayDeps } from './gateway.ts'

const online = 'realtime:online-users'
const withPresence = { presence: { enabled: true } }
const isDiff = ({ event }: Frame) => event === 'presence_diff'

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
    const client = await connect(one)
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
