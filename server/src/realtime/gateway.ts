import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import { type Duplex } from 'node:stream'
import { realtimePath } from '@hither/contract/feeds.ts'
import { type ConversationId, type SessionId, type UserId } from '@hither/contract/ids.ts'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Tokens } from '../auth/tokens.ts'
import { type Attendance } from '../platform/attendance.ts'
import { type Bus, type BusMessage } from '../platform/bus.ts'
import { type Resumption } from '../platform/events/resumption.ts'
import { createAdmission } from './admission.ts'
import { createBroadcasts, objectionTo } from './broadcasts.ts'
import { conversationOf } from './conversations.ts'
import { createDoorman } from './doorman.ts'
import { createFeeds } from './feeds.ts'
import { createHub } from './hub.ts'
import { createPresence } from './presence.ts'
import { type Broadcast, type Vsn, vsnOf } from './protocol.ts'
import { createSocket, type Log, type Socket, socketLimits } from './socket.ts'

export interface GatewayDeps {
  readonly tokens: Tokens
  readonly bus: Bus
  readonly attendance: Attendance
  /** `null` where there is no other node. */
  readonly resumption: Resumption | null
  readonly now: () => Date
  readonly log: Log
  /** Of the headers `Origin` (`undefined` where the caller is no browser) and `Host`. */
  readonly allowedOrigins: (origin: string | undefined, host: string | undefined) => boolean
  /** Whose presence they may see, and they theirs. */
  readonly friendsOf: (userId: UserId) => Promise<readonly UserId[]>
  /**
   * Whether someone is a member of a conversation at this moment: asked before they may join its topic, or its messages.
   * When they cease to be, `membership_ended` on the bus ends what they joined.
   */
  readonly isMember: (conversationId: ConversationId, userId: UserId) => Promise<boolean>
  /** Someone's first socket began to track them, or the last one ceased to. Told at one node only. */
  readonly onOnlineChange?: (userId: UserId, isOnline: boolean) => void
  readonly pingIntervalMs?: number
  readonly presenceGraceMs?: number
  /** How long `stop` takes to tell everyone to go; it waits at most as long again for their answers. */
  readonly drainMs?: number
}

export interface Gateway {
  /** Takes all upgrade requests of this server; those to other paths are answered with 404. */
  attach(server: Server): void
  /** Answers upgrades with 503 from here on. */
  refuseNew(): void
  /**
   * Ends every socket in slices, so that the clients do not all come back in one moment, and refuses new ones. To be
   * awaited before the server closes.
   */
  stop(): Promise<void>
  stats(): { sockets: number; channels: number }
  /** Says it on behalf of someone who is not joined; else the reason why not, which is `no member` for a topic not theirs. */
  broadcast(userId: UserId, broadcast: Broadcast): Promise<string | null>
}

const paths: readonly string[] = [`/api${realtimePath}/websocket`, '/socket/websocket']

/** The live channel: who joined hears, over the protocol of Supabase Realtime, the changes that name them as audience. */
export function createGateway(deps: GatewayDeps): Gateway {
  const { tokens, bus, now, log, allowedOrigins, friendsOf, onOnlineChange = () => {} } = deps
  const sockets = new Set<Socket>()
  const hub = createHub()
  const feeds = createFeeds({
    hub,
    bus,
    resumption: deps.resumption,
    now,
    onError: (error) => log.error({ err: error }, 'live channel: resume positions unavailable'),
  })
  const broadcasts = createBroadcasts(bus)
  const doorman = createDoorman({
    admission: createAdmission(),
    feeds,
    isMember: deps.isMember,
    onError: (error) => log.error({ err: error }, 'live channel: a join could not be decided'),
  })
  const onError = (error: unknown) => log.error({ err: error }, 'presence failed')
  const graceMs = deps.presenceGraceMs ?? 5000
  const { attendance } = deps
  const presence = createPresence({ bus, attendance, friendsOf, onOnlineChange, onError, now, graceMs })
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: socketLimits.messageBytesMax,
  })
  let isRefusing = false
  let stopped: Promise<void> | null = null
  const stopListening = bus.subscribe(hear)
  const ticker = setInterval(tick, deps.pingIntervalMs ?? 8000)

  return {
    attach(httpServer) {
      httpServer.on('upgrade', upgrade)
    },
    refuseNew() {
      isRefusing = true
    },
    stop() {
      isRefusing = true
      stopped ??= stop()
      return stopped
    },
    stats() {
      let channels = 0
      for (const socket of sockets) channels += socket.channelCount()
      return { sockets: sockets.size, channels }
    },
    async broadcast(userId, broadcast) {
      const objection = objectionTo(broadcast, userId)
      if (objection !== null) return objection
      const conversation = conversationOf(broadcast.topic)
      if (conversation === null || !(await deps.isMember(conversation, userId))) return 'no member'
      broadcasts.publish(broadcast, null)
      return null
    },
  }

  function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const { path, query } = splitUrl(request.url ?? '')
    const vsn = vsnOf(query.get('vsn'))
    const status = refusalOf(request, path, vsn)
    if (status !== null || vsn === null) {
      refuse(stream, status ?? 400)
      return
    }
    server.handleUpgrade(request, stream, head, (webSocket: WebSocket) => {
      const onClose = () => sockets.delete(socket)
      const clientId = clientIdOf(query)
      const parts = { tokens, doorman, broadcasts, presence, now, log, onClose }
      const socket = createSocket(parts, { webSocket, stream, vsn, clientId })
      sockets.add(socket)
    })
  }

  /** Whatever else is wrong is said in the join, where the app can read the reason: here it only sees a dead socket. */
  function refusalOf({ headers }: IncomingMessage, path: string, vsn: Vsn | null): RefusalStatus | null {
    if (!paths.includes(path)) return 404
    if (isRefusing) return 503
    if (!allowedOrigins(headers.origin, headers.host)) return 403
    return vsn ? null : 400
  }

  function hear(message: BusMessage): void {
    switch (message.kind) {
      case 'changes':
        hub.publish(message.changes)
        break
      case 'sessions_ended':
        endSessions(new Set(message.sessionIds))
        break
      case 'friends_changed':
        for (const userId of message.userIds) hub.cut(userId)
        presence.friendsChanged(...message.userIds)
        break
      case 'membership_ended':
        hub.cut(message.userId)
        for (const socket of [...sockets]) socket.endMembership(message.conversationId, message.userId)
        break
      case 'broadcast':
        broadcasts.hear(message)
        break
      case 'presence':
        presence.hear(message)
        break
      case 'presence_gap':
        presence.lookAgain()
        break
      case 'gap':
        feeds.forgetWaiting()
        for (const socket of [...sockets]) socket.resync()
        presence.lookAgain()
        break
    }
  }

  function endSessions(sessionIds: ReadonlySet<SessionId>): void {
    feeds.endSessions(sessionIds)
    for (const socket of [...sockets]) if (socket.belongsTo(sessionIds)) socket.endSession()
  }

  function tick(): void {
    feeds.sweep()
    for (const socket of [...sockets]) socket.tick()
  }

  async function stop(): Promise<void> {
    const slices = 20
    const drainMs = deps.drainMs ?? 1000
    const pauseMs = drainMs / slices
    const all = [...sockets]
    const size = Math.ceil(all.length / slices)
    for (let start = 0; start < all.length; start += size) {
      for (const socket of all.slice(start, start + size)) socket.close(1012, 'restarting')
      await pause(pauseMs)
    }
    // As long again for those whose answer is on its way.
    for (let waitedMs = 0; sockets.size > 0 && waitedMs < drainMs; waitedMs += pauseMs) await pause(pauseMs)
    for (const socket of [...sockets]) socket.terminate()
    stopListening()
    clearInterval(ticker)
    presence.stop()
    server.close()
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

const clientIdMax = 100

/** Too long is as good as none: nobody's memory is for others to fill. */
function clientIdOf(query: URLSearchParams): string | null {
  const id = query.get('client_id')
  return id === null || id === '' || id.length > clientIdMax ? null : id
}

function splitUrl(url: string): { path: string; query: URLSearchParams } {
  const mark = url.indexOf('?')
  if (mark < 0) return { path: url, query: new URLSearchParams() }
  return { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) }
}

type RefusalStatus = 400 | 403 | 404 | 503

function refuse(stream: Duplex, status: RefusalStatus): void {
  // Whoever hung up meanwhile needs no answer.
  stream.on('error', () => stream.destroy())
  stream.once('finish', () => stream.destroy())
  stream.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
