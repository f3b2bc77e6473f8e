import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect as connectTcp, createServer as createTcpServer, type Socket } from 'node:net'
import { type UserRow } from '@hither/contract/feeds.ts'
import { type SessionId, type UserId } from '@hither/contract/ids.ts'
import { type RealtimeChannel, RealtimeClient, type RealtimeClientOptions } from '@supabase/realtime-js'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { createTokens } from '../auth/tokens.ts'
import { createLocalAttendance } from '../platform/attendance.ts'
import { type Change, createLocalBus, type DurableEvent } from '../platform/bus.ts'
import { type Pool } from '../platform/database.ts'
import { type Appending } from '../platform/events/outbox.ts'
import { createTimestampSource } from '../platform/monotonic-timestamps.ts'
import { joinNodes } from '../platform/nodes.ts'
import { sendWithCommit } from '../platform/transactions.ts'
import { createGateway, type GatewayDeps } from './gateway.ts'
import { decodeText, encodeFrame, type Frame, type Payload, type Ref, type Vsn } from './protocol.ts'

export const ann = '0190a0a0-0000-7000-8000-00000000000a' as UserId
export const bob = '0190a0a0-0000-7000-8000-00000000000b' as UserId
export const eve = '0190a0a0-0000-7000-8000-00000000000e' as UserId

export const sessionOf = (userId: UserId) => userId.replace('0190a0a0', '0190a0a1') as SessionId

/** What several gateways share. */
export interface SharedServices {
  readonly redisUrl: string
  readonly pool: Pool
}

/** A gateway on a real server, with a clock of its own; one of several nodes where it is given what they share. Ends with the test. */
export async function startGateway({
  shared = null,
  ...options
}: Partial<GatewayDeps> & { shared?: SharedServices | null } = {}) {
  let time = Date.parse('2026-11-21T12:00:00.000Z')
  const now = () => new Date(time)
  const errors: unknown[] = []
  const nodes = shared && (await joinNodes(shared.redisUrl, shared.pool, now, pino({ level: 'silent' })))
  const bus =
    nodes?.bus ??
    createLocalBus((error) => {
      errors.push(error)
    })
  const attendance = nodes?.attendance ?? createLocalAttendance()
  const timestamp = createTimestampSource(shared && ++nodeCount)
  const tokens = createTokens('a secret of at least thirty-two bytes', now)
  const log = {
    debug: () => {},
    warn: () => {},
    error: (details: object, message: string) => errors.push({ message, ...details }),
  }
  const gateway = createGateway({
    tokens,
    bus,
    attendance,
    resumption: nodes?.resumption ?? null,
    now,
    log,
    allowedOrigins: () => true,
    friendsOf: async () => [],
    isMember: async () => false,
    drainMs: 100,
    ...options,
  })
  const server = createServer((_, response) => response.end())
  gateway.attach(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  onTestFinished(async () => {
    await gateway.stop()
    await nodes?.close()
    server.close()
    if (errors.length > 0) throw new AggregateError(errors, `the gateway failed: ${JSON.stringify(errors)}`)
  })
  async function announce(event: DurableEvent): Promise<void> {
    if (!nodes || !shared) {
      bus.deliver(event)
      return
    }
    let appending: Appending | null = null
    await shared.pool.begin(async (tx) => {
      appending = nodes.outbox.append(tx, [event])
      sendWithCommit(tx, [appending.query])
    })
    if (!appending) throw noneWritten
    await nodes.outbox.committed(appending)
  }
  return {
    gateway,
    nodes,
    bus,
    attendance,
    tokens,
    errors,
    origin: `ws://127.0.0.1:${port}`,
    tokenOf: (userId: UserId, sessionId = sessionOf(userId)) => tokens.issue(userId, sessionId).token,
    /** Through the outbox where there is one. */
    announce,
    publish: (...changes: Change[]) =>
      announce({
        kind: 'changes',
        changes: changes.map((change) => ({ ...change, committedAt: timestamp(new Date(change.committedAt)) })),
      }),
    passTime(ms: number) {
      time += ms
    },
  }
}

/** No two nodes write the same timestamp. */
let nodeCount = 0

const noneWritten = new Error('the transaction wrote nothing to the outbox')

export type TestGateway = Awaited<ReturnType<typeof startGateway>>

/** A bare socket, for where the exact frame matters. */
export async function connect(
  { origin }: TestGateway,
  {
    vsn = '2.0.0' as Vsn,
    path = '/api/realtime/v1/websocket',
    clientId = null as string | null,
    ...options
  }: ClientOptions & { vsn?: Vsn; path?: string; clientId?: string | null } = {},
) {
  const query = new URLSearchParams({ apikey: 'anon', vsn, ...(clientId !== null && { client_id: clientId }) })
  const webSocket = new WebSocket(`${origin}${path}?${query}`, options)
  onTestFinished(() => webSocket.terminate())
  const received: Frame[] = []
  let wake = () => {}
  webSocket.on('message', (data, isBinary) => {
    const frame = isBinary ? broadcastOf(data as Buffer) : decodeText(vsn, String(data))
    if (frame) received.push(frame)
    wake()
  })
  const closed = new Promise<number>((resolve) => webSocket.on('close', resolve))
  // A socket that is ended rudely shows an error first; `closed` tells of both.
  webSocket.on('error', () => {})
  await once(webSocket, 'open')

  const client = {
    webSocket,
    received,
    closed,
    send: (joinRef: Ref, ref: Ref, topic: string, event: string, payload: Payload = {}) =>
      webSocket.send(encodeFrame(vsn, { joinRef, ref, topic, event, payload })),
    /** The next frame not yet taken that passes; those before it are dropped. */
    async next(passes: (frame: Frame) => boolean = () => true): Promise<Frame> {
      for (;;) {
        for (let frame = received.shift(); frame; frame = received.shift()) if (passes(frame)) return frame
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    reply: (ref: Ref) => client.next((frame) => frame.event === 'phx_reply' && frame.ref === ref),
    /** The data of the next change. */
    async change() {
      const { payload } = await client.next(({ event }) => event === 'postgres_changes')
      return payload.data as Payload
    },
    /** Joins `topic` under `ref` and waits for the reply. */
    async join(
      topic: string,
      ref: string,
      token: string | null,
      config: Payload = { postgres_changes: [anyUser] },
      more: Payload = {},
    ) {
      client.send(ref, ref, topic, 'phx_join', { config, ...more, ...(token === null ? {} : { access_token: token }) })
      return client.reply(ref)
    },
    /** Answers once everything sent before has been handled, with what else came meanwhile. */
    async settle(): Promise<Frame[]> {
      const ref = `settled ${Math.random()}`
      client.send(null, ref, 'phoenix', 'heartbeat')
      const before: Frame[] = []
      await client.next((frame) => frame.ref === ref || before.push(frame) < 0)
      return before
    },
  }
  return client
}

/** Kind 4 as a frame, its payload as JSON or as bytes. */
function broadcastOf(data: Buffer): Frame {
  const [topicLength = 0, eventLength = 0, metaLength = 0, encoding] = data.subarray(1, 5)
  const [topicEnd, eventEnd] = [5 + topicLength, 5 + topicLength + eventLength]
  const body = data.subarray(eventEnd + metaLength)
  const payload = {
    type: 'broadcast',
    event: data.subarray(topicEnd, eventEnd).toString(),
    payload: encoding === 1 ? JSON.parse(body.toString()) : body.toString('hex'),
  }
  return { joinRef: null, ref: null, topic: data.subarray(5, topicEnd).toString(), event: 'broadcast', payload }
}

export type TestClient = Awaited<ReturnType<typeof connect>>

export const anyUser = { event: '*', schema: 'public', table: 'users' }

/** The official client, unmodified, signed in as someone. */
export async function officialClient(
  gateway: TestGateway,
  userId: UserId | null,
  vsn: Vsn = '2.0.0',
  options: RealtimeClientOptions = {},
) {
  const client = new RealtimeClient(`${gateway.origin}/api/realtime/v1`, {
    params: { apikey: 'anon' },
    vsn,
    ...options,
  })
  onTestFinished(async () => {
    await client.disconnect()
  })
  if (userId) await client.setAuth(gateway.tokenOf(userId))
  return client
}

/** Subscribes and collects what the app is told; `until` waits for a status. */
export function subscribe(channel: RealtimeChannel) {
  const statuses: { status: string; reason: string | undefined }[] = []
  let wake = () => {}
  channel.subscribe((status, error) => {
    statuses.push({ status, reason: error?.message })
    wake()
  })
  return {
    statuses,
    async until(status: string, count = 1): Promise<string | undefined> {
      for (;;) {
        const found = statuses.filter((entry) => entry.status === status)
        if (found.length >= count) return found[count - 1]?.reason
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}

/** A line to a server that can be cut, with all that is on its way, or led to another one. */
export async function createLine(gateway: Pick<TestGateway, 'origin'>) {
  const ends = new Set<Socket>()
  let target = gateway
  let isOpen = true
  const server = createTcpServer((near) => {
    if (!isOpen) {
      near.destroy()
      return
    }
    const far = connectTcp(Number(new URL(target.origin).port), '127.0.0.1')
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      ends.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        ends.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const end of ends) end.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  return {
    origin: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    setOpen(is: boolean) {
      isOpen = is
    },
    setTarget(next: Pick<TestGateway, 'origin'>) {
      target = next
    },
  }
}

export function userRow(id: UserId, values: Partial<UserRow> = {}): UserRow {
  return { id, username: 'ann', has_image: false, is_online: false, ...values }
}

export const committedAt = '2026-11-21T12:00:00.000Z'

export function inserted(record: UserRow, audience: UserId[]): Change {
  return { table: 'users', type: 'INSERT', record, oldRecord: null, audience, committedAt }
}

export function updated(record: UserRow, oldRecord: UserRow, audience: UserId[]): Change {
  return { table: 'users', type: 'UPDATE', record, oldRecord, audience, committedAt }
}

export function deleted(oldRecord: UserRow, audience: UserId[]): Change {
  return { table: 'users', type: 'DELETE', record: null, oldRecord, audience, committedAt }
}
