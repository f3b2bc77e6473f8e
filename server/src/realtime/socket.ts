import { type Duplex } from 'node:stream'
import { type SessionId } from '@hither/contract/ids.ts'
import { type WebSocket } from 'ws'
import { type Tokens } from '../auth/tokens.ts'
import { createConnection } from './connection.ts'
import { type Hub } from './hub.ts'
import { type Presence } from './presence.ts'
import { type Vsn } from './protocol.ts'

export const socketLimits = {
  messageBytesMax: 256 * 1024,
  /** Beyond this much unsent, the peer is too slow: it is ended rather than starved of single events. */
  unsentBytesMax: 4 * 1024 * 1024,
  missedPingsMax: 2,
} as const

/** As pino's. Given no tokens, queries or records. */
export interface Log {
  debug(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

interface SocketDeps {
  readonly tokens: Tokens
  readonly hub: Hub
  readonly presence: Presence
  readonly now: () => Date
  readonly log: Log
  readonly onClose: () => void
}

/** One WebSocket: its life, its pace and its end. */
export interface Socket {
  channelCount(): number
  belongsTo(sessionIds: ReadonlySet<SessionId>): boolean
  /** To be called every few seconds: pings, and ends a peer that no longer answers. */
  tick(): void
  /** Nothing is delivered from here on, even where the peer does not answer the close. */
  endSession(): void
  /** Nothing is sent after it. The channels stay until the peer has answered, or 30 s have passed. */
  close(code: number, reason: string): void
  terminate(): void
}

export function createSocket(
  { tokens, hub, presence, now, log, onClose }: SocketDeps,
  { webSocket, stream, vsn }: { webSocket: WebSocket; stream: Duplex; vsn: Vsn },
): Socket {
  let missedPings = 0
  let isCorked = false
  const connection = createConnection({ tokens, hub, presence, now }, { vsn, send })

  webSocket.on('message', (data, isBinary) => {
    missedPings = 0
    // Frames still arrive while the close is under way.
    if (webSocket.readyState !== webSocket.OPEN) return
    try {
      connection.receive(data as Buffer, isBinary)
    } catch (error) {
      log.error({ err: error }, 'live channel: a frame could not be handled')
      webSocket.close(1011)
    }
  })
  webSocket.on('pong', () => {
    missedPings = 0
  })
  webSocket.on('close', (code, reason) => {
    finish(isDeliberate(code, reason.toString('utf8')))
  })
  // A close always follows.
  webSocket.on('error', (error) =>
    log.debug({ code: (error as NodeJS.ErrnoException).code }, 'live channel: socket error'),
  )

  return {
    channelCount: () => connection.channels.size,
    belongsTo: (sessionIds) => connection.belongsTo(sessionIds),
    tick() {
      connection.sweep()
      if (missedPings >= socketLimits.missedPingsMax) {
        terminate()
        return
      }
      missedPings++
      if (webSocket.readyState === webSocket.OPEN) webSocket.ping()
    },
    endSession() {
      connection.end(true)
      webSocket.close(4001, 'session ended')
    },
    close: (code, reason) => webSocket.close(code, reason),
    terminate,
  }

  function send(data: string | Buffer): void {
    if (webSocket.readyState !== webSocket.OPEN) return
    cork()
    webSocket.send(data, { binary: false })
    if (webSocket.bufferedAmount <= socketLimits.unsentBytesMax) return
    log.warn({ unsentBytes: webSocket.bufferedAmount }, 'live channel: a slow socket is ended')
    terminate()
  }

  function terminate(): void {
    webSocket.terminate()
    finish(false)
  }

  /** Also comes twice: what a frame under way still began after the first is ended by the second. */
  function finish(isClean: boolean): void {
    connection.end(isClean)
    onClose()
  }

  /** What is said in one turn goes out in one packet. */
  function cork(): void {
    if (isCorked) return
    isCorked = true
    stream.cork()
    process.nextTick(() => {
      isCorked = false
      stream.uncork()
    })
  }
}

/**
 * A browser that leaves sends 1001, an app that disconnects 1000 or nothing. The official client also closes with 1000
 * where a heartbeat went unanswered, and that one is coming back.
 */
function isDeliberate(code: number, reason: string): boolean {
  return (code === 1000 || code === 1001 || code === 1005) && reason !== 'heartbeat timeout'
}
