import { type UserId } from '@hither/contract/ids.ts'
import { type RecentEvent } from './recent-events.ts'

/** One subscription of one client. */
export interface SubscriptionKey {
  readonly userId: UserId
  /** As the client names itself. */
  readonly clientId: string
  readonly topic: string
}

export interface ResumePosition {
  /** Of what the subscription asks for: another one is not continued by it. */
  readonly signature: string
  /** Everything up to it has reached the client. As of `RecentEvents.position` or the `committedAt` of a change. */
  readonly position: string
  /** The `commit_timestamp` of the last frame that the client acknowledged; `null` where it was sent none. */
  readonly lastAcknowledged: string | null
  /** Whether the notice that something before it was lost may not have reached the client. */
  readonly owesResync: boolean
}

/** How far each client has come: may be lost, and then a client that changes nodes has to read everything again. */
export interface ResumeStore {
  /** Each replaces what was stored for its subscription, and lasts as long as a client is waited for. */
  save(positions: readonly (SubscriptionKey & ResumePosition)[]): Promise<void>
  find(key: SubscriptionKey): Promise<ResumePosition | null>
  remove(key: SubscriptionKey): Promise<void>
}

/** What a client needs that comes back to another node than it was at. */
export interface Resumption extends ResumeStore {
  /** Resolves when everything that was committed before the call has been delivered here. Rejects where the database is away. */
  catchUp(): Promise<void>
  /** As of `RecentEvents.position`. */
  position(): string
  /** As of `RecentEvents.since`. */
  since(userId: UserId, position: string): readonly RecentEvent[] | null
}
