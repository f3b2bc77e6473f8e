import { setTimeout } from 'node:timers/promises'
import { type FastifyBaseLogger } from 'fastify'
import { type Found } from './answers.ts'
import { createBreaker } from './breaker.ts'

/** A geocoder on the network, asked for one thing at a time. */
export interface Upstream {
  /** Throws `NoAnswer`, within the time limit. */
  get(path: string, query: Readonly<Record<string, string>>): Promise<Found[]>
  health(): UpstreamHealth
}

/** Of what was asked before. */
export interface UpstreamHealth {
  /** Left alone until then; `null` while it is asked. */
  readonly restsUntil: Date | null
  readonly lastFailure: { readonly at: Date; readonly reason: string } | null
}

/** Whoever asked goes on without. The message names no place. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
  readonly retryAfterMs: number

  constructor(reason: string, retryAfterMs = 0) {
    super(reason)
    this.retryAfterMs = retryAfterMs
  }
}

export interface UpstreamOptions {
  /** From the configuration, and from nowhere else: what people send only ever becomes a value in its query. */
  readonly url: string
  readonly userAgent: string
  /** Makes sense of the JSON that comes back, or answers `null`. */
  readonly read: (answer: unknown) => Found[] | null
  readonly now: () => Date
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'debug'>
  /** From one request to the next. */
  readonly spacingMs?: number
  /** The wait for one's turn included. */
  readonly timeoutMs?: number
}

/** So many may wait: whoever comes after them would not be served in time. */
const waitingMax = 20
const answerMaxBytes = 256 * 1024

export function createUpstream(options: UpstreamOptions): Upstream {
  const { url, userAgent, read, now, log, spacingMs = 0, timeoutMs = 4000 } = options
  const breaker = createBreaker(now)
  let turn: Promise<void> = Promise.resolve()
  let waiting = 0
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
      if (breaker.isOpen()) throw new NoAnswer('it failed lately')
      if (waiting >= waitingMax) throw new NoAnswer('too many are waiting')
      const signal = AbortSignal.timeout(timeoutMs)
      const askedAt = performance.now()
      const before = turn
      const { promise, resolve: passOn } = Promise.withResolvers<void>()
      turn = promise
      waiting += 1
      try {
        // Whoever is before has been waiting longer, and is out of time sooner.
        await before
        // With little time left it would fail by our fault, and be held against the geocoder.
        if (performance.now() - askedAt > timeoutMs * 0.75) throw new NoAnswer('its turn did not come in time')
        if (breaker.isOpen()) throw new NoAnswer('it failed lately')
        return await request(path, query, signal)
      } finally {
        waiting -= 1
        if (spacingMs === 0) passOn()
        else setTimeout(spacingMs, undefined, { ref: false }).then(passOn)
      }
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
    // To be sent elsewhere is not in the configuration.
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

/** Of 429 and 503 alone; a date, which the header may hold as well, is not read. */
function retryAfterOf({ status, headers }: Response): number {
  const seconds = Number(headers.get('retry-after'))
  return (status === 429 || status === 503) && seconds > 0 ? seconds * 1000 : 0
}

function failureOf(error: unknown, signal: AbortSignal): NoAnswer {
  if (error instanceof NoAnswer) return error
  return new NoAnswer(signal.aborted ? 'it took too long' : 'it cannot be reached')
}
