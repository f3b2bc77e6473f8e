import { backoffMs } from '../platform/async/backoff.ts'

/** A circuit breaker: after five failures in a row the service gets no requests for a while. */
interface Breaker {
  isOpen(): boolean
  /** The end of the pause; `null` while the breaker is closed. */
  openUntil(): Date | null
  succeeded(): void
  /** Records a failure. `retryAfterMs` is the pause that the service itself asks for. */
  failed(retryAfterMs?: number): void
}

export const breakerLimits = {
  failures: 5,
  pause: { firstMs: 30_000, maxMs: 15 * 60_000 },
  askedMs: 60 * 60_000,
} as const

/** Creates a circuit breaker. After a pause a single failure opens it again, for twice as long. */
export function createBreaker(now: () => Date): Breaker {
  let failures = 0
  let openings = 0
  let openUntil = 0
  // A time further ahead than the longest pause means that the clock was set back.
  const isOpen = () => openUntil > now().getTime() && openUntil <= now().getTime() + breakerLimits.askedMs
  return {
    isOpen,
    openUntil: () => (isOpen() ? new Date(openUntil) : null),
    succeeded() {
      failures = 0
      openings = 0
    },
    failed(retryAfterMs = 0) {
      failures += 1
      if (failures < breakerLimits.failures && retryAfterMs === 0) return
      openings += 1
      openUntil =
        now().getTime() +
        Math.max(backoffMs(openings, breakerLimits.pause), Math.min(retryAfterMs, breakerLimits.askedMs))
    },
  }
}
