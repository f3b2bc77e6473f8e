import type { ChatRow, FeedName, Feeds, feedColumns } from '@hither/contract/feeds.ts'
import type { ConversationId, SessionId, UserId } from '@hither/contract/ids.ts'
import type { Meta } from '../presence/presence-store.ts'

/** The columns that identify a row. */
export type KeyOf<F extends FeedName> = Pick<Feeds[F], (typeof feedColumns)[F]['key'][number] & keyof Feeds[F]>

/**
 * One committed change of one row, with every user who may see it. `oldRecord` is the whole row before the change, so
 * that a subscriber's filter can be tested against both. If its former contents must not be stored any more, it has only
 * the key. The gateway decides which columns are sent.
 */
export type Change = {
  [F in FeedName]: {
    readonly table: F
    readonly audience: readonly UserId[]
    /** Its position, see `positionOf`, from its delivery on; before, the time of its announcement. */
    readonly committedAt: string
  } & (
    | { readonly type: 'INSERT'; readonly record: Feeds[F]; readonly oldRecord: null }
    | { readonly type: 'UPDATE'; readonly record: Feeds[F]; readonly oldRecord: Feeds[F] | KeyOf<F> }
    | { readonly type: 'DELETE'; readonly record: null; readonly oldRecord: Feeds[F] }
  )
}[FeedName]

/**
 * A message changed the order of a conversation and the unread counts of its members: an update of the `chats` row of each of
 * these members, which only that member receives. One event contains them all, because a change for each member costs
 * more than the delivery of the message: two complete rows in the outbox, and objects on every node, although most
 * members are not connected.
 */
export interface UnreadCountsChanged {
  readonly kind: 'unread_counts_changed'
  readonly chat: Pick<ChatRow, 'id' | 'name' | 'type' | 'erase_at' | 'kept_at' | 'keep_count'>
  readonly updatedAt: string
  readonly previousUpdatedAt: string
  readonly members: readonly MemberCount[]
  /** See `Change`. The changes of all members share it. */
  readonly committedAt: string
}

export interface MemberCount {
  readonly userId: UserId
  readonly role: ChatRow['role']
  readonly unreadCount: number
  readonly previousUnreadCount: number
  /** Absent if the member had neither pinned nor archived the conversation. */
  readonly placement?: {
    readonly pinnedAt: string | null
    readonly archivedAt: string | null
    readonly previousArchivedAt: string | null
  }
}

/**
 * Events that are written to the outbox with the transaction that caused them: every node delivers all of them, in the
 * same order.
 */
export type DurableEvent =
  | { readonly kind: 'changes'; readonly changes: readonly Change[] }
  | UnreadCountsChanged
  /** These sessions have ended: their sockets close. */
  | { readonly kind: 'sessions_ended'; readonly sessionIds: readonly SessionId[] }
  /** A friendship between two users began or ended: what each may see of the other's presence has changed. */
  | { readonly kind: 'friends_changed'; readonly userIds: readonly [UserId, UserId] }
  /** A user is no longer a participant of a conversation. */
  | { readonly kind: 'membership_ended'; readonly conversationId: ConversationId; readonly userId: UserId }

/** Wakes a job, which also runs by itself every few seconds. */
export type WakeEvent =
  /** A ping will begin or end at this time, in ISO 8601. */
  | { readonly kind: 'ping_due'; readonly at: string }
  /** A mail is due. */
  | { readonly kind: 'deliveries_waiting' }
  /** A push notification is due. */
  | { readonly kind: 'pushes_waiting' }

/** The contents of a row of the outbox. */
export type OutboxEvent = DurableEvent | WakeEvent

/** Events that only Redis carries between nodes. They may be lost. */
export type VolatileEvent =
  | WakeEvent
  /** A user went online or offline with one connection. */
  | {
      readonly kind: 'presence'
      readonly audience: readonly UserId[]
      readonly joins: readonly Meta[]
      readonly leaves: readonly Meta[]
    }
  /** A user is typing in the conversation of a topic. `sender` is the channel that sent it. */
  | { readonly kind: 'typing'; readonly topic: string; readonly userId: UserId; readonly sender: string | null }

/** Events of this node only. */
type LocalEvent =
  /** This node may have missed events of the outbox: all of its clients must refetch everything. */
  | { readonly kind: 'gap' }
  /** This node may have missed presence changes. */
  | { readonly kind: 'presence_gap' }

export type BusMessage = DurableEvent | VolatileEvent | LocalEvent

type BusListener = (message: BusMessage) => void

/** Delivers events to the listeners of this node, and volatile events to those of the other nodes. */
export interface Bus {
  /**
   * Sends to all nodes, in the order of the calls on one node. Never rejects. If Redis is unavailable, other nodes miss
   * the event.
   */
  publish(event: VolatileEvent): Promise<void>
  /** Delivers to the listeners of this node before it returns. Each node's outbox calls it. */
  deliver(message: BusMessage): void
  /** Returns the function that removes the listener. */
  subscribe(listener: BusListener): () => void
  /**
   * A client of this user is connected to this node: once it resolves, this node receives the presence of the user's
   * friends. Each call needs a matching `unwatch`.
   */
  watch(userId: UserId): Promise<void>
  unwatch(userId: UserId): void
}

/** The bus of a single node. If a listener throws, the others still receive the event. */
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
