import type { UserId } from '@hither/contract/ids.ts'
import { createLocalRateLimits } from '../../platform/http/rate-limits.ts'

export const shareLimits = {
  socketsMax: 50,
  /** Typing events on one topic, and on all topics together. */
  typingOnTopic: { max: 4, seconds: 2 },
  typing: { max: 30, seconds: 3 },
  /** How often a channel may begin to track presence. */
  tracks: { max: 60, seconds: 60 },
} as const

/** What one user may do on this node, over all of their sockets and calls, because others pay for it. */
export interface Shares {
  mayType(userId: UserId, topic: string): boolean
  mayTrack(userId: UserId): boolean
  /** Returns `false` if the user has joined on as many sockets as possible. */
  addSocket(userId: UserId): boolean
  removeSocket(userId: UserId): void
}

export function createShares(now: () => Date): Shares {
  const counts = createLocalRateLimits(now)
  const sockets = new Map<UserId, number>()
  const isWithin = (key: string, limit: { max: number; seconds: number }) => counts.take(key, limit) === null
  return {
    mayType: (userId, topic) =>
      isWithin(`typing ${userId} ${topic}`, shareLimits.typingOnTopic) &&
      isWithin(`typing ${userId}`, shareLimits.typing),
    mayTrack: (userId) => isWithin(`track ${userId}`, shareLimits.tracks),
    addSocket(userId) {
      const count = sockets.get(userId) ?? 0
      if (count >= shareLimits.socketsMax) return false
      sockets.set(userId, count + 1)
      return true
    },
    removeSocket(userId) {
      const count = (sockets.get(userId) ?? 0) - 1
      if (count > 0) sockets.set(userId, count)
      else sockets.delete(userId)
    },
  }
}
