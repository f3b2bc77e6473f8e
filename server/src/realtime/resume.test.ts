import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type ConversationId, type UserId } from '@hither/contract/ids.ts'
import { expect, test } from 'vitest'
import { feedLogLimits } from './feed-log.ts'
import { feedLimits } from './feeds.ts'
import {
  ann,
  anyUser,
  bob,
  connect,
  createLine,
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
import { type Payload } from './protocol.ts'

const topic = 'realtime:people'
const clientId = 'a tab'

/** A row by its name, in a table of people. */
const row = (name: string) => userRow(bob, { username: name })

interface Entering {
  readonly as?: UserId
  readonly id?: string
  readonly bindings?: Payload[]
  readonly after?: string | null
  readonly token?: string
  /** Whether it lets the server know that what came with the join has arrived. */
  readonly acknowledges?: boolean
}

async function enter(
  gateway: TestGateway,
  { as = ann, id = clientId, bindings = [anyUser], after, token, acknowledges = true }: Entering = {},
) {
  const client = await connect(gateway, { clientId: id, autoPong: false })
  const pings: Buffer[] = []
  client.webSocket.on('ping', (data) => pings.push(data))
  const more = after === undefined ? {} : { resume: { after } }
  await client.join(topic, '1', token ?? gateway.tokenOf(as), { postgres_changes: bindings }, more)
  if (!acknowledges) return client
  const first = await client.settle()
  for (const data of pings) client.webSocket.pong(data)
  client.received.push(...first, ...(await client.settle()))
  return client
}

/** Names of the rows told since the last call, `resync` where the app was told to read anew, `-` for a DELETE. */
async function told(client: TestClient): Promise<string[]> {
  return (await client.settle()).flatMap(({ event, payload }) => {
    if (event === 'system') return payload.extension === 'resync' ? ['resync'] : []
    if (event !== 'postgres_changes') return [event]
    const data = payload.data as { record?: { username: string } }
    return [data.record?.username ?? '-']
  })
}

async function drop(client: TestClient): Promise<void> {
  client.webSocket.terminate()
  await client.closed
}

/** Until the server has noticed as well. */
async function gone(gateway: TestGateway, sockets = 0): Promise<void> {
  while (gateway.gateway.stats().sockets > sockets) await new Promise((resolve) => setImmediate(resolve))
}

test('who joins for the first time is told to read anew, who gives no id is told nothing, nor who listens to no rows', async () => {
  const gateway = await startGateway()
  expect(await told(await enter(gateway))).toEqual(['resync'])
  const nameless = await connect(gateway)
  await nameless.join(topic, '1', gateway.tokenOf(ann))
  expect(await told(nameless)).toEqual([])
  expect(await told(await enter(gateway, { id: 'other', bindings: [] }))).toEqual([])
})

test('the notice is a system message of its own extension', async () => {
  const gateway = await startGateway()
  const client = await enter(gateway)
  await client.next(({ payload }) => payload.extension === 'postgres_changes')
  expect(await client.next()).toEqual({
    joinRef: '1',
    ref: null,
    topic,
    event: 'system',
    payload: {
      extension: 'resync',
      status: 'ok',
      message: 'Changes may have been missed: read anew',
      channel: 'people',
    },
  })
})

test('who was away within the window is told what happened, after the reply and before what happens next', async () => {
  const gateway = await startGateway()
  const before = await enter(gateway)
  await before.settle()
  await drop(before)
  await gone(gateway)
  gateway.publish(inserted(row('one'), [ann]), inserted(row('not for ann'), [eve]))
  gateway.passTime(feedLimits.windowMs - 1)
  gateway.publish(inserted(row('two'), [ann]))
  const after = await enter(gateway)
  gateway.publish(inserted(row('three'), [ann]))
  expect(await told(after)).toEqual(['one', 'two', 'three'])
})

test('who was away for longer is told to read anew, and nothing of before', async () => {
  const gateway = await startGateway()
  await drop(await enter(gateway))
  await gone(gateway)
  gateway.publish(inserted(row('one'), [ann]))
  gateway.passTime(feedLimits.windowMs)
  expect(await told(await enter(gateway))).toEqual(['resync'])
})

test('what is kept for those who do not come back is given up after the window', async () => {
  const gateway = await startGateway({ pingIntervalMs: 5 })
  await drop(await enter(gateway))
  await gone(gateway)
  gateway.passTime(feedLimits.windowMs)
  const other = await enter(gateway, { as: bob })
  await once(other.webSocket, 'ping')
  gateway.passTime(-feedLimits.windowMs)
  expect(await told(await enter(gateway))).toEqual(['resync'])
})

test('what was written but never acknowledged is told again, what was acknowledged is not', async () => {
  const gateway = await startGateway({ pingIntervalMs: 10 })
  const before = await enter(gateway)
  gateway.publish(inserted(row('one'), [ann]))
  expect(await told(before)).toEqual(['resync', 'one'])
  const [data] = await once(before.webSocket, 'ping')
  before.webSocket.pong(data)
  await before.settle()
  gateway.publish(inserted(row('two'), [ann]))
  expect(await told(before)).toEqual(['two'])
  await drop(before)
  await gone(gateway)
  expect(await told(await enter(gateway))).toEqual(['two'])
})

test('an answer to no ping, or to an earlier one, acknowledges nothing', async () => {
  const gateway = await startGateway({ pingIntervalMs: 20 })
  const before = await enter(gateway)
  const [earlier] = await once(before.webSocket, 'ping')
  gateway.publish(inserted(row('one'), [ann]))
  await once(before.webSocket, 'ping')
  for (const data of [earlier, '', 'NaN', '-1', 'x'.repeat(100)]) before.webSocket.pong(data)
  await before.settle()
  await drop(before)
  await gone(gateway)
  expect(await told(await enter(gateway))).toEqual(['one'])
})

test('an app that says how far it came is told nothing twice', async () => {
  const gateway = await startGateway()
  const before = await enter(gateway, { after: null })
  gateway.publish(inserted(row('one'), [ann]), inserted(row('two'), [ann]), inserted(row('three'), [ann]))
  const stamps = []
  for (let i = 0; i < 2; i++) stamps.push((await before.change()).commit_timestamp as string)
  await drop(before)
  await gone(gateway)
  gateway.publish(inserted(row('four'), [ann]))
  const after = await enter(gateway, { after: stamps[1] as string })
  expect(await told(after)).toEqual(['three', 'four'])
  await drop(after)
  await gone(gateway)
  expect(await told(await enter(gateway, { after: 'never said' }))).toEqual(['resync'])
})

test('a row that went out of sight meanwhile is not shown, only its key', async () => {
  const gateway = await startGateway()
  await drop(await enter(gateway))
  await gone(gateway)
  const [off, on] = [userRow(eve), userRow(eve, { is_online: true })]
  gateway.publish(inserted(off, [ann]), inserted(row('one'), [ann]), updated(on, off, [ann]), deleted(on, [ann]))
  const after = await enter(gateway)
  expect(await told(after)).toEqual(['one', '-'])
  const again = await enter(gateway, { id: 'read' })
  gateway.publish(deleted(row('one'), [ann]))
  expect((await again.change()).old_record).toEqual(row('one'))
})

test.each([
  ['a friendship', { kind: 'friends_changed', userIds: [bob, ann] } as const],
  ['a membership', { kind: 'membership_ended', userId: ann, conversationId: randomUUID() as ConversationId } as const],
])('where %s ended meanwhile nothing of before is told, but to read anew', async (_, message) => {
  const gateway = await startGateway()
  const [before, others] = [await enter(gateway), await enter(gateway, { as: eve })]
  await before.settle()
  await drop(before)
  await drop(others)
  await gone(gateway)
  gateway.publish(inserted(row('one'), [ann, eve]))
  gateway.announce(message)
  gateway.publish(inserted(row('two'), [ann, eve]))
  expect(await told(await enter(gateway))).toEqual(['resync'])
  expect(await told(await enter(gateway, { as: eve }))).toContain('two')
})

test('nobody is told what was kept for another, whatever id they give', async () => {
  const gateway = await startGateway()
  await drop(await enter(gateway))
  await gone(gateway)
  gateway.publish(inserted(row('one'), [ann]))
  expect(await told(await enter(gateway, { as: eve }))).toEqual(['resync'])
  expect(await told(await enter(gateway))).toEqual(['one'])
})

test('a session that ends takes with it what was kept', async () => {
  const gateway = await startGateway()
  await drop(await enter(gateway))
  await gone(gateway)
  gateway.publish(inserted(row('one'), [ann]))
  gateway.announce({ kind: 'sessions_ended', sessionIds: [sessionOf(ann)] })
  expect(await told(await enter(gateway, { token: gateway.tokenOf(ann, sessionOf(eve)) }))).toEqual(['resync'])
})

test('who left the channel, or listens to something else now, begins anew', async () => {
  const gateway = await startGateway()
  const leaver = await enter(gateway)
  leaver.send('1', '2', topic, 'phx_leave')
  await leaver.reply('2')
  gateway.publish(inserted(row('one'), [ann]))
  expect(await told(await enter(gateway))).toEqual(['resync'])
  const bindings = [{ ...anyUser, filter: 'is_online=eq.true' }]
  expect(await told(await enter(gateway, { bindings }))).toEqual(['resync'])
})

test('on probation nothing is told before the fresh token is there', async () => {
  const gateway = await startGateway()
  const old = gateway.tokenOf(ann)
  await drop(await enter(gateway, { token: old }))
  await gone(gateway)
  gateway.passTime(3_599_000)
  const before = await enter(gateway)
  await drop(before)
  await gone(gateway)
  gateway.publish(inserted(row('one'), [ann]))
  gateway.passTime(2_000)
  const after = await enter(gateway, { token: old })
  expect(await told(after)).toEqual([])
  after.send('1', '2', topic, 'access_token', { access_token: gateway.tokenOf(ann) })
  expect(await told(after)).toEqual(['one'])
})

test('more than there is room for makes whoever comes back read anew', async () => {
  const gateway = await startGateway()
  await drop(await enter(gateway))
  await gone(gateway)
  for (let i = 0; i <= feedLogLimits.entriesMax; i++) gateway.publish(inserted(row('one'), [ann]))
  expect(await told(await enter(gateway))).toEqual(['resync'])
})

test('who makes up ids pushes out their own, and nobody else', async () => {
  const gateway = await startGateway()
  await drop(await enter(gateway, { as: bob }))
  for (let i = 0; i <= feedLimits.waitingPerPersonMax; i++) await drop(await enter(gateway, { id: String(i) }))
  await gone(gateway)
  gateway.publish(inserted(row('one'), [ann, bob]))
  expect(await told(await enter(gateway, { id: '0' }))).toEqual(['resync'])
  expect(await told(await enter(gateway, { id: '1' }))).toEqual(['one'])
  expect(await told(await enter(gateway, { as: bob }))).toEqual(['one'])
})

test('who is back before the old socket is known to be gone misses nothing, and a copy of the tab is not cut off', async () => {
  const gateway = await startGateway()
  const before = await enter(gateway)
  await before.settle()
  before.webSocket.pause()
  gateway.publish(inserted(row('one'), [ann]))
  const after = await enter(gateway)
  gateway.publish(inserted(row('two'), [ann]))
  expect(await told(after)).toEqual(['one', 'two'])
  before.webSocket.resume()
  expect(await told(before)).toEqual(['one', 'two'])
  await drop(before)
  await gone(gateway, 1)
  gateway.publish(inserted(row('three'), [ann]))
  expect(await told(after)).toEqual(['three'])
  await drop(after)
  await gone(gateway)
  expect(await told(await enter(gateway))).toEqual(['one', 'two', 'three'])
})

test('where something was lost between the nodes everyone is told to read anew, here and away', async () => {
  const gateway = await startGateway()
  const [here, away] = [await enter(gateway, { as: bob }), await enter(gateway)]
  await told(here)
  await drop(away)
  await gone(gateway, 1)
  gateway.bus.deliver({ kind: 'gap' })
  expect(await told(here)).toEqual(['resync'])
  expect(await told(await enter(gateway))).toEqual(['resync'])
})

test('what was lost between the nodes while a token had expired fails the channel once it is renewed', async () => {
  const gateway = await startGateway()
  const client = await enter(gateway)
  await told(client)
  gateway.passTime(3_600_000)
  gateway.publish(inserted(row('one'), [ann]))
  gateway.bus.deliver({ kind: 'gap' })
  expect(await told(client)).toEqual([])
  client.send('1', '2', topic, 'access_token', { access_token: gateway.tokenOf(ann) })
  expect((await told(client)).at(-1)).toBe('phx_error')
})

test.each([
  ['that says how far it came hears everything once', true],
  ['that does not hears everything, and perhaps again', false],
])('over a line that is cut again and again an official client %s, in order', async (_, tellsCursor) => {
  const count = 600
  const gateway = await startGateway({ pingIntervalMs: 20 })
  const line = await createLine(gateway)
  const client = await officialClient({ ...gateway, origin: line.origin }, ann, '2.0.0', {
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
    gateway.publish(inserted(row(String(i)), [ann]))
    if (i % 90 === 0) line.cut()
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

test.each([
  ['that says how far it came', true],
  ['that does not', false],
])('a notice that was lost with the line is given again to a client %s', async (_, tellsCursor) => {
  const gateway = await startGateway()
  const first = await enter(gateway, { acknowledges: false, ...(tellsCursor ? { after: null } : {}) })
  await drop(first)
  await gone(gateway)
  // It may be that nothing of the first time reached it.
  const second = await enter(gateway, tellsCursor ? { after: null } : {})
  expect(await told(second)).toEqual(['resync'])
  gateway.publish(inserted(row('one'), [ann]))
  const { commit_timestamp: cursor } = await second.change()
  second.webSocket.pause()
  gateway.bus.deliver({ kind: 'gap' })
  await drop(second)
  await gone(gateway)
  expect(await told(await enter(gateway, tellsCursor ? { after: cursor as string } : {}))).toEqual(['resync'])
})

test('a notice that arrived is not given again', async () => {
  const gateway = await startGateway()
  await drop(await enter(gateway, { after: null }))
  await gone(gateway)
  gateway.publish(inserted(row('one'), [ann]))
  expect(await told(await enter(gateway, { after: null }))).toEqual(['one'])
})
