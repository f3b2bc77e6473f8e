import type { FeedName } from '@hither/contract/feeds.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { Change, UnreadCountsChanged } from '../../events/bus.ts'
import { changeOfMember } from '../../events/unread-counts.ts'
import { createFrames, type Frames } from './frames.ts'

/** Receives every change that one user may see. */
export interface Subscriber {
  /** Whether any of its bindings names this table. */
  wants(table: FeedName): boolean
  deliver(frames: Frames): void
}

/** The subscribers of this node, by user. */
export interface Hub {
  add(userId: UserId, subscriber: Subscriber): void
  remove(userId: UserId, subscriber: Subscriber): void
  /** Delivers each change to the subscribers of its audience, in order, before it returns. */
  publish(changes: readonly Change[]): void
  /** Delivers to each member the update of their row. Makes rows only for the members who subscribe to them here. */
  publishCounts(event: UnreadCountsChanged): void
}

export function createHub(): Hub {
  /** The lists are replaced and never modified, because a subscriber that falls too far behind is removed during a delivery. */
  const subscribersOf = new Map<UserId, readonly Subscriber[]>()
  return {
    add(userId, subscriber) {
      const others = subscribersOf.get(userId) ?? []
      if (!others.includes(subscriber)) subscribersOf.set(userId, [...others, subscriber])
    },
    remove(userId, subscriber) {
      const others = subscribersOf.get(userId)?.filter((other) => other !== subscriber) ?? []
      if (others.length > 0) subscribersOf.set(userId, others)
      else subscribersOf.delete(userId)
    },
    publish(changes) {
      for (const change of changes) {
        let frames: Frames | null = null
        for (const userId of change.audience) {
          const subscribers = subscribersOf.get(userId)
          if (!subscribers) continue
          frames ??= createFrames(change)
          for (const subscriber of subscribers) subscriber.deliver(frames)
        }
      }
    },
    publishCounts(event) {
      for (const member of event.members) {
        const subscribers = subscribersOf.get(member.userId)
        if (!subscribers?.some((subscriber) => subscriber.wants('chats'))) continue
        const change = changeOfMember(event, member)
        const frames = createFrames(change)
        for (const subscriber of subscribers) if (subscriber.wants('chats')) subscriber.deliver(frames)
      }
    },
  }
}
