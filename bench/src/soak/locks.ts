/** Keys that nobody else may hold meanwhile, and keys that others may share. */
export interface Claim {
  readonly alone?: readonly string[]
  readonly shared?: readonly string[]
}

interface Waiting {
  readonly claim: Required<Claim>
  readonly go: () => void
}

/**
 * Keeps deeds apart whose order the model could not know from their answers; everything else runs at once. In the order
 * of asking, so that nobody waits for ever: a later one passes only where it has nothing to do with those before it.
 */
export function createLocks() {
  const held = new Map<string, number>()
  let waiting: Waiting[] = []

  async function hold<T>({ alone = [], shared = [] }: Claim, work: () => Promise<T>): Promise<T> {
    const own = new Set(alone)
    const claim = { alone: [...own], shared: [...new Set(shared)].filter((key) => !own.has(key)) }
    await new Promise<void>((go) => {
      waiting.push({ claim, go })
      admit()
    })
    try {
      return await work()
    } finally {
      for (const key of claim.alone) held.delete(key)
      for (const key of claim.shared) {
        const count = (held.get(key) ?? 1) - 1
        if (count === 0) held.delete(key)
        else held.set(key, count)
      }
      admit()
    }
  }

  function admit(): void {
    const passed = { alone: new Set<string>(), shared: new Set<string>() }
    waiting = waiting.filter(({ claim, go }) => {
      const isFree =
        claim.alone.every((key) => !held.has(key) && !passed.alone.has(key) && !passed.shared.has(key)) &&
        claim.shared.every((key) => (held.get(key) ?? 1) > 0 && !passed.alone.has(key))
      if (!isFree) {
        for (const key of claim.alone) passed.alone.add(key)
        for (const key of claim.shared) passed.shared.add(key)
        return true
      }
      for (const key of claim.alone) held.set(key, -1)
      for (const key of claim.shared) held.set(key, (held.get(key) ?? 0) + 1)
      go()
      return false
    })
  }

  return { hold }
}

export type Locks = ReturnType<typeof createLocks>
