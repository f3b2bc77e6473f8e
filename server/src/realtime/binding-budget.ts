import { type UserId } from '@hither/contract/ids.ts'
import { type Binding } from './bindings.ts'

/**
 * What the subscriptions of one user may add up to on one server, over all sockets, disconnected subscriptions that wait for
 * their client included. A tab of the web app needs eight bindings and no pattern.
 */
export const budgetLimits = { bindingsMax: 200, patternsMax: 10 } as const

/** Counts the bindings of each user, because each is evaluated for every change that the user may see. */
export interface BindingBudget {
  /** Whether the user may subscribe to these as well. */
  hasRoom(userId: UserId, bindings: readonly Binding[]): boolean
  add(userId: UserId, bindings: readonly Binding[]): void
  remove(userId: UserId, bindings: readonly Binding[]): void
}

interface Usage {
  readonly bindings: number
  readonly patterns: number
}

const noUsage: Usage = { bindings: 0, patterns: 0 }

export function createBindingBudget(): BindingBudget {
  const usageOf = new Map<UserId, Usage>()

  return {
    hasRoom(userId, bindings) {
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

  function sum(userId: UserId, bindings: readonly Binding[], sign: 1 | -1): Usage {
    const used = usageOf.get(userId) ?? noUsage
    const patterns = bindings.filter(({ hasPattern }) => hasPattern).length
    return { bindings: used.bindings + sign * bindings.length, patterns: used.patterns + sign * patterns }
  }
}
