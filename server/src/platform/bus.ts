import { type FeedName, type Feeds } from '@hither/contract/feeds.ts'
import { type ConversationId, type SessionId, type UserId } from '@hither/contract/ids.ts'
import { type Meta } from './attendance.ts'

/**
 * One committed change of one row, with everyone who may see it. `oldRecord` is the whole row before the change, so that a
 * subscriber's filter can be tested against both; the gateway decides which of its columns leave the server.
 */
export type Change = {
  [F in FeedName]: {
    readonly table: F
    readonly audience: readonly UserId[]
    /** ISO 8601 with six digits of the second or more: unique among all changes, and the name of this one for clients. */
    readonly committedAt: string
  } & (
    | { readonly type: 'INSERT'; readonly record: Feeds[F]; readonly oldRecord: null }
    | { readonly type: 'UPDATE'; readonly record: Feeds[F]; readonly oldRecord: Feeds[F] }
    | { readonly type: 'DELETE'; readonly record: null; readonly oldRecord: Feeds[F] }
  )
}[FeedName]

/** Written to the outbox with the transaction that caused it: every node delivers it, in the same order, whatever fails. */
export type DurableEvent =
  | { readonly kind: 'changes'; readonly changes: readonly Change[] }
  /** These sessions may no longer call or listen: their sockets close. */
  | { readonly kind: 'sessions_ended'; readonly sessionIds: readonly SessionId[] }
  /** Two people stopped (or started) being friends: what each may know of the other's presence has changed. */
  | { readonly kind: 'friends_changed'; readonly userIds: readonly [UserId, UserId] }
  /** Someone stopped being a participant of a conversation. */
  | { readonly kind: 'membership_ended'; readonly conversationId: ConversationId; readonly userId: UserId }

/** Wakes a job that also looks by itself every few seconds. */
export type WakeEvent =
  /** A ping will begin or end at this time, ISO 8601. */
  | { readonly kind: 'ping_due'; readonly at: string }
  /** A mail waits to be sent. */
  | { readonly kind: 'deliveries_waiting' }
  /** A push waits to be sent. */
  | { readonly kind: 'pushes_waiting' }

/** Carried between nodes by Redis alone: may be lost. */
export type VolatileEvent =
  | WakeEvent
  /** Someone came online or went offline, with one of their sockets. */
  | {
      readonly kind: 'presence'
      readonly audience: readonly UserId[]
      readonly joins: readonly Meta[]
      readonly leaves: readonly Meta[]
    }
  /** A broadcast of one client to its topic: `body` is JSON text, or bytes as base64. `sender` is the channel it came from. */
  | {
      readonly kind: 'broadcast'
      readonly topic: string
      readonly event: string
      readonly isJson: boolean
      readonly body: string
      readonly sender: string | null
    }

/** About this node alone. */
export type LocalEvent =
  /** This node may have missed durable events: all of its clients have to read everything again. */
  | { readonly kind: 'gap' }
  /** This node may have missed changes of presence. */
  | { readonly kind: 'presence_gap' }

export type BusMessage = DurableEvent | VolatileEvent | LocalEvent

export type BusListener = (message: BusMessage) => void

/** Carries events to the listeners of this node, and volatile ones to those of the other nodes. */
export interface Bus {
  /** To all nodes, in the order in which one node publishes them. Never rejects; what Redis cannot carry is lost elsewhere. */
  publish(event: VolatileEvent): Promise<void>
  /** To the listeners of this node, before it returns. The outbox calls it, on each node. */
  deliver(message: BusMessage): void
  /** Returns the way to stop listening. */
  subscribe(listener: BusListener): () => void
  /**
   * A client of this person is connected here: once it resolves, this node receives their friends' presence. To be undone
   * as often with `unwatch`.
   */
  watch(userId: UserId): Promise<void>
  unwatch(userId: UserId): void
}

/** The bus of a single node. A listener that throws does not keep the others from receiving. */
export function createLocalBus(onListenerError: (error: unknown) => void): Bus {
  const listeners = new Set<BusListener>()
  const deliver = (message: BusMessage) => {
    for (const listener of listeners) {
      try {
        listener(message)
      } catch (error) {
        onListenerError(error)
      }
    }
  }
  return {
    async publish(event) {
      deliver(event)
    },
    deliver,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    watch: async () => {},
    unwatch: () => {},
  }
}
