import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type UserId } from '@hither/contract/ids.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestPool } from '../../test/harness.ts'
import { hasRedis, openRedis, type RedisServer } from '../../test/redis-server.ts'
import { type Pool } from '../platform/database.ts'
import { type Nodes } from '../platform/nodes.ts'
import { type GatewayDeps } from './gateway.ts'
import {
  ann,
  anyUser,
  bob,
  connect,
  createLine,
  deleted,
  inserted,
  officialClient,
  startGateway,
  subscribe,
  type TestClient,
  type TestGateway,
  userRow,
} from './harness.ts'
import { type Frame } from './protocol.ts'

const online = 'realtime:online-users'
const withPresence = { presence: { enabled: true } }
const row = (username: string, id: UserId = bob) => userRow(id, { username })
const isDiff = ({ event }: Frame) => event === 'presence_diff'

type Writable<T> = { -readonly [K in keyof T]: T[K] }

describe.skipIf(!hasRedis)('two nodes', () => {
  let pool: Pool
  let closeDatabase: () => Promise<void>
  let redis: RedisServer
  /** Each test has one of its own. */
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

  /** The changes and notices up to here, in short; what was published elsewhere before it has been heard. */
  async function told(client: TestClient, gateway: TestGateway) {
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

  test('a client that moves hears what it missed, once where it says how far it came', async () => {
    const [one, two] = await startNodes()
    const clientId = randomUUID()
    const before = await enter(one, clientId)
    expect(await told(before, one)).toEqual(['resync'])
    await two.publish(inserted(row('a'), [ann]), inserted(row('b'), [ann]))
    await before.change()
    const { commit_timestamp: cursor } = await before.change()
    before.webSocket.terminate()
    await one.publish(inserted(row('c'), [ann]))
    await two.publish(inserted(row('not hers'), [bob]), inserted(row('d'), [ann]))
    const after = await enter(two, clientId, cursor as string)
    expect(await told(after, one)).toEqual(['INSERT c', 'INSERT d'])
    // And back, where its place has been kept all the while.
    const { commit_timestamp: later } = await publishAndHear(after, two, 'e')
    after.webSocket.terminate()
    await two.publish(inserted(row('f'), [ann]))
    expect(await told(await enter(one, clientId, later as string), two)).toEqual(['INSERT f'])
  })

  test('a client goes on from any change at any node, though the clock of one is half a minute ahead', async () => {
    const [slow, fast] = await startNodes()
    const say = (gateway: TestGateway, username: string) => {
      const committedAt = new Date(Date.now() + (gateway === fast ? 30_000 : 0)).toISOString()
      return gateway.publish({ ...inserted(row(username), [ann]), committedAt })
    }
    const clientId = randomUUID()
    let client = await enter(slow, clientId)
    await told(client, slow)
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
      expect(await told(client, from)).toEqual(['INSERT a', 'INSERT b', 'INSERT c'])
    }
    // The later of these was the earlier by its name.
    const [, second = 0, third = 0] = cursors
    expect(third).toBeLessThan(second)
  })

  async function publishAndHear(client: TestClient, gateway: TestGateway, username: string) {
    await gateway.publish(inserted(row(username), [ann]))
    return client.change()
  }

  test('a client that moves without a word of how far it came misses nothing', async () => {
    const [one, two] = await startNodes({ pingIntervalMs: 20 })
    const clientId = randomUUID()
    const before = await enter(one, clientId)
    await told(before, one)
    // Where it got is noted every few seconds.
    const position = () => one.nodes?.resumption?.find({ userId: ann, clientId, topic })
    while ((await position())?.owesResync !== false) await once(before.webSocket, 'ping')
    before.webSocket.terminate()
    await one.publish(inserted(row('c'), [ann]))
    const after = await enter(two, clientId)
    expect((await told(after, two)).slice(-1)).toEqual(['INSERT c'])
  })

  test('a notice that was lost with the line is given again at the other node, also to one that has handled nothing', async () => {
    const [one, two] = await startNodes()
    for (const after of [undefined, null]) {
      const clientId = randomUUID()
      const before = await enter(one, clientId, after, false)
      before.webSocket.terminate()
      expect(await told(await enter(two, clientId, after), two)).toEqual(['resync'])
    }
  })

  test('a client that joins while its node misses events is told to resync', async () => {
    const [one, two] = await startNodes()
    const clientId = randomUUID()
    const before = await enter(one, clientId)
    const { commit_timestamp: cursor } = await publishAndHear(before, one, 'a')
    before.webSocket.terminate()
    const resumption = two.nodes?.resumption as Writable<NonNullable<Nodes['resumption']>>
    const { since } = resumption
    resumption.since = (...of) => {
      two.bus.deliver({ kind: 'gap' })
      return since(...of)
    }
    expect(await told(await enter(two, clientId, cursor as string), two)).toContain('resync')
  })

  test('who was away for too long, asks for something else or names a place that nobody knows reads anew', async () => {
    const [one, two] = await startNodes()
    const clientId = randomUUID()
    const before = await enter(one, clientId)
    await told(before, one)
    before.webSocket.terminate()
    expect(await told(await enter(two, randomUUID(), null), two)).toEqual(['resync'])
    const other = await connect(two, { clientId })
    await other.join(topic, '1', two.tokenOf(ann), { postgres_changes: [{ ...anyUser, event: 'INSERT' }] })
    expect(await told(other, two)).toEqual(['resync'])
    const third = randomUUID()
    await told(await enter(one, third), one)
    expect(await told(await enter(two, third, '2026-11-21T11:00:00.000000Z'), two)).toEqual(['resync'])
  })

  test('nobody goes on where another was', async () => {
    const [one, two] = await startNodes()
    const clientId = randomUUID()
    const before = await enter(one, clientId)
    await told(before, one)
    before.webSocket.terminate()
    await one.publish(inserted(row('secret'), [ann]))
    const thief = await connect(two, { clientId })
    await thief.join(topic, '1', two.tokenOf(bob), undefined, { resume: { after: null } })
    expect((await thief.settle()).filter(({ event }) => event === 'postgres_changes')).toEqual([])
  })

  test('what may not be seen any more is not told at the other node either', async () => {
    const [one, two] = await startNodes()
    const clientId = randomUUID()
    const before = await enter(one, clientId)
    await told(before, one)
    const { commit_timestamp: cursor } = await publishAndHear(before, one, 'a')
    before.webSocket.terminate()
    await one.publish(inserted(row('secret'), [ann]), deleted(row('secret'), [ann]))
    const after = await enter(two, clientId, cursor as string)
    expect(await told(after, two)).toEqual(['DELETE'])
    const { commit_timestamp: later } = await publishAndHear(after, two, 'b')
    after.webSocket.terminate()
    await two.publish(inserted(row('secret'), [ann]))
    await two.announce({ kind: 'friends_changed', userIds: [ann, bob] })
    // A third node, where nothing of it is in memory.
    const [three] = await startNodes()
    expect(await told(await enter(three, clientId, later as string), three)).toEqual(['resync'])
  })

  test.each([
    ['that says how far it came hears everything once', true],
    ['that does not hears everything, and perhaps again', false],
  ])('thrown from one node to the other again and again an official client %s, in order', async (_, tellsCursor) => {
    const count = 600
    const nodes = await startNodes({ pingIntervalMs: 20 })
    const line = await createLine(nodes[0])
    const client = await officialClient({ ...nodes[0], origin: line.origin }, ann, '2.0.0', {
      params: { apikey: 'anon', client_id: randomUUID() },
      reconnectAfterMs: () => 10,
    })
    const channel = client.channel('people')
    const resume = { after: null as string | null }
    if (tellsCursor) channel.updateJoinPayload({ resume })
    const heard: number[] = []
    const notices: string[] = []
    let wake = () => {}
    channel.on('postgres_changes', { ...anyUser, event: '*' }, (change) => {
      resume.after = change.commit_timestamp
      heard.push(Number((change.new as { username: string }).username))
      wake()
    })
    channel.on('system', {}, ({ extension }: { extension: string }) => notices.push(extension))
    const subscription = subscribe(channel)
    await subscription.until('SUBSCRIBED')
    for (let i = 1; i <= count; i++) {
      const node = nodes[i % 2] as TestGateway
      await node.publish(inserted(row(String(i)), [ann]))
      if (i % 90 === 0) {
        line.setTarget(nodes[(i / 90) % 2] as TestGateway)
        line.cut()
      }
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    while (heard.at(-1) !== count)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    const all = Array.from({ length: count }, (_, index) => index + 1)
    expect([...new Set(heard)]).toEqual(all)
    if (tellsCursor) expect(heard).toEqual(all)
    expect(subscription.statuses.filter(({ status }) => status === 'CHANNEL_ERROR').length).toBeGreaterThan(1)
    expect(notices.filter((extension) => extension === 'resync')).toHaveLength(1)
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

  test('friends see one another across nodes come, stay while one tab is left, and go; who comes later sees it too', async () => {
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
    expect(await one.attendance.onlineAmong([ann, bob])).toEqual(new Set([ann]))
    annClient.webSocket.terminate()
    expect(await seen(bobClient)).toEqual([[], [ann]])
    expect(await two.attendance.isOnline(ann)).toBe(true)
    track(annsOther, 'untrack')
    expect(await seen(bobClient)).toEqual([[], [ann]])
    expect(await one.attendance.isOnline(ann)).toBe(false)
    expect(changes).toEqual(['a true', 'a false'])
  })

  test('who ceases to be a friend vanishes at both nodes, and is seen again as one', async () => {
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

  test('those who were at a node that died are gone within seconds, and not those who moved', {
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
    // It says nothing any more, as one that was killed.
    await one.nodes?.close()
    expect(await seen(bobClient)).toEqual([[], [ann]])
    expect(changes).toEqual(['a true', 'a false'])
    const { client: annAgain } = await watchOnline(two, ann)
    track(annAgain)
    expect(await seen(bobClient)).toEqual([[ann], []])
  })

  test('typing is heard at the other node, and an ended session ends its sockets there', async () => {
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

  test('after a gap the channel of a conversation is asked for anew: the membership may have ended unheard', async () => {
    const [one] = await startNodes({ isMember: async () => true })
    const client = await connect(one)
    const chat = 'realtime:conversation:01900000-0000-7000-8000-00000000c0c2'
    await client.join(chat, '1', one.tokenOf(bob), {})
    await client.join(topic, '2', one.tokenOf(bob))
    await one.bus.deliver({ kind: 'gap' })
    expect(await client.next(({ event }) => event === 'phx_error')).toMatchObject({ topic: chat, joinRef: '1' })
    expect(one.gateway.stats().channels).toBe(1)
  })

  test('membership lost at one node ends the channel at the other', async () => {
    const conversation = '01900000-0000-7000-8000-00000000c0c1'
    const [one, two] = await startNodes({ isMember: async () => true })
    const client = await connect(two)
    const chat = `realtime:conversation:${conversation}`
    await client.join(chat, '1', two.tokenOf(bob), {})
    await one.announce({ kind: 'membership_ended', conversationId: conversation as never, userId: bob })
    expect((await client.next(({ event }) => event === 'phx_close')).joinRef).toBe('1')
  })
})
