import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { type FastifyInstance, type FastifyRequest } from 'fastify'
import { Refusal } from './refusal.ts'
import { endLateSenders } from './uploads.ts'

/** So late on average over a sample, with hardly any rest in it, is too much. */
export const loadLimits = { lagMs: 500, busy: 0.9, sampleMs: 500, retryAfterSeconds: 2 } as const

const resolutionMs = 20

/**
 * Never refused: what tells whoever watches how the server does, and what a live connection needs to go on. The live
 * channel itself is no request that comes by here.
 */
const exempt = new Set(['/healthz', '/readyz', '/metrics', '/api/auth/refresh'])

export interface Load {
  /** By how much, on average, work was begun later than it was due. */
  readonly lagMs: number
  /** The part of the time in which the event loop had something to do. */
  readonly busy: number
}

/**
 * Answers a share of all calls with `server_busy` and `Retry-After` while this process cannot keep up, so that what it
 * does take is answered in time. The share grows quickly and shrinks slowly: all or nothing would swing between the two.
 */
export function shedLoad(app: FastifyInstance, random: () => number = Math.random): void {
  let share = leastShare
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  let before = performance.eventLoopUtilization()
  const sample = () => {
    // Right after a reset a turn goes by before anything is measured, and in a swamped loop a turn is longer than a sample.
    if (delay.count === 0) return
    const since = performance.eventLoopUtilization()
    share = nextShare(share, {
      lagMs: delay.mean / 1e6 - resolutionMs,
      busy: performance.eventLoopUtilization(since, before).utilization,
    })
    delay.reset()
    before = since
  }
  delay.enable()
  const timer = setInterval(sample, loadLimits.sampleMs).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    delay.disable()
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (share <= 0 || random() >= share || isExempt(request)) return done()
    // Whoever is on the way with ten megabytes is not listened to until their end.
    endLateSenders(request, reply)
    throw new Refusal('server_busy', loadLimits.retryAfterSeconds)
  })
}

/** Below nothing, so that one long pause refuses nobody: a start is one, and so is a machine that slept. */
const leastShare = -0.25

/** The share of calls to refuse, given that of before. */
export function nextShare(share: number, { lagMs, busy }: Load): number {
  const isTooMuch = lagMs > loadLimits.lagMs && busy > loadLimits.busy
  const next = isTooMuch ? share + 0.25 : share - 0.1
  // Sums of tenths are never quite nothing.
  return Math.min(1, Math.max(leastShare, Math.round(next * 100) / 100))
}

function isExempt(request: FastifyRequest): boolean {
  return exempt.has(request.url.split('?', 1)[0] ?? '')
}
