import { type FeedName, type Feeds } from '@hither/contract/feeds.ts'
import { type ConversationId, type SessionId, type UserId } from '@hither/contract/ids.ts'
import { type Meta } from './attendance.ts'
import { createStamp, type Stamp } from './stamps.ts'

/**
 * One committed change of one row, with everyone who may see it. `oldRecord` is the whole row before the change, so that
 * a subscriber's filter can be held against both; what leaves the server of it is decided by the gateway.
 */
export type Change = {
  [F in FeedName]: {
    readonly table: F
    readonly audience: readonly UserId[]
    /** ISO 8601, when it was announced. On its way over the bus it becomes unlike that of any other change. */
    readonly committedAt: string
  } & (
    | { readonly type: 'INSERT'; readonly record: Feeds[F]; readonly oldRecord: null }
    | { readonly type: 'UPDATE'; readonly record: Feeds[F]; readonly oldRecord: Feeds[F] }
    | { readonly type: 'DELETE'; readonly record: null; readonly oldRecord: Feeds[F] }
  )
}[FeedName]

/** What nodes and parts of a node tell one another. */
export type BusMessage =
  | {
      readonly kind: 'changes'
      readonly changes: readonly Change[]
      /** For this one person alone, whatever the audience says: the bus of several nodes carries each person's by itself. */
      readonly to?: UserId
    }
  /** These sessions may no longer call or listen: their sockets close. */
  | { readonly kind: 'sessions_ended'; readonly sessionIds: readonly SessionId[] }
  /** Two people stopped (or started) being friends: what each may know of the other's presence has changed. */
  | { readonly kind: 'friends_changed'; readonly userIds: readonly [UserId, UserId] }
  /** Someone is, or is no longer, online in these ways. */
  | {
      readonly kind: 'presence'
      readonly audience: readonly UserId[]
      readonly joins: readonly Meta[]
      readonly leaves: readonly Meta[]
    }
  /** A ping will begin or end at this time, ISO 8601. */
  | { readonly kind: 'ping_due'; readonly at: string }
  /** Mail was written that waits to go. */
  | { readonly kind: 'deliveries_waiting' }
  /** The same of pushes. */
  | { readonly kind: 'pushes_waiting' }
  /** These people may never be told of something that a node did before it died: what they heard so far is to be asked for anew. */
  | { readonly kind: 'missed'; readonly userIds: readonly UserId[] }
  /** This node may have missed what others said: whatever was heard so far is to be asked for anew. */
  | { readonly kind: 'gap' }
  /** Said by one client to those of its topic: `body` is JSON text, or bytes as base64. `sender` is the channel it came from. */
  | {
      readonly kind: 'broadcast'
      readonly topic: string
      readonly event: string
      readonly isJson: boolean
      readonly body: string
      readonly sender: string | null
    }
  /** Someone stopped being a member of a conversation. */
  | { readonly kind: 'membership_ended'; readonly conversationId: ConversationId; readonly userId: UserId }

export type BusListener = (message: BusMessage) => void

/** Carries messages to every listener, in the order they were published by one publisher. */
export interface Bus {
  /** It resolves once every node has been sent it. Never rejects. */
  publish(message: BusMessage): Promise<void>
  /** Returns the way to stop listening. */
  subscribe(listener: BusListener): () => void
  /** Somebody is connected here: once it resolves, changes that others make for them are heard. To be undone as often. */
  watch(userId: UserId): Promise<void>
  unwatch(userId: UserId): void
}

/** The bus of a single node: a listener is called before `publish` returns. */
export function createLocalBus(onListenerError: (error: unknown) => void): Bus {
  const listeners = createListeners(onListenerError)
  const stamp = createStamp(null)
  return {
    async publish(message) {
      listeners.tell(message.kind === 'changes' ? { ...message, changes: stampAll(message.changes, stamp) } : message)
    },
    subscribe: listeners.add,
    watch: async () => {},
    unwatch: () => {},
  }
}

export function stampAll(changes: readonly Change[], stamp: Stamp): Change[] {
  return changes.map((change) => ({ ...change, committedAt: stamp(new Date(change.committedAt)) }))
}

/** Those of one node. One that throws does not keep the others from hearing. */
export function createListeners(onError: (error: unknown) => void) {
  const listeners = new Set<BusListener>()
  return {
    add(listener: BusListener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell(message: BusMessage) {
      for (const listener of listeners) {
        try {
          listener(message)
        } catch (error) {
          onError(error)
        }
      }
    },
  }
}
