import { type UserId } from '@hither/contract/ids.ts'
import { type Change } from '../platform/bus.ts'
import { createFrames, type Frames } from './frames.ts'

/** Whoever is to hear of all that one person may see. */
export interface Subscriber {
  hear(change: Change, frames: Frames): void
  /** Nothing that it was told so far is to be told again. */
  cut(): void
}

/** Who on this node listens to what. */
export interface Hub {
  add(userId: UserId, subscriber: Subscriber): void
  remove(userId: UserId, subscriber: Subscriber): void
  /** Hands each change to the subscribers of its audience, in order, before it returns. */
  publish(changes: readonly Change[]): void
  /** What this person may see has changed in a way that no change of a row tells. */
  cut(userId: UserId): void
}

export function createHub(): Hub {
  const subscribersOf = new Map<UserId, Set<Subscriber>>()
  return {
    add(userId, subscriber) {
      const subscribers = subscribersOf.get(userId)
      if (subscribers) subscribers.add(subscriber)
      else subscribersOf.set(userId, new Set([subscriber]))
    },
    remove(userId, subscriber) {
      const subscribers = subscribersOf.get(userId)
      subscribers?.delete(subscriber)
      if (subscribers?.size === 0) subscribersOf.delete(userId)
    },
    publish(changes) {
      for (const change of changes) {
        let frames: Frames | null = null
        for (const userId of change.audience) {
          const subscribers = subscribersOf.get(userId)
          if (!subscribers) continue
          frames ??= createFrames(change)
          // A copy: a subscriber that falls too far behind is removed while it is being served.
          for (const subscriber of [...subscribers]) subscriber.hear(change, frames)
        }
      }
    },
    cut(userId) {
      for (const subscriber of [...(subscribersOf.get(userId) ?? [])]) subscriber.cut()
    },
  }
}
