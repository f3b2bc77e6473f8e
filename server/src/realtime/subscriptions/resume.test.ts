import { randomUUID } from 'node:crypto'
import { positionExtension, resyncExtension } from '@hither/contract/feeds.ts'
import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestPool } from '../../../test/harness.ts'
import { expectDeliveryDespiteCuts, officialClient, subscribe } from '../../../test/official-client.ts'
import { hasRedis, openRedis, type RedisServer } from '../../../test/redis-server.ts'
import type { Pool } from '../../platform/db/database.ts'
import { channelLimits } from '../gateway/channel.ts'
import type { GatewayDeps } from '../gateway/gateway.ts'
import { shareLimits } from '../gateway/shares.ts'
import {
  ann,
  anyUser,
  bob,
  connect,
  countsChanged,
  deleted,
  eve,
  inserted,
  lastPosition,
  sessionOf,
  startGateway,
  type TestClient,
  type TestGateway,
  updated,
  userRow,
} from '../harness.ts'
import type { Frame, Payload } from '../protocol/protocol.ts'
import { replayLimits } from './replay.ts'

const topic = 'realtime:people'

let lastRow = 0

/** A row of its own with this name, in a table of users. */
const row = (name: string) =>
  userRow(`0190a0a2-0000-7000-8000-${String(++lastRow).padStart(12, '0')}` as UserId, { username: name })

interface Entering {
  readonly as?: UserId
  readonly bindings?: Payload[]
  readonly after?: string | null | undefined
  readonly token?: string
}

/** Joins as a client that has handled everything up to `after`. */
async function enter(gateway: TestGateway, { as = ann, bindings = [anyUser], after, token }: Entering = {}) {
  const client = await connect(gateway)
  const config = { postgres_changes: bindings }
  await client.join(topic, '1', token ?? gateway.tokenOf(as), config, { resume: { after } })
  return client
}

/** Joins for the first time. Returns the position at which the client is complete. */
async function enterFirst(gateway: TestGateway, options: Entering = {}) {
  const client = await enter(gateway, options)
  const position = lastPosition(await client.settle()) as string
  return { client, position }
}

/** The names of the rows: `resync` for the notice to refetch, `-` for a DELETE; the frame of the position is left out. */
function namesIn(frames: readonly Frame[]): string[] {
  return frames.flatMap(({ event, payload }) => {
    if (event === 'system') return payload.extension === resyncExtension ? [resyncExtension] : []
    if (event !== 'postgres_changes') return [event]
    const data = payload.data as { record?: { username: string } }
    return [data.record?.username ?? '-']
  })
}

async function drop(client: TestClient): Promise<void> {
  client.webSocket.terminate()
  await client.closed
}

const forms = [{ form: 'on one node', nodeCount: 1 }, ...(hasRedis ? [{ form: 'on two nodes', nodeCount: 2 }] : [])]

describe.each(forms)('resuming $form', ({ nodeCount }) => {
  let redis: RedisServer
  let pool: Pool
  let closeDatabase: () => Promise<void>
  /** Each test has its own. */
  let database = 0

  beforeAll(async () => {
    if (nodeCount === 1) return
    redis = await openRedis()
    const opened = await openTestPool()
    pool = opened.db
    closeDatabase = opened.close
  })

  afterAll(async () => {
    if (nodeCount === 1) return
    await redis.close()
    await closeDatabase()
  })

  /** The node that a client leaves and the one to which it returns. On one node, both are the same. */
  async function startNodes(options: Partial<GatewayDeps> = {}): Promise<readonly [TestGateway, TestGateway]> {
    if (nodeCount === 1) {
      const only = await startGateway(options)
      return [only, only]
    }
    const shared = { redisUrl: `${redis.url}/${++database}`, pool }
    return [await startGateway({ shared, ...options }), await startGateway({ shared, ...options })]
  }

  /** What the client receives up to a change that is published now, at this node. */
  async function receivedFrames(client: TestClient, gateway: TestGateway, audience = [ann]): Promise<Frame[]> {
    const last = randomUUID()
    await gateway.publish(inserted(row(last), audience))
    const frames: Frame[] = []
    const isLast = ({ payload }: Frame) => (payload.data as { record?: Payload } | undefined)?.record?.username === last
    await client.next((frame) => isLast(frame) || frames.push(frame) < 0)
    return frames
  }

  const received = async (...of: Parameters<typeof receivedFrames>) => namesIn(await receivedFrames(...of))

  test('a client that names no position has to refetch, and learns its first position, before any change', async () => {
    const [here, there] = await startNodes()
    await here.publish(inserted(row('before'), [ann]))
    for (const after of [undefined, null]) {
      const frames = await receivedFrames(await enter(there, { after }), here)
      expect(frames.map(({ payload }) => payload.extension)).toEqual(['postgres_changes', 'resync', 'position'])
    }
    const nothing = await enter(there, { bindings: [] })
    expect((await nothing.settle()).map(({ payload }) => payload.extension)).toEqual(['postgres_changes'])
  })

  test('the notice and the position are system messages with their own extensions', async () => {
    const [here] = await startNodes()
    const client = await enter(here)
    await client.next(({ payload }) => payload.extension === 'postgres_changes')
    const common = { joinRef: '1', ref: null, topic, event: 'system' }
    const ok = { status: 'ok', channel: 'people' }
    expect(await client.next()).toEqual({
      ...common,
      payload: { ...ok, extension: resyncExtension, message: 'Changes may have been missed: refetch all data' },
    })
    expect(await client.next()).toEqual({
      ...common,
      payload: {
        ...ok,
        extension: positionExtension,
        message: 'All changes up to this position were sent',
        position: expect.stringMatching(/^[\w-]{70,90}$/),
      },
    })
  })

  test('the positions that clients are sent do not tell whether anything has happened to others', async () => {
    const [here] = await startNodes()
    const positions = [await enterFirst(here), await enterFirst(here)].map(({ position }) => position)
    expect(positions[0]).not.toBe(positions[1])
    expect(positions[0]).toHaveLength(String(positions[1]).length)
  })

  test('a client that has received nothing resumes from its first position', async () => {
    const [here, there] = await startNodes()
    const { client, position } = await enterFirst(here)
    await drop(client)
    await here.publish(inserted(row('one'), [ann]), inserted(row('not for ann'), [eve]))
    await there.publish(inserted(row('two'), [ann]))
    expect(await received(await enter(there, { after: position }), here)).toEqual(['one', 'two'])
  })

  test('a client receives missed changes once, after the reply and before new ones, and then its position', async () => {
    const [here, there] = await startNodes()
    const { client } = await enterFirst(here)
    await here.publish(...['one', 'two', 'three'].map((name) => inserted(row(name), [ann])))
    // The connection is lost between two frames of one row of the outbox.
    const positions = [await client.change(), await client.change()].map((change) => change.commit_timestamp as string)
    await drop(client)
    await here.publish(inserted(row('four'), [ann]))
    const after = await enter(there, { after: positions[1] })
    const frames = await receivedFrames(after, here)
    expect(namesIn(frames)).toEqual(['three', 'four'])
    expect(frames.map(({ payload }) => payload.extension ?? 'change')).toEqual([
      'postgres_changes',
      'change',
      'change',
      'position',
    ])
    // The client returns to the first node.
    const position = lastPosition(frames) as string
    await drop(after)
    await there.publish(inserted(row('five'), [ann]))
    const [, ...missed] = await received(await enter(here, { after: position }), there)
    expect(missed).toEqual(['five'])
  })

  test('a client that is interrupted between two frames of one change receives the second', async () => {
    const [here, there] = await startNodes()
    const bindings = [anyUser, { ...anyUser, select: ['username'] }]
    const { client } = await enterFirst(here, { bindings })
    await here.publish(inserted(row('one'), [ann]))
    const positions = [await client.change(), await client.change()].map((change) => change.commit_timestamp as string)
    await drop(client)
    const frames = await (await enter(there, { after: positions[0], bindings })).settle()
    const missed = frames.filter(({ event }) => event === 'postgres_changes')
    expect(missed.map(({ payload }) => (payload.data as Payload).commit_timestamp)).toEqual([positions[1]])
  })

  test('a client that has missed nothing receives nothing', async () => {
    const [here, there] = await startNodes()
    const { client } = await enterFirst(here)
    await here.publish(inserted(row('one'), [ann]))
    const { commit_timestamp: position } = await client.change()
    await drop(client)
    await here.publish(inserted(row('not for ann'), [eve]))
    expect(await received(await enter(there, { after: position as string }), here)).toEqual([])
  })

  test('a client receives the unread counts that it missed, and no one else', async () => {
    const [here, there] = await startNodes()
    const bindings = [anyUser, { event: '*', schema: 'public', table: 'chats' }]
    const { client, position } = await enterFirst(here, { bindings })
    await drop(client)
    await here.announce(countsChanged({ [bob]: 4, [ann]: 3 }))
    const after = await enter(there, { after: position, bindings })
    expect(await after.change()).toMatchObject({ type: 'UPDATE', record: { user_id: ann, unread_count: 3 } })
    expect(await received(after, here)).toEqual([])
    expect(await received(await enter(there, { as: eve, after: position, bindings }), here, [eve])).toEqual([])
  })

  test('the positions of changes grow in the order of delivery and are the same at every node', async () => {
    const [here, there] = await startNodes()
    const clients = [await enter(here), await enter(there)]
    for (let number = 0; number < 40; number++) {
      const names = Array.from({ length: 1 + (number % 3) }, () => row('x'))
      await (number % 2 === 0 ? here : there).publish(...names.map((each) => inserted(each, [ann])))
    }
    const positions: string[][] = []
    for (const client of clients) {
      const frames = await receivedFrames(client, here)
      positions.push(frames.flatMap((frame) => lastPosition([frame]) ?? []).slice(1))
    }
    expect(positions[0]?.length).toBeGreaterThan(60)
    expect(positions[0]).toEqual([...new Set(positions[0])].sort())
    expect(positions[1]?.slice(0, positions[0]?.length)).toEqual(positions[0])
  })

  test('a client that names an unknown or malformed position has to refetch and receives no old changes', async () => {
    const [here, there] = await startNodes()
    const { client, position } = await enterFirst(here)
    await here.publish(inserted(row('one'), [ann]))
    const { commit_timestamp: known } = await client.change()
    const ofAnotherRow = String(known).replace(/^\d{4}/, '1999')
    const forged = position.replace(/^..../, 'AAAA')
    for (const after of [
      ofAnotherRow,
      forged,
      position.slice(1),
      'x',
      '',
      '#1',
      '2026-11-21T11:00:00.000000Z',
      'x'.repeat(1000),
      '__proto__',
    ])
      expect(await received(await enter(there, { after }), here)).toEqual(['resync'])
  })

  test('a client that other clients of its user were connected after resumes by its own position', async () => {
    const [here, there] = await startNodes()
    const { client, position } = await enterFirst(here)
    client.webSocket.pause()
    await here.publish(inserted(row('one'), [ann]))
    // A second tab, or the same client before the server has noticed that its old socket is lost.
    const second = await enter(there, { after: position })
    expect(await received(second, here)).toEqual(['one'])
    client.webSocket.resume()
    expect((await received(client, there))[0]).toBe('one')
    await drop(second)
    expect((await received(await enter(there, { after: position }), here))[0]).toBe('one')
  })

  test('a position of one user shows another user nothing of the first', async () => {
    const [here, there] = await startNodes()
    const { client, position } = await enterFirst(here)
    await drop(client)
    await here.publish(inserted(row('secret'), [ann]), inserted(row('for eve'), [eve]))
    expect(await received(await enter(there, { as: eve, after: position }), here, [eve])).toEqual(['for eve'])
  })

  test('a client that names a position receives only what its bindings select', async () => {
    const [here, there] = await startNodes()
    const { client, position } = await enterFirst(here)
    await drop(client)
    const [wanted, other] = [row('wanted'), row('other')]
    await here.publish(inserted(other, [ann]), inserted(wanted, [ann]))
    const bindings = [{ ...anyUser, filter: `id=eq.${wanted.id}` }]
    const after = await enter(there, { after: position, bindings })
    expect(namesIn(await after.settle())).toEqual(['wanted'])
  })

  test('a row that became invisible in the meantime is sent as its key only', async () => {
    const [here, there] = await startNodes()
    const { client, position } = await enterFirst(here)
    await drop(client)
    const [off, on] = [userRow(eve), userRow(eve, { is_online: true })]
    await here.publish(inserted(off, [ann]), inserted(row('one'), [ann]), updated(on, off, [ann]), deleted(on, [ann]))
    const after = await enter(there, { after: position })
    expect((await after.change()).record).toMatchObject({ username: 'one' })
    expect((await after.change()).old_record).toEqual({ id: eve })
    expect(await received(after, here)).toEqual([])
  })

  test.each([
    ['a friendship', { kind: 'friends_changed', userIds: [bob, ann] } as const],
    [
      'a membership',
      { kind: 'membership_ended', userId: ann, conversationId: randomUUID() as ConversationId } as const,
    ],
  ])('a client has to refetch and receives no old changes if %s ended in the meantime', async (_, message) => {
    const [here, there] = await startNodes()
    const { client, position } = await enterFirst(here)
    await here.publish(inserted(row('handled'), [ann, eve]))
    const { commit_timestamp: handled } = await client.change()
    await drop(client)
    const interrupted = [position, handled as string]
    await here.publish(inserted(row('one'), [ann, eve]))
    await here.announce(message)
    await here.publish(inserted(row('two'), [ann, eve]))
    for (const after of interrupted) expect(await received(await enter(there, { after }), here)).toEqual(['resync'])
    expect(await received(await enter(there, { as: eve, after: position }), here, [eve])).toEqual([
      'handled',
      'one',
      'two',
    ])
  })

  test('a friendship that ended before the first missed change makes no client refetch', async () => {
    const [here, there] = await startNodes()
    const { client, position } = await enterFirst(here)
    await drop(client)
    await here.announce({ kind: 'friends_changed', userIds: [ann, bob] })
    await here.publish(inserted(row('one'), [ann]))
    expect(await received(await enter(there, { after: position }), here)).toEqual(['one'])
  })

  test('a client receives its position again if it receives nothing for a while, and resumes from there', async () => {
    const [here, there] = await startNodes({ pingIntervalMs: 10 })
    const { client } = await enterFirst(here)
    await here.publish(inserted(row('not for ann'), [eve]))
    here.passTime(channelLimits.positionEveryMs)
    const { payload } = await client.next(({ payload }) => payload.extension === positionExtension)
    await drop(client)
    await here.publish(inserted(row('one'), [ann]))
    expect(await received(await enter(there, { after: payload.position as string }), here)).toEqual(['one'])
  })

  test('a channel with an expired token receives nothing before the fresh token, and then what it missed', async () => {
    const [here, there] = await startNodes()
    const old = there.tokenOf(ann)
    for (const node of new Set([here, there])) node.passTime(3_599_000)
    const { client, position } = await enterFirst(here)
    await drop(client)
    await here.publish(inserted(row('one'), [ann]))
    there.passTime(2000)
    const after = await enter(there, { after: position, token: old })
    await there.publish(inserted(row('two'), [ann]))
    expect(namesIn(await after.settle())).toEqual([])
    after.send('1', '2', topic, 'access_token', { access_token: there.tokenOf(ann) })
    expect(namesIn(await after.settle())).toEqual(['one', 'two'])
  })

  test('a client of an ended session does not resume, the same user with another session does', async () => {
    const [here, there] = await startNodes()
    const { client, position } = await enterFirst(here)
    await drop(client)
    await here.publish(inserted(row('one'), [ann]))
    const token = there.tokenOf(ann)
    there.tokens.revoke([sessionOf(ann)])
    const refused = await enter(there, { after: position, token })
    expect(namesIn(await refused.settle())).toEqual(['phx_close'])
    const other = await enter(there, { after: position, token: there.tokenOf(ann, sessionOf(eve)) })
    expect(await received(other, here)).toEqual(['one'])
  })

  test('a loss of events makes connected and returning clients refetch', async () => {
    const [here] = await startNodes()
    const { client, position } = await enterFirst(here)
    if (here.cluster) here.bus.deliver({ kind: 'gap' })
    else here.loseEvents()
    const frames = await receivedFrames(client, here)
    expect(frames.map(({ payload }) => payload.extension)).toEqual(['resync', 'position'])
    await drop(client)
    await here.publish(inserted(row('one'), [ann]))
    if (!here.cluster) expect(await received(await enter(here, { after: position }), here)).toContain('resync')
    const [, missed] = await received(await enter(here, { after: lastPosition(frames) }), here)
    expect(missed).toBe('one')
  })

  test('a loss of events while a token is expired makes the client refetch after the renewal', async () => {
    const [here] = await startNodes()
    const { client } = await enterFirst(here)
    here.passTime(3_600_000)
    await here.publish(inserted(row('one'), [ann]))
    here.bus.deliver({ kind: 'gap' })
    expect(await client.settle()).toEqual([])
    client.send('1', '2', topic, 'access_token', { access_token: here.tokenOf(ann) })
    // What came after the loss is known.
    await here.publish(inserted(row('two'), [ann]))
    expect(namesIn(await client.settle())).toEqual(['resync', 'two'])
  })

  test('a client that returns while its node cannot read the outbox has to refetch', async () => {
    const unavailable = new Error('unavailable')
    const [here] = await startNodes({ catchUp: () => Promise.reject(unavailable) })
    const { client, position } = await enterFirst(here)
    await drop(client)
    expect(await received(await enter(here, { after: position }), here)).toEqual(['resync'])
    expect(here.errors.splice(0)).toEqual([expect.objectContaining({ err: unavailable }), expect.anything()])
  })

  test('a client has to refetch if it missed more changes than a replay contains', async () => {
    const [here, there] = await startNodes()
    const { client, position } = await enterFirst(here)
    await drop(client)
    const many = Array.from({ length: replayLimits.changesMax }, () => inserted(row('x'), [ann]))
    await here.publish(...many)
    expect((await received(await enter(there, { after: position }), here)).length).toBe(many.length)
    expect(await received(await enter(there, { after: position }), here)).toEqual(['resync'])
    const large = row('x'.repeat(replayLimits.bytesMax))
    const next = await enterFirst(there)
    await here.publish(inserted(large, [ann]))
    expect(await received(await enter(there, { after: next.position }), here)).toEqual(['resync'])
  })

  test('a user who resumes too often has to refetch, and others do not', async () => {
    const [here] = await startNodes()
    const { client, position } = await enterFirst(here)
    const other = await enterFirst(here, { as: eve })
    for (let count = 0; count < shareLimits.replays.max; count++)
      await client.join(topic, `r${count}`, here.tokenOf(ann), undefined, { resume: { after: position } })
    await client.settle()
    expect(await received(await enter(here, { after: position }), here)).toContain('resync')
    expect(await received(await enter(here, { as: eve, after: other.position }), here, [eve])).toEqual([])
  })

  test('a client receives all changes that wait for its channels, although they exceed the limit for a slow peer', async () => {
    const [here, there] = await startNodes()
    const { client, position } = await enterFirst(here)
    await drop(client)
    const digits = ['0', '1', '2', '3', '4', '5', '6']
    await here.publish(...digits.map((digit) => inserted(row(digit.repeat(replayLimits.bytesMax / 10)), [ann])))
    const after = await connect(there)
    const config = { postgres_changes: [anyUser] }
    for (const ref of ['1', '2'])
      after.send(ref, ref, `realtime:${ref}`, 'phx_join', {
        ...{ config, access_token: there.tokenOf(ann), resume: { after: position } },
      })
    const names: string[] = []
    while (names.length < 2 * digits.length)
      names.push(((await after.change()).record as { username: string }).username.charAt(0))
    expect(names).toEqual([...digits, ...digits])
  })

  test('an official client that names its position loses nothing over 20 cuts', async () => {
    const nodes = await startNodes()
    const nodeOf = (number: number) => nodes[number % 2] as TestGateway
    await expectDeliveryDespiteCuts({ gateway: nodes[0], cuts: 20, publisherOf: nodeOf, targetOf: nodeOf })
  })

  test('an official client that names no position is asked to refetch at each join', async () => {
    const [here] = await startNodes()
    const client = await officialClient(here, ann, '2.0.0', {
      params: { apikey: 'anon', client_id: randomUUID() },
      reconnectAfterMs: () => 10,
    })
    const channel = client.channel('people')
    const notices: string[] = []
    let wake = () => {}
    channel.on('system', {}, ({ extension }: { extension: string }) => {
      notices.push(extension)
      wake()
    })
    channel.on('postgres_changes', { ...anyUser, event: '*' }, () => {})
    const subscription = subscribe(channel)
    await subscription.until('SUBSCRIBED')
    await client.disconnect()
    client.connect()
    await subscription.until('SUBSCRIBED', 2)
    while (notices.filter((extension) => extension === resyncExtension).length < 2)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  })
})
