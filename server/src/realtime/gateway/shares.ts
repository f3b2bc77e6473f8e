import type { UserId } from '@hither/contract/ids.ts'
import { createLocalRateLimits } from '../../platform/http/rate-limits.ts'

export const shareLimits = {
  socketsMax: 50,
  /** Typing events on one topic, and on all topics together. */
  typingOnTopic: { max: 4, seconds: 2 },
  typing: { max: 30, seconds: 3 },
  /** How often a channel may begin to track presence. */
  tracks: { max: 60, seconds: 60 },
  /** Each is evaluated for every change that the user may see. A tab of the web app needs twelve. */
  bindingsMax: 200,
  /** How often a channel may resume, which may encode as many changes as a replay has at most. Above it, clients refetch. */
  replays: { max: 120, seconds: 60 },
} as const

/** What one user may do on this node, over all of their sockets and calls, because others pay for it. */
export interface Shares {
  mayType(userId: UserId, topic: string): boolean
  mayTrack(userId: UserId): boolean
  /** Returns `false` if the user has joined on as many sockets as possible. */
  addSocket(userId: UserId): boolean
  removeSocket(userId: UserId): void
  /** Returns `false` if the user would have too many bindings. */
  addBindings(userId: UserId, count: number): boolean
  removeBindings(userId: UserId, count: number): void
  mayReplay(userId: UserId): boolean
}

export function createShares(now: () => Date): Shares {
  const counts = createLocalRateLimits(now)
  const sockets = createBudget(shareLimits.socketsMax)
  const bindings = createBudget(shareLimits.bindingsMax)
  const isWithin = (key: string, limit: { max: number; seconds: number }) => counts.take(key, limit) === null
  return {
    mayType: (userId, topic) =>
      isWithin(`typing ${userId} ${topic}`, shareLimits.typingOnTopic) &&
      isWithin(`typing ${userId}`, shareLimits.typing),
    mayTrack: (userId) => isWithin(`track ${userId}`, shareLimits.tracks),
    mayReplay: (userId) => isWithin(`replay ${userId}`, shareLimits.replays),
    addSocket: (userId) => sockets.add(userId, 1),
    removeSocket: (userId) => sockets.remove(userId, 1),
    addBindings: bindings.add,
    removeBindings: bindings.remove,
  }
}

/** Counts something of each user up to a maximum. */
function createBudget(max: number) {
  const countOf = new Map<UserId, number>()
  return {
    /** Returns `false`, and adds nothing, if the user would have more than the maximum. */
    add(userId: UserId, count: number): boolean {
      const sum = (countOf.get(userId) ?? 0) + count
      if (sum <= max) countOf.set(userId, sum)
      return sum <= max
    },
    remove(userId: UserId, count: number): void {
      const left = (countOf.get(userId) ?? 0) - count
      if (left > 0) countOf.set(userId, left)
      else countOf.delete(userId)
    },
  }
}
