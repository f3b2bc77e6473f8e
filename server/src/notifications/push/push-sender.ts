import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { PushPayload } from '@hither/contract/notifications.ts'
import { createResolve, isPublicAddress, type Resolve } from './public-addresses.ts'
import type { PushKeys } from './push-keys.ts'
import type { Target } from './subscriptions.queries.ts'

interface PushMessage {
  readonly payload: PushPayload
  /** How many seconds a push service stores the push for a device that is offline. */
  readonly ttlSeconds: number
  readonly urgency: 'normal' | 'high'
  /** The push service stores only the latest push of a topic. At most 32 base64url characters. */
  readonly topic: string
}

/**
 * `taken`: the push service has accepted it. `gone`: the subscription does not exist any more. `refused`: a retry would
 * not help. `failed`: may be retried after `retryAfterMs`.
 */
type Outcome =
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
  /** The contact for push services: an https URL or a `mailto:`. */
  readonly subject: string
  /** Origins that are allowed without https and with private addresses. */
  readonly pushHosts: readonly string[]
  readonly resolve?: Resolve
  readonly timeoutMs?: number
}

export function createPushSender(options: PushSenderOptions): PushSender {
  const { keys, subject, pushHosts, resolve = createResolve(), timeoutMs = 3000 } = options
  const named = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }
  const guarded = new HttpsAgent({ keepAlive: true, lookup: lookupPublic(resolve) })

  function post(url: URL, headers: Record<string, string>, body: Buffer): Promise<IncomingMessage> {
    const isNamed = pushHosts.includes(url.origin)
    if (!isNamed && (url.protocol !== 'https:' || !isAllowedHost(url.hostname))) throw new PrivateHost()
    const signal = AbortSignal.timeout(timeoutMs)
    const options = { method: 'POST', headers, signal }
    const { promise, resolve: answered, reject } = Promise.withResolvers<IncomingMessage>()
    const attempt = (isFirst: boolean) => {
      // Node's plain request does not follow redirects.
      const request =
        url.protocol === 'http:'
          ? requestHttp(url, { ...options, agent: named.http }, answered)
          : requestHttps(url, { ...options, agent: isNamed ? named.https : guarded }, answered)
      request.on('error', (error: NodeJS.ErrnoException) => {
        // A push service may close a connection that was idle at the moment it is used again.
        if (isFirst && request.reusedSocket && error.code === 'ECONNRESET') attempt(false)
        else reject(error)
      })
      request.end(body)
    }
    attempt(true)
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

/** Checks literal IP addresses, which are not resolved. Host names are checked when they are resolved. */
function isAllowedHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) === 0 || isPublicAddress(address)
}

/** Connects to exactly the addresses that were checked, so that a name cannot resolve to a different one in between. */
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

/** Discards the response body, so that the connection can be used again. */
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
  // A wrong clock of the server makes tokens invalid; that error ends when the clock is corrected.
  const isPassing = statusCode >= 500 || [401, 403, 408, 425, 429].includes(statusCode)
  if (!isPassing) return { state: 'refused', reason }
  const seconds = Number(headers['retry-after'])
  return { state: 'failed', reason, retryAfterMs: seconds > 0 ? Math.min(seconds, 3600) * 1000 : 0 }
}

/** Returns the reason of an error without the endpoint. */
function reasonOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: unknown }
  return typeof code === 'string' ? code : (name ?? 'unknown')
}
