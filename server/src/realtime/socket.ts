import { type Duplex } from 'node:stream'
import { type ConversationId, type SessionId, type UserId } from '@hither/contract/ids.ts'
import { type WebSocket } from 'ws'
import { type Tokens } from '../auth/tokens.ts'
import { type Broadcasts } from './broadcasts.ts'
import { createBucket } from './bucket.ts'
import { createConnection } from './connection.ts'
import { type Doorman } from './doorman.ts'
import { type Presence } from './presence.ts'
import { type Vsn } from './protocol.ts'
import { createWriter } from './writer.ts'

export const socketLimits = {
  messageBytesMax: 256 * 1024,
  /** Beyond this much unsent, the peer is too slow: it is ended rather than starved of single events. */
  unsentBytesMax: 1024 * 1024,
  missedPingsMax: 2,
  /** After so many changes the peer is asked how far it came, lest too much has to be kept for it. */
  changesPerPing: 100,
  /** Beyond this the peer is read from more slowly: it loses nothing, and takes no time from others. */
  messages: { burst: 500, perSecond: 100 },
  /** Whoever has joined nothing for this long is not about to. */
  idleMs: 120_000,
} as const

/** As pino's. Given no tokens, queries or records. */
export interface Log {
  debug(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

interface SocketDeps {
  readonly tokens: Tokens
  readonly doorman: Doorman
  readonly broadcasts: Broadcasts
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
  endMembership(conversationId: ConversationId, userId: UserId): void
  /** Durable events may have been missed: the app is told to read everything again. */
  resync(): void
  /** Nothing is sent after it. The channels stay until the peer has answered, or 30 s have passed. */
  close(code: number, reason: string): void
  terminate(): void
}

interface Peer {
  readonly webSocket: WebSocket
  readonly stream: Duplex
  readonly vsn: Vsn
  readonly clientId: string | null
}

export function createSocket(
  { log, onClose, ...deps }: SocketDeps,
  { webSocket, stream, vsn, clientId }: Peer,
): Socket {
  const { now } = deps
  let missedPings = 0
  let changesSincePing = 0
  let pingCount = 0
  /** What the peer has once it answers a ping, by the ping's number. */
  const unanswered = new Map<number, (() => void)[]>()
  let resumption: NodeJS.Timeout | undefined
  let idleSince = now().getTime()
  const writer = createWriter(webSocket, stream)
  const messages = createBucket(socketLimits.messages)
  const outlet = { vsn, send, sendBinary, onChangeSent, askHowFar, fail }
  const connection = createConnection(deps, outlet, clientId)

  webSocket.on('message', (data, isBinary) => {
    missedPings = 0
    // Frames still arrive while the close is under way.
    if (webSocket.readyState !== webSocket.OPEN) return
    slowDown(messages.overdraw())
    try {
      connection.receive(data as Buffer, isBinary)
    } catch (error) {
      fail(error)
    }
  })
  webSocket.on('pong', (data) => {
    missedPings = 0
    acknowledge(Number(data.toString('latin1')))
  })
  webSocket.on('close', (code, reason) => {
    finish(isDeliberate(code, reason.toString('utf8')) ? 'left' : 'lost')
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
      if (connection.channels.size > 0) idleSince = now().getTime()
      if (now().getTime() - idleSince >= socketLimits.idleMs) close(4000, 'nothing joined')
      missedPings++
      ping()
    },
    endSession() {
      connection.end('ended')
      close(4001, 'session ended')
    },
    endMembership: connection.endMembership,
    resync() {
      for (const channel of [...connection.channels.values()]) {
        channel.resync()
        // The end of a membership may have been missed: the join that follows checks it.
        if (channel.conversations.length > 0) channel.fail('A membership may have ended')
      }
    },
    close,
    terminate,
  }

  function send(data: string | Buffer): void {
    write(data, false)
  }

  function sendBinary(data: Buffer): void {
    write(data, true)
  }

  function write(data: string | Buffer, binary: boolean): void {
    if (webSocket.readyState !== webSocket.OPEN) return
    writer.write(data, binary)
    const unsentBytes = writer.waitingBytes + webSocket.bufferedAmount
    if (unsentBytes <= socketLimits.unsentBytesMax) return
    log.warn({ unsentBytes }, 'live channel: a slow socket is ended')
    terminate()
  }

  function onChangeSent(): void {
    changesSincePing++
    if (changesSincePing >= socketLimits.changesPerPing) ping()
  }

  function askHowFar(): void {
    changesSincePing++
    ping()
  }

  /** The answer to a ping tells that all before it has arrived. */
  function ping(): void {
    if (webSocket.readyState !== webSocket.OPEN) return
    if (changesSincePing > 0 && clientId !== null)
      unanswered.set(
        pingCount,
        [...connection.channels.values()].map((channel) => channel.markWritten()),
      )
    changesSincePing = 0
    writer.flush()
    webSocket.ping(String(pingCount++))
  }

  function acknowledge(answered: number): void {
    for (const [count, marks] of unanswered) {
      if (!(count <= answered)) return
      unanswered.delete(count)
      for (const mark of marks) mark()
    }
  }

  /** What has been read already is still handled: the wait is for all of it. */
  function slowDown(waitMs: number): void {
    if (waitMs === 0) return
    webSocket.pause()
    clearTimeout(resumption)
    resumption = setTimeout(() => webSocket.resume(), waitMs)
  }

  function fail(error: unknown): void {
    log.error({ err: error }, 'live channel: a frame could not be handled')
    close(1011)
  }

  function close(code: number, reason?: string): void {
    writer.flush()
    webSocket.close(code, reason)
  }

  function terminate(): void {
    webSocket.terminate()
    finish('lost')
  }

  /** Also comes twice: what a frame under way still began after the first is ended by the second. */
  function finish(how: 'lost' | 'left'): void {
    clearTimeout(resumption)
    connection.end(how)
    onClose()
  }
}

/**
 * A browser that leaves sends 1001, an app that disconnects 1000 or nothing. The official client also closes with 1000
 * where a heartbeat went unanswered, and that one is coming back.
 */
function isDeliberate(code: number, reason: string): boolean {
  return (code === 1000 || code === 1001 || code === 1005) && reason !== 'heartbeat timeout'
}
