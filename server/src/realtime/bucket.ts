/** So much at once, and after that so much each second. */
export interface Bucket {
  /** Whether there is room for one more, which is then taken. */
  take(): boolean
}

export function createBucket({ burst, perSecond }: { burst: number; perSecond: number }, now: () => number): Bucket {
  let left = burst
  let at = now()
  return {
    take() {
      const time = now()
      left = Math.min(burst, left + ((time - at) / 1000) * perSecond)
      at = time
      if (left < 1) return false
      left--
      return true
    },
  }
}
