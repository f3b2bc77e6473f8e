/** The keys to lock exclusively and the keys to lock shared. */
interface Claim {
  readonly alone?: readonly string[]
  readonly shared?: readonly string[]
}

interface Waiting {
  readonly claim: Required<Claim>
  readonly go: () => void
}

/**
 * Serializes actions whose order the model cannot derive from the responses; all others run concurrently. Locks are granted
 * in request order to prevent starvation: a later request overtakes only if it conflicts with no earlier one.
 */
export function createLocks() {
  const locked = new Map<string, number>()
  let waiting: Waiting[] = []

  async function withLock<T>({ alone = [], shared = [] }: Claim, work: () => Promise<T>): Promise<T> {
    const own = new Set(alone)
    const claim = { alone: [...own], shared: [...new Set(shared)].filter((key) => !own.has(key)) }
    await new Promise<void>((go) => {
      waiting.push({ claim, go })
      admit()
    })
    try {
      return await work()
    } finally {
      for (const key of claim.alone) locked.delete(key)
      for (const key of claim.shared) {
        const count = (locked.get(key) ?? 1) - 1
        if (count === 0) locked.delete(key)
        else locked.set(key, count)
      }
      admit()
    }
  }

  function admit(): void {
    const passed = { alone: new Set<string>(), shared: new Set<string>() }
    waiting = waiting.filter(({ claim, go }) => {
      const isFree =
        claim.alone.every((key) => !locked.has(key) && !passed.alone.has(key) && !passed.shared.has(key)) &&
        claim.shared.every((key) => (locked.get(key) ?? 1) > 0 && !passed.alone.has(key))
      if (!isFree) {
        for (const key of claim.alone) passed.alone.add(key)
        for (const key of claim.shared) passed.shared.add(key)
        return true
      }
      for (const key of claim.alone) locked.set(key, -1)
      for (const key of claim.shared) locked.set(key, (locked.get(key) ?? 0) + 1)
      go()
      return false
    })
  }

  return { withLock }
}

export type Locks = ReturnType<typeof createLocks>
