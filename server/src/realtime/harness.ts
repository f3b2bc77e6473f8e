import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { positionExtension, type UserRow } from '@hither/contract/feeds.ts'
import type { ConversationId, SessionId, UserId } from '@hither/contract/ids.ts'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { createTokens } from '../auth/tokens.ts'
import { joinCluster } from '../cluster/cluster.ts'
import type { UnreadCountsChanged } from '../events/bus.ts'
import { type Change, createLocalBus, type DurableEvent } from '../events/bus.ts'
import type { Appending } from '../events/outbox.ts'
import { createRecentEvents } from '../events/recent-events.ts'
import type { Pool } from '../platform/db/database.ts'
import { sendWithCommit } from '../platform/db/transactions.ts'
import { createLocalPresenceStore } from '../presence/presence-store.ts'
import { createGateway, type GatewayDeps } from './gateway/gateway.ts'
import { decodeText, encodeFrame, type Frame, type Payload, type Ref, type Vsn } from './protocol/protocol.ts'

export const ann = '0190a0a0-0000-7000-8000-00000000000a' as UserId
export const bob = '0190a0a0-0000-7000-8000-00000000000b' as UserId
export const eve = '0190a0a0-0000-7000-8000-00000000000e' as UserId

export const sessionOf = (userId: UserId) => userId.replace('0190a0a0', '0190a0a1') as SessionId

/** What several gateways of one cluster share. */
interface SharedServices {
  readonly redisUrl: string
  readonly pool: Pool
}

/**
 * Starts a gateway on a real server with its own clock; one of several nodes if `shared` is given. It stops when the
 * test ends.
 */
export async function startGateway({
  shared = null,
  ...options
}: Partial<GatewayDeps> & { shared?: SharedServices | null } = {}) {
  let time = Date.parse('2026-11-21T12:00:00.000Z')
  const now = () => new Date(time)
  const errors: unknown[] = []
  const cluster = shared && (await joinCluster(shared.redisUrl, shared.pool, now, pino({ level: 'silent' })))
  const bus =
    cluster?.bus ??
    createLocalBus((error) => {
      errors.push(error)
    })
  const presenceStore = cluster?.presenceStore ?? createLocalPresenceStore()
  const recent = createRecentEvents()
  let lastId = 0
  const tokens = createTokens('a secret of at least thirty-two bytes', now)
  const log = {
    debug: () => {},
    warn: () => {},
    error: (details: object, message: string) => errors.push({ message, ...details }),
  }
  const gateway = createGateway({
    tokens,
    bus,
    presenceStore,
    recentEvents: cluster?.recentEvents ?? recent,
    catchUp: cluster?.outbox.catchUp ?? (async () => {}),
    now,
    secret: 'a secret of at least thirty-two bytes',
    placeKeepMs: 86_400_000,
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
    await cluster?.close()
    server.close()
    if (errors.length > 0) throw new AggregateError(errors, `the gateway failed: ${JSON.stringify(errors)}`)
  })
  async function announce(event: DurableEvent): Promise<void> {
    if (!cluster || !shared) {
      const row = { id: ++lastId, createdAtUs: time * 1000, events: [event], bytes: JSON.stringify(event).length }
      for (const positioned of recent.add(row)) bus.deliver(positioned)
      return
    }
    let appending: Appending | null = null
    await shared.pool.begin(async (tx) => {
      appending = cluster.outbox.append(tx, [event])
      sendWithCommit(tx, [appending.query])
    })
    if (!appending) throw noneWritten
    await cluster.outbox.committed(appending)
  }
  return {
    gateway,
    cluster,
    bus,
    presenceStore,
    tokens,
    errors,
    origin: `ws://127.0.0.1:${port}`,
    tokenOf: (userId: UserId, sessionId = sessionOf(userId)) => tokens.issue(userId, sessionId).token,
    /** Publishes through the outbox if there is one. */
    announce,
    publish: (...changes: Change[]) => announce({ kind: 'changes', changes }),
    /** All that a client could resume from is lost, as after a failure of the database. */
    loseEvents() {
      recent.skipTo({ id: lastId, createdAtUs: time * 1000 })
      bus.deliver({ kind: 'gap' })
    },
    passTime(ms: number) {
      time += ms
    },
  }
}

const noneWritten = new Error('the transaction wrote nothing to the outbox')

export type TestGateway = Awaited<ReturnType<typeof startGateway>>

/** A bare socket, for tests of exact frames. */
export async function connect(
  { origin }: TestGateway,
  {
    vsn = '2.0.0' as Vsn,
    path = '/api/realtime/v1/websocket',
    ...options
  }: ClientOptions & { vsn?: Vsn; path?: string } = {},
) {
  const query = new URLSearchParams({ apikey: 'anon', vsn })
  const webSocket = new WebSocket(`${origin}${path}?${query}`, options)
  onTestFinished(() => webSocket.terminate())
  const received: Frame[] = []
  let wake = () => {}
  webSocket.on('message', (data, isBinary) => {
    const frame = isBinary ? broadcastOf(data as Buffer) : decodeText(vsn, String(data))
    if (frame) received.push(frame)
    wake()
  })
  let pings = 0
  // The first ping may arrive before the caller could add a listener.
  webSocket.on('ping', () => pings++)
  const closed = new Promise<number>((resolve) => webSocket.on('close', resolve))
  // A socket that is terminated reports an error first; `closed` covers both.
  webSocket.on('error', () => {})
  await once(webSocket, 'open')

  const client = {
    webSocket,
    received,
    closed,
    pings: () => pings,
    send: (joinRef: Ref, ref: Ref, topic: string, event: string, payload: Payload = {}) =>
      webSocket.send(encodeFrame(vsn, { joinRef, ref, topic, event, payload })),
    /** Returns the next unread frame that passes, and drops those before it. */
    async next(passes: (frame: Frame) => boolean = () => true): Promise<Frame> {
      for (;;) {
        for (let frame = received.shift(); frame; frame = received.shift()) if (passes(frame)) return frame
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    reply: (ref: Ref) => client.next((frame) => frame.event === 'phx_reply' && frame.ref === ref),
    /** Returns the data of the next change. */
    async change() {
      const { payload } = await client.next(({ event }) => event === 'postgres_changes')
      return payload.data as Payload
    },
    /** Joins `topic` under `ref` and waits for the reply. As in the official client, presence is off unless requested. */
    async join(
      topic: string,
      ref: string,
      token: string | null,
      config: Payload = { postgres_changes: [anyUser] },
      more: Payload = {},
    ) {
      const payload = { config: { presence: { enabled: false }, ...config }, ...more }
      client.send(ref, ref, topic, 'phx_join', { ...payload, ...(token === null ? {} : { access_token: token }) })
      return client.reply(ref)
    },
    /** Resolves once everything sent before has been handled, with all other frames that arrived. */
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

/** Decodes a frame of kind 4, with its payload as JSON or bytes. */
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

/** The last position that these frames name, as a client would name it in its next join. */
export function lastPosition(frames: readonly Frame[]): string | undefined {
  const positions = frames.flatMap(({ event, payload }) => {
    if (event === 'postgres_changes') return [(payload.data as Payload).commit_timestamp as string]
    return payload.extension === positionExtension ? [payload.position as string] : []
  })
  return positions.at(-1)
}

export const anyUser = { event: '*', schema: 'public', table: 'users' }

export function userRow(id: UserId, values: Partial<UserRow> = {}): UserRow {
  return { id, username: 'ann', display_name: null, has_image: false, is_online: false, ...values }
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

/** A message in a conversation of these users: each has as many unread messages as `unread` says. */
export function countsChanged(unread: Readonly<Record<UserId, number>>): UnreadCountsChanged {
  const members = Object.entries(unread).map(([userId, unreadCount]) => ({
    ...{ userId: userId as UserId, role: 'member' as const },
    ...{ unreadCount, previousUnreadCount: unreadCount - 1 },
  }))
  const chat = {
    ...{ id: '0190a0a0-0000-7000-8000-0000000000c0' as ConversationId, name: 'Friday', type: 'group' as const },
    ...{ erase_at: null, kept_at: null, keep_count: 0 as const },
  }
  const times = { updatedAt: committedAt, previousUpdatedAt: '2026-11-21T11:00:00.000Z' }
  return { kind: 'unread_counts_changed', chat, ...times, members, committedAt }
}
