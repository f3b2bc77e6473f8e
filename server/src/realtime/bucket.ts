/** So much at once, and after that so much each second. */
export interface Bucket {
  /** Whether there is room for one more, which is then taken. */
  take(): boolean
  /** Takes one whether or not there is room: the milliseconds until there is again. */
  overdraw(): number
}

export interface BucketSize {
  readonly burst: number
  readonly perSecond: number
}

/** What is overdrawn never comes to more than `burst`. `now` in milliseconds of a clock that nobody sets. */
export function createBucket({ burst, perSecond }: BucketSize, now = () => performance.now()): Bucket {
  let left = burst
  let at = now()
  return {
    take() {
      fill()
      if (left < 1) return false
      left--
      return true
    },
    overdraw() {
      fill()
      left = Math.max(-burst, left - 1)
      return left < 0 ? (-left / perSecond) * 1000 : 0
    },
  }

  function fill(): void {
    const time = now()
    left = Math.min(burst, left + ((time - at) / 1000) * perSecond)
    at = time
  }
}
