import type { UserId } from '@hither/contract/ids.ts'
import type { RecentEvents } from './recent-events.ts'

/** Identifies one subscription of one client. */
export interface SubscriptionKey {
  readonly userId: UserId
  /** The id that the client chose for itself. */
  readonly clientId: string
  readonly topic: string
}

export interface ResumePosition {
  /** Identifies the bindings of the subscription: a subscription with other bindings does not resume it. */
  readonly signature: string
  /**
   * Everything up to this position has reached the client: a `RecentEvents.position`, or the `committedAt` of a change.
   */
  readonly position: string
  /** The `commit_timestamp` of the last frame that the client acknowledged; `null` if it received none. */
  readonly lastAcknowledged: string | null
  /** Whether the client may not have received the latest resync notice. */
  readonly owesResync: boolean
}

/**
 * The resume position of each client. A position may be lost; then a client that changes nodes must refetch everything.
 */
export interface ResumeStore {
  /**
   * Replaces the stored position of each subscription. Positions expire with the recent events after them. Resolves to
   * whether all were stored.
   */
  save(positions: readonly (SubscriptionKey & ResumePosition)[]): Promise<boolean>
  find(key: SubscriptionKey): Promise<ResumePosition | null>
  remove(key: SubscriptionKey): Promise<void>
}

/** What a node needs to resume a client that was connected to another node. */
export interface Resumption extends ResumeStore, RecentEvents {
  /** Resolves when everything that was committed before the call has been delivered on this node. Rejects if the database is unavailable. */
  catchUp(): Promise<void>
}
