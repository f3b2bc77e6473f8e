import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type PushPayload } from '@hither/contract/notifications.ts'
import { createResolve, isPublicAddress, type Resolve } from './public-addresses.ts'
import { type PushKeys } from './push-keys.ts'
import { type Target } from './subscriptions.queries.ts'

export interface PushMessage {
  readonly payload: PushPayload
  /** After that many seconds a push service need not hold it for a device that is off. */
  readonly ttlSeconds: number
  readonly urgency: 'normal' | 'high'
  /** The push service keeps the latest of a topic only: 32 characters of base64url at most. */
  readonly topic: string
}

/**
 * `taken`: the push service answers for it from here on. `gone`: there is no such device. `refused`: this one will not be
 * taken, whenever it is sent. `failed`: perhaps later, and not before `retryAfterMs`.
 */
export type Outcome =
  | { readonly state: 'taken' | 'gone' }
  | { readonly state: 'refused'; readonly reason: string }
  | { readonly state: 'failed'; readonly reason: string; readonly retryAfterMs: number }

export interface PushSender {
  /** Never rejects. */
  send(target: Target, message: PushMessage): Promise<Outcome>
  close(): void
}

export interface PushSenderOptions {
  readonly keys: PushKeys
  /** Whom a push service may turn to: an https address or a `mailto:`. */
  readonly subject: string
  /** Origins that may be asked whatever they are and wherever their names lead. */
  readonly pushHosts: readonly string[]
  readonly resolve?: Resolve
  readonly timeoutMs?: number
}

export function createPushSender(options: PushSenderOptions): PushSender {
  const { keys, subject, pushHosts, resolve = createResolve(), timeoutMs = 8000 } = options
  const named = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }
  const guarded = new HttpsAgent({ keepAlive: true, lookup: lookupPublic(resolve) })

  async function post(url: URL, headers: Record<string, string>, body: Buffer): Promise<IncomingMessage> {
    const signal = AbortSignal.timeout(timeoutMs)
    const isNamed = pushHosts.includes(url.origin)
    if (!isNamed && (url.protocol !== 'https:' || !isAllowedHost(url.hostname))) throw new PrivateHost()
    const { promise, resolve: answered, reject } = Promise.withResolvers<IncomingMessage>()
    // Redirects are not followed: this is Node's plain request.
    const request =
      url.protocol === 'http:'
        ? requestHttp(url, { method: 'POST', headers, signal, agent: named.http }, answered)
        : requestHttps(url, { method: 'POST', headers, signal, agent: isNamed ? named.https : guarded }, answered)
    request.on('error', reject)
    request.end(body)
    return promise
  }

  return {
    async send({ endpoint, p256dh, auth }, { payload, ttlSeconds, urgency, topic }) {
      try {
        const url = new URL(endpoint)
        const { default: webPush } = await import('web-push')
        const { cipherText } = webPush.encrypt(p256dh, auth, JSON.stringify(payload), 'aes128gcm')
        const vapid = webPush.getVapidHeaders(url.origin, subject, keys.publicKey, keys.privateKey, 'aes128gcm')
        const headers = {
          authorization: vapid.Authorization,
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          'content-length': String(cipherText.length),
          ttl: String(ttlSeconds),
          urgency,
          topic,
        }
        const response = await post(url, headers, cipherText)
        drain(response)
        return outcomeOf(response)
      } catch (error) {
        if (error instanceof PrivateHost) return { state: 'gone' }
        return { state: 'failed', reason: reasonOf(error), retryAfterMs: 0 }
      }
    },
    close() {
      for (const agent of [named.http, named.https, guarded]) agent.destroy()
    },
  }
}

class PrivateHost extends Error {
  override name = 'PrivateHost'
}

class UnknownHost extends Error {
  readonly code = 'ENOTFOUND'
}

/** Of addresses, which nobody looks up; names are judged by where they lead. */
function isAllowedHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) === 0 || isPublicAddress(address)
}

/** The connection is made to the very addresses that were looked at, so that a name cannot lead elsewhere a moment later. */
function lookupPublic(resolve: Resolve): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        const [first] = found
        if (!first) done(new UnknownHost('no address'), '')
        else if (!addresses.every(isPublicAddress)) done(new PrivateHost(), '')
        else if (options.all) done(null, found)
        else done(null, first.address, first.family)
      },
      (error: Error) => done(error, ''),
    )
  }
}

const answerMaxBytes = 16 * 1024

/** What it says is of no interest, but the connection is used again once it has been said. */
function drain(response: IncomingMessage): void {
  let bytes = 0
  response.on('error', () => undefined)
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > answerMaxBytes) response.destroy()
  })
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): Outcome {
  if (statusCode >= 200 && statusCode < 300) return { state: 'taken' }
  if (statusCode === 404 || statusCode === 410) return { state: 'gone' }
  const reason = `status ${statusCode}`
  // A clock that is wrong makes tokens that are not accepted, and is put right.
  const isPassing = statusCode >= 500 || [401, 403, 408, 425, 429].includes(statusCode)
  if (!isPassing) return { state: 'refused', reason }
  const seconds = Number(headers['retry-after'])
  return { state: 'failed', reason, retryAfterMs: seconds > 0 ? Math.min(seconds, 3600) * 1000 : 0 }
}

/** Nothing that names the address. */
function reasonOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: unknown }
  return typeof code === 'string' ? code : (name ?? 'unknown')
}
