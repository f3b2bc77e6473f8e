import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../errors/refusal.ts'

/** The process is overloaded above this average delay in a sample with hardly any idle time. */
export const loadLimits = { lagMs: 500, busy: 0.9, sampleMs: 500, retryAfterSeconds: 2 } as const

const resolutionMs = 20

/**
 * Never refused: health checks, metrics, and what a live connection needs. The live channel itself is no HTTP request
 * here.
 */
const exempt = new Set(['/healthz', '/readyz', '/metrics', '/api/auth/refresh'])

interface Load {
  /** The average delay of the event loop in milliseconds. */
  readonly lagMs: number
  /** The share of the time in which the event loop was busy. */
  readonly busy: number
}

/**
 * Refuses a share of all calls with `server_busy` and `Retry-After` while this process is overloaded, so that accepted
 * calls are answered in time. The share grows quickly and shrinks slowly, because refusing all or none would oscillate.
 */
export function shedLoad(app: FastifyInstance, random: () => number = Math.random): void {
  let share = leastShare
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  let before = performance.eventLoopUtilization()
  const sample = () => {
    // After a reset nothing is measured for one event-loop tick, which is longer than a sample under overload.
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
  app.addHook('onRequest', (request, _reply, done) => {
    if (share <= 0 || random() >= share || isExempt(request)) return done()
    throw new Refusal('server_busy', loadLimits.retryAfterSeconds)
  })
}

/** Starts below zero, so that one long pause, as at a start or after sleep, refuses no call. */
const leastShare = -0.25

/** Returns the share of calls to refuse, given the previous share. */
export function nextShare(share: number, { lagMs, busy }: Load): number {
  const isTooMuch = lagMs > loadLimits.lagMs && busy > loadLimits.busy
  const next = isTooMuch ? share + 0.25 : share - 0.1
  // Sums of tenths never reach exactly zero.
  return Math.min(1, Math.max(leastShare, Math.round(next * 100) / 100))
}

function isExempt(request: FastifyRequest): boolean {
  return exempt.has(request.url.split('?', 1)[0] ?? '')
}
