/**
 * Encodes a whole message as one unmasked frame of a server: RFC 6455, section 5.2. A string is a text message, a buffer a
 * binary one. The frame can be written to any number of sockets.
 */
export function encodeWebSocketFrame(message: string | Buffer): Buffer {
  const isBinary = typeof message !== 'string'
  const length = isBinary ? message.length : Buffer.byteLength(message)
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
  if (isBinary) message.copy(frame, headLength)
  else frame.write(message, headLength)
  return frame
}
