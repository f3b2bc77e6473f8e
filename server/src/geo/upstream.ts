import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { createConcurrencyLimiter } from '../platform/async/concurrency-limiter.ts'
import { createBreaker } from './breaker.ts'
import type { Found } from './geocoder-responses.ts'

/** A geocoding service on the network. One request runs at a time. */
export interface Upstream {
  /** Throws `NoAnswer` within the time limit. */
  get(path: string, query: Readonly<Record<string, string>>): Promise<Found[]>
  health(): UpstreamHealth
}

/** The health of the service, from its latest requests. */
interface UpstreamHealth {
  /** The end of the pause of the circuit breaker; `null` while it is closed. */
  readonly restsUntil: Date | null
  readonly lastFailure: { readonly at: Date; readonly reason: string } | null
}

/** The service gave no result; the caller continues without one. The message does not contain the place. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
  readonly retryAfterMs: number

  constructor(reason: string, retryAfterMs = 0) {
    super(reason)
    this.retryAfterMs = retryAfterMs
  }
}

export interface UpstreamOptions {
  /** From the configuration only. User input is only ever a value in its query. */
  readonly url: string
  readonly userAgent: string
  /** Parses the JSON of a response, or returns `null`. */
  readonly read: (answer: unknown) => Found[] | null
  readonly now: () => Date
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'debug'>
  /** The minimum time between two requests. */
  readonly spacingMs?: number
  /** The time limit, including the time in the queue. */
  readonly timeoutMs?: number
}

/** The maximum queue length. A longer queue could not be served within the time limit. */
const waitingMax = 19
const answerMaxBytes = 256 * 1024

export function createUpstream(options: UpstreamOptions): Upstream {
  const { url, userAgent, read, now, log, spacingMs = 0, timeoutMs = 4000 } = options
  const breaker = createBreaker(now)
  const limiter = createConcurrencyLimiter({ atOnce: 1, waiting: waitingMax })
  let lastFailure: UpstreamHealth['lastFailure'] = null

  async function request(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Found[]> {
    try {
      const found = read(await fetchJson(addressOf(url, path, query), userAgent, signal))
      if (found === null) throw new NoAnswer('the answer has another form')
      breaker.succeeded()
      return found
    } catch (error) {
      const failure = failureOf(error, signal)
      breaker.failed(failure.retryAfterMs)
      lastFailure = { at: now(), reason: failure.message }
      log[breaker.isOpen() ? 'warn' : 'debug']({ reason: failure.message }, 'the geocoder gave no answer')
      throw failure
    }
  }

  return {
    health: () => ({ restsUntil: breaker.openUntil(), lastFailure }),
    async get(path, query) {
      if (breaker.isOpen()) throw new NoAnswer('it failed recently')
      const signal = AbortSignal.timeout(timeoutMs)
      const askedAt = performance.now()
      const { promise, resolve, reject } = Promise.withResolvers<Found[]>()
      const work = async () => {
        // With little time left the request would fail because of the queue, and the breaker would count it as a
        // failure of the service.
        if (performance.now() - askedAt > timeoutMs * 0.75)
          throw new NoAnswer('the request waited too long in the queue')
        if (breaker.isOpen()) throw new NoAnswer('it failed recently')
        return request(path, query, signal)
      }
      limiter
        .run(async () => {
          await work().then(resolve, reject)
          // The next request waits, but not the caller.
          if (spacingMs > 0) await setTimeout(spacingMs, undefined, { ref: false })
        })
        .catch(() => reject(new NoAnswer('too many are waiting')))
      return promise
    },
  }
}

function addressOf(base: string, path: string, query: Readonly<Record<string, string>>): URL {
  const address = new URL(base)
  address.pathname = `${address.pathname.replace(/\/+$/, '')}${path}`
  address.hash = ''
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  return address
}

async function fetchJson(address: URL, userAgent: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(address, {
    headers: { 'user-agent': userAgent, accept: 'application/json', 'accept-language': 'en' },
    // Redirects are errors: the target is not in the configuration.
    redirect: 'error',
    signal,
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new NoAnswer(`status ${response.status}`, retryAfterOf(response))
  }
  const text = await readLimited(response)
  try {
    return JSON.parse(text)
  } catch {
    throw new NoAnswer('the answer is no JSON')
  }
}

async function readLimited(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > answerMaxBytes) throw new NoAnswer('the answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

/** Reads `Retry-After` of 429 and 503 in seconds. The date form of the header is not supported. */
function retryAfterOf({ status, headers }: Response): number {
  const seconds = Number(headers.get('retry-after'))
  return (status === 429 || status === 503) && seconds > 0 ? seconds * 1000 : 0
}

function failureOf(error: unknown, signal: AbortSignal): NoAnswer {
  if (error instanceof NoAnswer) return error
  return new NoAnswer(signal.aborted ? 'it took too long' : 'it cannot be reached')
}
