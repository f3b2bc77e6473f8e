import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { PushPayload, PushSubscription } from '@hither/contract/notifications.ts'

/** One push message, decrypted with the keys of the receiving device. */
export interface ReceivedPush {
  readonly device: string
  readonly payload: PushPayload
  /** The payload before parsing. */
  readonly text: string
  readonly headers: IncomingMessage['headers']
  /** The claims of the VAPID token. Its signature has been verified. */
  readonly claims: { aud: string; exp: number; sub: string }
  /** The VAPID public key. */
  readonly key: string
}

export interface PushService {
  /** The value for `PUSH_HOSTS`. */
  readonly origin: string
  /** All accepted push messages, in order. */
  readonly received: readonly ReceivedPush[]
  /** The number of requests so far, including refused ones. */
  attempts: number
  /** Creates a subscription for a new device. `device` is a name that the test chooses. */
  subscribe(device: string): PushSubscription
  /** The response to requests. `until` delays the response until the promise settles. */
  answer: { status: number; headers?: Record<string, string>; until?: Promise<unknown> }
  close(): Promise<void>
}

interface Device {
  readonly name: string
  readonly curve: ReturnType<typeof createECDH>
  readonly auth: Buffer
}

/**
 * Starts a push service on a free port that decrypts and stores the push messages it receives, as a browser would.
 * `portFor` maps its port to the port of a proxy in front of it.
 */
export async function openPushService(
  tls?: { key: string; cert: string },
  portFor = async (port: number) => port,
): Promise<PushService> {
  const devices = new Map<string, Device>()
  const received: ReceivedPush[] = []
  const listener: RequestListener = async (request, response) => {
    service.attempts++
    const { status, headers, until } = service.answer
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    await until
    const device = devices.get(request.url ?? '')
    if (device && status < 300) received.push(read(device, service.origin, request, Buffer.concat(chunks)))
    response.writeHead(device ? status : 404, headers).end()
  }
  const server: Server = tls ? createSecureServer(tls, listener) : createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = await portFor((server.address() as AddressInfo).port)
  const service: PushService = {
    origin: tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    received,
    attempts: 0,
    answer: { status: 201 },
    subscribe(name) {
      const curve = createECDH('prime256v1')
      curve.generateKeys()
      const device = { name, curve, auth: randomBytes(16) }
      const path = `/push/${randomBytes(12).toString('base64url')}`
      devices.set(path, device)
      const keys = { p256dh: curve.getPublicKey('base64url'), auth: device.auth.toString('base64url') }
      return { endpoint: `${service.origin}${path}`, keys }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return service
}

function read(device: Device, origin: string, { headers }: IncomingMessage, body: Buffer): ReceivedPush {
  if (headers['content-encoding'] !== 'aes128gcm') throw new Error('Not encrypted by RFC 8188')
  const text = decrypt(device, body)
  return {
    device: device.name,
    payload: JSON.parse(text),
    text,
    headers,
    ...check(headers.authorization ?? '', origin),
  }
}

/** Decrypts a message of one record, see RFC 8291. */
function decrypt({ curve, auth }: Device, body: Buffer): string {
  const salt = body.subarray(0, 16)
  const senderKey = body.subarray(21, 21 + (body[20] ?? 0))
  const record = body.subarray(21 + senderKey.length)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), senderKey])
  const secret = Buffer.from(hkdfSync('sha256', curve.computeSecret(senderKey), auth, info, 32))
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12))
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end < 0) throw new Error('No delimiter')
  return padded.subarray(0, end).toString('utf8')
}

/** Verifies that the token is signed with the given key and that its audience is this service, see RFC 8292. */
function check(authorization: string, origin: string): Pick<ReceivedPush, 'claims' | 'key'> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const [head = '', claimed = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const publicKey = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' },
    format: 'jwk',
  })
  const signed = Buffer.from(`${head}.${claimed}`)
  const options = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', signed, options, Buffer.from(signature, 'base64url'))) throw new Error('Not signed by its key')
  const claims = JSON.parse(Buffer.from(claimed, 'base64url').toString('utf8')) as ReceivedPush['claims']
  if (claims.aud !== origin) throw new Error(`Meant for ${claims.aud}`)
  return { claims, key }
}
