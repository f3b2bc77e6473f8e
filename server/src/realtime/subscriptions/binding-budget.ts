import type { UserId } from '@hither/contract/ids.ts'
import type { BindingSet } from './binding-sets.ts'

/**
 * The maximum bindings of one user on one server, over all sockets and including disconnected subscriptions that wait
 * for their client. A tab of the web app needs twelve bindings and no pattern.
 */
export const budgetLimits = { bindingsMax: 200, patternsMax: 10 } as const

/** Counts the bindings of each user, because each is evaluated for every change that the user may see. */
interface BindingBudget {
  /** Whether the user may add these bindings. */
  hasCapacity(userId: UserId, bindings: BindingSet): boolean
  add(userId: UserId, bindings: BindingSet): void
  remove(userId: UserId, bindings: BindingSet): void
}

interface Usage {
  readonly bindings: number
  readonly patterns: number
}

const noUsage: Usage = { bindings: 0, patterns: 0 }

export function createBindingBudget(): BindingBudget {
  const usageOf = new Map<UserId, Usage>()

  return {
    hasCapacity(userId, bindings) {
      const usage = sum(userId, bindings, 1)
      return usage.bindings <= budgetLimits.bindingsMax && usage.patterns <= budgetLimits.patternsMax
    },
    add(userId, bindings) {
      usageOf.set(userId, sum(userId, bindings, 1))
    },
    remove(userId, bindings) {
      const usage = sum(userId, bindings, -1)
      if (usage.bindings > 0) usageOf.set(userId, usage)
      else usageOf.delete(userId)
    },
  }

  function sum(userId: UserId, { all, patternCount }: BindingSet, sign: 1 | -1): Usage {
    const used = usageOf.get(userId) ?? noUsage
    return { bindings: used.bindings + sign * all.length, patterns: used.patterns + sign * patternCount }
  }
}
