import type { UserId } from '@hither/contract/ids.ts'

/**
 * The maximum bindings of one user on one server, over all sockets and including disconnected subscriptions that wait
 * for their client. A tab of the web app needs twelve.
 */
export const bindingsMax = 200

/** Counts the bindings of each user, because each is evaluated for every change that the user may see. */
interface BindingBudget {
  /** Whether the user may add this number of bindings. */
  hasCapacity(userId: UserId, count: number): boolean
  add(userId: UserId, count: number): void
  remove(userId: UserId, count: number): void
}

export function createBindingBudget(): BindingBudget {
  const countOf = new Map<UserId, number>()
  const of = (userId: UserId) => countOf.get(userId) ?? 0
  return {
    hasCapacity: (userId, count) => of(userId) + count <= bindingsMax,
    add: (userId, count) => void countOf.set(userId, of(userId) + count),
    remove(userId, count) {
      const left = of(userId) - count
      if (left > 0) countOf.set(userId, left)
      else countOf.delete(userId)
    },
  }
}
