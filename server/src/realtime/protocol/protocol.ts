/**
 * Encodes and decodes the frames of Phoenix channels as Supabase Realtime uses them, in both versions of their
 * serialization. A frame that cannot be decoded is `null` and never an error, so that one malformed frame does not end
 * a socket.
 */

export type Vsn = '1.0.0' | '2.0.0'

/** Chosen by the client and returned unchanged. The official client uses strings, some others numbers. */
export type Ref = string | number | null

export type Payload = Readonly<Record<string, unknown>>

export interface Frame {
  readonly joinRef: Ref
  readonly ref: Ref
  readonly topic: string
  readonly event: string
  readonly payload: Payload
}

/** A broadcast of a client. The `body` is JSON text, or bytes. */
export interface Broadcast {
  readonly topic: string
  readonly event: string
  readonly isJson: boolean
  readonly body: Uint8Array
}

/** A broadcast in its binary form. */
interface BinaryBroadcast extends Broadcast {
  readonly joinRef: string
  readonly ref: string
  readonly metadata: string
}

/** Reads `vsn` of the connection's query. An absent version means the oldest; an unknown one is `null`. */
export function vsnOf(text: string | null): Vsn | null {
  if (text === null) return '1.0.0'
  return text === '1.0.0' || text === '2.0.0' ? text : null
}

export function decodeText(vsn: Vsn, text: string): Frame | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (vsn === '1.0.0') {
    if (!isObject(value)) return null
    return frameOf(value.join_ref, value.ref, value.topic, value.event, value.payload)
  }
  if (!Array.isArray(value) || value.length !== 5) return null
  return frameOf(value[0], value[1], value[2], value[3], value[4])
}

const broadcastPush = 3

/**
 * Decodes kind 3, the only one that a client sends: six lengths of one byte and the encoding, then the strings, then
 * the payload.
 */
export function decodeBinary(bytes: Uint8Array): BinaryBroadcast | null {
  if (bytes.length < 7 || bytes[0] !== broadcastPush) return null
  const encoding = bytes[6]
  if (encoding !== 0 && encoding !== 1) return null
  let offset = 7
  const texts: string[] = []
  for (const length of bytes.subarray(1, 6)) {
    if (offset + length > bytes.length) return null
    texts.push(Buffer.from(bytes.buffer, bytes.byteOffset + offset, length).toString('utf8'))
    offset += length
  }
  const [joinRef, ref, topic, event, metadata] = texts as [string, string, string, string, string]
  return { joinRef, ref, topic, event, metadata, isJson: encoding === 1, body: bytes.subarray(offset) }
}

export function encodeFrame(vsn: Vsn, { joinRef, ref, topic, event, payload }: Frame): string {
  if (vsn === '2.0.0') return JSON.stringify([joinRef, ref, topic, event, payload])
  return JSON.stringify({ topic, event, payload, ref, ...(joinRef === null ? {} : { join_ref: joinRef }) })
}

/**
 * Encodes a change for all subscribers of one topic with the same ids. `data` is already JSON, so that it is encoded
 * once for all topics. Both refs are null, because generations and sockets share the frame.
 */
export function encodeChange(vsn: Vsn, topic: string, ids: readonly string[], data: string): string {
  const payload = `{"ids":${JSON.stringify(ids)},"data":${data}}`
  if (vsn === '2.0.0') return `[null,null,${JSON.stringify(topic)},"postgres_changes",${payload}]`
  return `{"topic":${JSON.stringify(topic)},"event":"postgres_changes","payload":${payload},"ref":null}`
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function frameOf(joinRef: unknown, ref: unknown, topic: unknown, event: unknown, payload: unknown): Frame | null {
  if (typeof topic !== 'string' || typeof event !== 'string') return null
  const checkedJoinRef = refOf(joinRef)
  const checkedRef = refOf(ref)
  if (checkedJoinRef === undefined || checkedRef === undefined) return null
  return { joinRef: checkedJoinRef, ref: checkedRef, topic, event, payload: isObject(payload) ? payload : {} }
}

function refOf(value: unknown): Ref | undefined {
  if (value === undefined || value === null) return null
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}
