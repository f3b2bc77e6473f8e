import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/**
 * Writes frames to the stream of a WebSocket while it is open. All frames to a peer in one tick of the event loop are
 * one write, which costs less if several messages are due at once.
 */
export class Writer {
  readonly #webSocket: WebSocket
  readonly #stream: Duplex
  #frames: Buffer[] = []
  #waitingBytes = 0

  constructor(webSocket: WebSocket, stream: Duplex) {
    this.#webSocket = webSocket
    this.#stream = stream
  }

  /** The number of bytes that wait for the end of the event-loop tick. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** The frame may be shared by several peers. */
  write(frame: Buffer): void {
    if (this.#frames.push(frame) === 1) flushAfterTurn(this)
    this.#waitingBytes += frame.length
  }

  /** Writes everything queued now, so that it comes before what the WebSocket writes itself. */
  flush(): void {
    const frames = this.#frames
    if (frames.length === 0) return
    this.#frames = []
    this.#waitingBytes = 0
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return
    this.#stream.write(frames.length > 1 ? Buffer.concat(frames) : (frames[0] as Buffer))
  }
}

let due: Writer[] = []

/** One timer serves all writers, since a broadcast is due for all participants of a topic at once. */
function flushAfterTurn(writer: Writer): void {
  if (due.push(writer) > 1) return
  setImmediate(() => {
    const writers = due
    due = []
    for (const each of writers) each.flush()
  })
}
