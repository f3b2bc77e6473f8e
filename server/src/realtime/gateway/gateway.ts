import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { realtimePath } from '@hither/contract/feeds.ts'
import type { ConversationId, SessionId, UserId } from '@hither/contract/ids.ts'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Bus, BusMessage } from '../../events/bus.ts'
import type { RecentEvents } from '../../events/recent-events.ts'
import type { TokenVerifier } from '../../platform/http/caller.ts'
import type { PresenceStore } from '../../presence/presence-store.ts'
import { broadcastRefusal, createBroadcasts, tooManyBroadcasts } from '../broadcasts/broadcasts.ts'
import { conversationOf } from '../broadcasts/conversation-topics.ts'
import { createPresence } from '../presence/presence.ts'
import { type Broadcast, type Vsn, vsnOf } from '../protocol/protocol.ts'
import { createHub } from '../subscriptions/hub.ts'
import { createJoinAuthorizer } from './join-authorizer.ts'
import { createJoinQueue } from './join-queue.ts'
import { createPositionSeal } from './position-seal.ts'
import { createShares } from './shares.ts'
import { type Log, Socket, socketLimits } from './socket.ts'

export interface GatewayDeps {
  readonly tokens: TokenVerifier
  readonly bus: Bus
  readonly presenceStore: PresenceStore
  readonly recentEvents: RecentEvents
  /** See `Outbox`. */
  readonly catchUp: () => Promise<void>
  readonly now: () => Date
  /** The same on every node. */
  readonly secret: string
  /** See `OutdatedSettings`. */
  readonly placeKeepMs: number
  readonly log: Log
  /** Decides by the headers `Origin` (`undefined` if the caller is not a browser) and `Host`. */
  readonly allowedOrigins: (origin: string | undefined, host: string | undefined) => boolean
  /** Returns the users whose presence the user may see, and who may see theirs. */
  readonly friendsOf: (userId: UserId) => Promise<readonly UserId[]>
  /**
   * Returns whether the user is a member of the conversation now. It is checked before a join of the topic or of its
   * messages. When the membership ends, `membership_ended` on the bus ends these channels.
   */
  readonly isMember: (conversationId: ConversationId, userId: UserId) => Promise<boolean>
  /** Called on one node only, when the first connection of a user starts to track presence or the last one stops. */
  readonly onOnlineChange?: (userId: UserId, isOnline: boolean) => void
  readonly pingIntervalMs?: number
  readonly presenceGraceMs?: number
  /**
   * How long `stop` takes to close all sockets, in milliseconds. It waits at most as long again for the peers to
   * answer.
   */
  readonly drainMs?: number
}

interface Gateway {
  /** Handles all upgrade requests of this server; other paths are answered with 404. */
  attach(server: Server): void
  /** Answers all further upgrade requests with 503. */
  refuseNew(): void
  /**
   * Refuses new sockets and closes all others in slices, so that the clients do not reconnect at the same moment. The
   * caller awaits it before it closes the server.
   */
  stop(): Promise<void>
  stats(): { sockets: number; channels: number }
  /**
   * Broadcasts for a user who has not joined the topic. Resolves to `null`, or to the reason of a refusal, which is `no
   * member` if the user may not use the topic, or `tooManyBroadcasts`.
   */
  broadcast(userId: UserId, broadcast: Broadcast): Promise<string | null>
}

const paths: readonly string[] = [`/api${realtimePath}/websocket`, '/socket/websocket']

/** The live channel: sends the changes that name a user as audience, over the protocol of Supabase Realtime. */
export function createGateway(deps: GatewayDeps): Gateway {
  const {
    tokens,
    bus,
    recentEvents,
    now,
    placeKeepMs,
    log,
    allowedOrigins,
    friendsOf,
    onOnlineChange = () => {},
  } = deps
  const sockets = new Set<Socket>()
  const hub = createHub()
  const broadcasts = createBroadcasts(bus)
  const shares = createShares(now)
  const joinAuthorizer = createJoinAuthorizer({
    joinQueue: createJoinQueue(),
    isMember: deps.isMember,
    catchUp: deps.catchUp,
    onError: (error) => log.error({ err: error }, 'live channel: a join could not be decided'),
  })
  const onError = (error: unknown) => log.error({ err: error }, 'presence failed')
  const graceMs = deps.presenceGraceMs ?? 5000
  const { presenceStore } = deps
  const { mayTrack } = shares
  const presence = createPresence({ bus, presenceStore, friendsOf, mayTrack, onOnlineChange, onError, now, graceMs })
  const onClose = (socket: Socket) => void sockets.delete(socket)
  const positionSeal = createPositionSeal(deps.secret)
  const channelDeps = { hub, recentEvents, broadcasts, shares, positionSeal, now, placeKeepMs }
  const socketDeps = { ...channelDeps, tokens, joinAuthorizer, presence, log, onClose }
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: socketLimits.messageBytesMax,
  })
  let isRefusing = false
  let stopped: Promise<void> | null = null
  const stopListening = bus.subscribe(deliver)
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
      const objection = broadcastRefusal(broadcast, userId)
      if (objection !== null) return objection
      const conversation = conversationOf(broadcast.topic)
      if (conversation === null || !(await deps.isMember(conversation, userId))) return 'no member'
      if (!shares.mayType(userId, broadcast.topic)) return tooManyBroadcasts
      broadcasts.publish(broadcast.topic, userId, null)
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
      sockets.add(new Socket(socketDeps, { webSocket, stream, vsn }))
    })
  }

  /**
   * Other errors are reported in the reply to the join, where the client can read the reason: a failed upgrade has
   * none.
   */
  function refusalOf({ headers }: IncomingMessage, path: string, vsn: Vsn | null): RefusalStatus | null {
    if (!paths.includes(path)) return 404
    if (isRefusing) return 503
    if (!allowedOrigins(headers.origin, headers.host)) return 403
    return vsn ? null : 400
  }

  function deliver(message: BusMessage): void {
    switch (message.kind) {
      case 'changes':
        hub.publish(message.changes)
        break
      case 'unread_counts_changed':
        hub.publishCounts(message)
        break
      case 'sessions_ended':
        endSessions(new Set(message.sessionIds))
        break
      case 'friends_changed':
        presence.friendsChanged(...message.userIds)
        break
      case 'membership_ended':
        for (const socket of [...sockets]) socket.endMembership(message.conversationId, message.userId)
        break
      case 'typing':
        broadcasts.deliver(message)
        break
      case 'presence':
        presence.deliver(message)
        break
      case 'presence_gap':
        presence.reloadAll()
        break
      case 'gap':
        for (const socket of [...sockets]) socket.resync()
        presence.reloadAll()
        break
    }
  }

  function endSessions(sessionIds: ReadonlySet<SessionId>): void {
    for (const socket of [...sockets]) if (socket.belongsTo(sessionIds)) socket.endSession()
  }

  function tick(): void {
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
    // The peers get the same time again for their close frames.
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

function splitUrl(url: string): { path: string; query: URLSearchParams } {
  const mark = url.indexOf('?')
  if (mark < 0) return { path: url, query: new URLSearchParams() }
  return { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) }
}

type RefusalStatus = 400 | 403 | 404 | 503

function refuse(stream: Duplex, status: RefusalStatus): void {
  // A client that has disconnected needs no response.
  stream.on('error', () => stream.destroy())
  stream.once('finish', () => stream.destroy())
  stream.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
