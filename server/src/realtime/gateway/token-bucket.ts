interface BucketSize {
  readonly burst: number
  readonly perSecond: number
}

/** Allows `burst` at once, and then `perSecond` each second. */
export class TokenBucket {
  readonly #size: BucketSize
  readonly #now: () => number
  #left: number
  #at: number

  /** `now` returns the milliseconds of a monotonic clock. */
  constructor(size: BucketSize, now: () => number = monotonicMs) {
    this.#size = size
    this.#now = now
    this.#left = size.burst
    this.#at = now()
  }

  /** Takes one token if there is one, and returns whether it did. */
  take(): boolean {
    this.#fill()
    if (this.#left < 1) return false
    this.#left--
    return true
  }

  /**
   * Takes one token even if there is none. Returns how many milliseconds it takes until the debt is repaid, which never
   * exceeds `burst`.
   */
  overdraw(): number {
    this.#fill()
    const { burst, perSecond } = this.#size
    this.#left = Math.max(-burst, this.#left - 1)
    return this.#left < 0 ? (-this.#left / perSecond) * 1000 : 0
  }

  #fill(): void {
    const time = this.#now()
    const { burst, perSecond } = this.#size
    this.#left = Math.min(burst, this.#left + ((time - this.#at) / 1000) * perSecond)
    this.#at = time
  }
}

function monotonicMs(): number {
  return performance.now()
}
