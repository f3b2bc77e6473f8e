/** Spares a service that fails, and those who would wait for it: after five failures in a row it is not asked for a while. */
export interface Breaker {
  isOpen(): boolean
  /** `null` while it is not open. */
  openUntil(): Date | null
  succeeded(): void
  /** `retryAfterMs`: for how long the service itself asks to be left alone. */
  failed(retryAfterMs?: number): void
}

export const breakerLimits = { failures: 5, firstMs: 30_000, longestMs: 15 * 60_000, askedMs: 60 * 60_000 } as const

/** Once the while is over a single failure opens it again, for twice as long. */
export function createBreaker(now: () => Date): Breaker {
  let failures = 0
  let openings = 0
  let openUntil = 0
  // Further ahead than it can be: the clock was set back.
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
      const whileMs = Math.min(breakerLimits.firstMs * 2 ** openings, breakerLimits.longestMs)
      openings += 1
      openUntil = now().getTime() + Math.max(whileMs, Math.min(retryAfterMs, breakerLimits.askedMs))
    },
  }
}
