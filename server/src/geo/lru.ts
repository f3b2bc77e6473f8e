/** Keeps so many values for so long; the ones longest unused go first. */
export interface Lru<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

export function createLru<Value>(most: number, lifeMs: number, now: () => Date): Lru<Value> {
  const kept = new Map<string, { value: Value; until: number }>()
  return {
    get(key) {
      const entry = kept.get(key)
      if (entry === undefined) return undefined
      kept.delete(key)
      if (entry.until <= now().getTime()) return undefined
      // Written anew at the end of the map's order: its front is what was longest not used.
      kept.set(key, entry)
      return entry.value
    },
    set(key, value) {
      kept.delete(key)
      kept.set(key, { value, until: now().getTime() + lifeMs })
      for (const oldest of kept.keys()) {
        if (kept.size <= most) return
        kept.delete(oldest)
      }
    },
  }
}
