import type { Duplex } from 'node:stream'
import type { ConversationId, SessionId, UserId } from '@hither/contract/ids.ts'
import type { WebSocket } from 'ws'
import type { Vsn } from '../protocol/protocol.ts'
import { encodeWebSocketFrame } from '../protocol/websocket-frame.ts'
import type { Outlet } from './channel.ts'
import { Connection, type ConnectionDeps } from './connection.ts'
import { TokenBucket } from './token-bucket.ts'
import { Writer } from './writer.ts'

export const socketLimits = {
  messageBytesMax: 256 * 1024,
  /** The limit of unsent bytes. A peer above it is too slow and is disconnected, so that no single event is dropped. */
  unsentBytesMax: 1024 * 1024,
  /** How many bytes of replays may be unsent in addition: they are written at once, whatever the speed of the peer. */
  replayBytesMax: 8 * 1024 * 1024,
  missedPingsMax: 2,
  /** Messages above this rate are read later, so that none is lost and other peers are not delayed. */
  messages: { burst: 500, perSecond: 100 },
  /** A socket without any channel for this long is closed. */
  idleMs: 120_000,
} as const

/** The methods of a pino logger that are used. Tokens, queries and records are never passed to it. */
export interface Log {
  debug(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

interface SocketDeps extends ConnectionDeps {
  readonly log: Log
  readonly onClose: (socket: Socket) => void
}

interface Peer {
  readonly webSocket: WebSocket
  readonly stream: Duplex
  readonly vsn: Vsn
}

/** One WebSocket: its heartbeat, its limits and its end. */
export class Socket implements Outlet {
  readonly vsn: Vsn
  readonly #deps: SocketDeps
  readonly #webSocket: WebSocket
  readonly #writer: Writer
  readonly #connection: Connection
  readonly #messages = new TokenBucket(socketLimits.messages)
  #missedPings = 0
  /** The size of the replays that the peer may not have read yet. */
  #replayBytes = 0
  #reading: NodeJS.Timeout | undefined
  #idleSince: number

  constructor(deps: SocketDeps, { webSocket, stream, vsn }: Peer) {
    this.vsn = vsn
    this.#deps = deps
    this.#webSocket = webSocket
    this.#writer = new Writer(webSocket, stream)
    this.#connection = new Connection(deps, this)
    this.#idleSince = deps.now().getTime()
    webSocket.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary))
    webSocket.on('pong', () => {
      this.#missedPings = 0
    })
    webSocket.on('close', (code, reason) => this.#finish(isDeliberate(code, reason.toString('utf8')) ? 'left' : 'lost'))
    // The event `close` always follows.
    webSocket.on('error', (error) =>
      deps.log.debug({ code: (error as NodeJS.ErrnoException).code }, 'live channel: socket error'),
    )
  }

  channelCount(): number {
    return this.#connection.channels.size
  }

  belongsTo(sessionIds: ReadonlySet<SessionId>): boolean {
    return this.#connection.belongsTo(sessionIds)
  }

  /** Sends a ping, and ends a peer that no longer answers. The caller calls it every few seconds. */
  tick(): void {
    this.#connection.sweep()
    if (this.#missedPings >= socketLimits.missedPingsMax) {
      this.terminate()
      return
    }
    const at = this.#deps.now().getTime()
    if (this.#connection.channels.size > 0) this.#idleSince = at
    if (at - this.#idleSince >= socketLimits.idleMs) this.close(4000, 'nothing joined')
    if (this.#unsentBytes() <= socketLimits.unsentBytesMax) this.#replayBytes = 0
    this.#missedPings++
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return
    this.#writer.flush()
    this.#webSocket.ping()
  }

  /** Stops delivery at once, even if the peer does not answer the close. */
  endSession(): void {
    this.#connection.end('ended')
    this.close(4001, 'session ended')
  }

  endMembership(conversationId: ConversationId, userId: UserId): void {
    this.#connection.endMembership(conversationId, userId)
  }

  /** Asks the client to refetch everything, because events may have been lost. */
  resync(): void {
    for (const channel of [...this.#connection.channels.values()]) {
      channel.resync()
      // The end of a membership may have been missed: the next join checks it.
      if (channel.conversations.length > 0) channel.fail('A membership may have ended')
    }
  }

  send(text: string): void {
    this.sendFrame(encodeWebSocketFrame(text))
  }

  sendFrame(frame: Buffer): void {
    const webSocket = this.#webSocket
    if (webSocket.readyState !== webSocket.OPEN) return
    this.#writer.write(frame)
    const unsentBytes = this.#unsentBytes()
    if (unsentBytes <= socketLimits.unsentBytesMax + this.#replayBytes) return
    this.#deps.log.warn({ unsentBytes }, 'live channel: a slow socket is ended')
    this.terminate()
  }

  onReplay(bytes: number): void {
    this.#replayBytes = Math.min(this.#replayBytes + bytes, socketLimits.replayBytesMax)
  }

  fail(error: unknown): void {
    this.#deps.log.error({ err: error }, 'live channel: a frame could not be handled')
    this.close(1011)
  }

  /** Sends nothing after it. The channels remain until the peer has answered, or 30 s have passed. */
  close(code: number, reason?: string): void {
    this.#writer.flush()
    this.#webSocket.close(code, reason)
  }

  terminate(): void {
    this.#webSocket.terminate()
    this.#finish('lost')
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#missedPings = 0
    // Frames still arrive while the socket is closing.
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return
    this.#slowDown(this.#messages.overdraw())
    try {
      this.#connection.receive(data, isBinary)
    } catch (error) {
      this.fail(error)
    }
  }

  #unsentBytes(): number {
    return this.#writer.waitingBytes + this.#webSocket.bufferedAmount
  }

  /** Messages that were already read are still handled, so the pause covers all of them. */
  #slowDown(waitMs: number): void {
    if (waitMs === 0) return
    this.#webSocket.pause()
    clearTimeout(this.#reading)
    this.#reading = setTimeout(() => this.#webSocket.resume(), waitMs)
  }

  /** May be called twice: the second call ends what a frame in progress started after the first. */
  #finish(how: 'lost' | 'left'): void {
    clearTimeout(this.#reading)
    this.#connection.end(how)
    this.#deps.onClose(this)
  }
}

/**
 * A browser that leaves sends 1001, an app that disconnects 1000 or nothing. The official client also closes with 1000
 * after an unanswered heartbeat, and then reconnects.
 */
function isDeliberate(code: number, reason: string): boolean {
  return (code === 1000 || code === 1001 || code === 1005) && reason !== 'heartbeat timeout'
}
