import { type Duplex } from 'node:stream'
import { type WebSocket } from 'ws'

/** What goes out to one peer. */
export interface Writer {
  /** Bytes that still wait here for the end of the turn. */
  readonly waitingBytes: number
  /** A buffer may be shared with others: its frame is then written once for all of them. */
  write(data: string | Buffer, isBinary: boolean): void
  /** Everything so far goes out now, for what the WebSocket writes by itself has to come after it. */
  flush(): void
}

/**
 * Writes messages to the stream of a WebSocket, as long as that is open. All that is said to a peer in one turn of the event loop is one write: in
 * a busy room that is several messages for the price of one.
 */
export function createWriter(webSocket: WebSocket, stream: Duplex): Writer {
  let frames: Buffer[] = []
  let waitingBytes = 0
  return {
    get waitingBytes() {
      return waitingBytes
    },
    write(data, isBinary) {
      const frame = typeof data === 'string' ? encode(Buffer.from(data), isBinary) : shared(data, isBinary)
      if (frames.push(frame) === 1) flushAfterTurn(flush)
      waitingBytes += frame.length
    },
    flush,
  }

  function flush(): void {
    const [first, ...others] = frames
    frames = []
    waitingBytes = 0
    if (first !== undefined && webSocket.readyState === webSocket.OPEN)
      stream.write(others.length > 0 ? Buffer.concat([first, ...others]) : first)
  }
}

let due: (() => void)[] = []

/** One timer for all, since a room's message is due for everyone in it. */
function flushAfterTurn(flush: () => void): void {
  if (due.push(flush) > 1) return
  setImmediate(() => {
    const flushes = due
    due = []
    for (const flush of flushes) flush()
  })
}

const encoded = { text: new WeakMap<Buffer, Buffer>(), binary: new WeakMap<Buffer, Buffer>() }

function shared(data: Buffer, isBinary: boolean): Buffer {
  const known = isBinary ? encoded.binary : encoded.text
  let frame = known.get(data)
  if (frame === undefined) {
    frame = encode(data, isBinary)
    known.set(data, frame)
  }
  return frame
}

/** A whole message as one frame of a server, which masks nothing: RFC 6455, section 5.2. */
function encode(data: Buffer, isBinary: boolean): Buffer {
  const { length } = data
  const headLength = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(headLength + length)
  frame[0] = 0x80 | (isBinary ? 2 : 1)
  if (headLength === 2) frame[1] = length
  else if (headLength === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  data.copy(frame, headLength)
  return frame
}
