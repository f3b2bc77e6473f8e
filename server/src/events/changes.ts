import type { FeedName, Feeds } from '@hither/contract/feeds.ts'
import type { ConversationId, SessionId, UserId } from '@hither/contract/ids.ts'
import type { Pool, Tx } from '../platform/db/database.ts'
import type { PendingQuery, Row } from '../platform/db/sql.ts'
import { sendWithCommit } from '../platform/db/transactions.ts'
import { isDependencyUnavailable } from '../platform/errors/dependency-errors.ts'
import type { Bus, Change, DurableEvent, KeyOf, OutboxEvent, UnreadCountsChanged, WakeEvent } from './bus.ts'
import type { DomainEvent } from './domain-events.ts'
import type { Audience } from './feed-declaration.ts'
import type { Appending, Outbox } from './outbox.ts'

/**
 * Collects, inside a transaction, the events to publish after its commit. An event with an empty audience is not
 * published.
 */
export interface Announce {
  insert<F extends FeedName>(table: F, record: Feeds[F], audience: Audience<NoInfer<F>>): void
  /** `oldRecord` has only the key if the former contents must not be stored any more. */
  update<F extends FeedName>(
    table: F,
    record: Feeds[F],
    oldRecord: Feeds[F] | KeyOf<F>,
    audience: Audience<NoInfer<F>>,
  ): void
  /** Also used for a row that still exists but that these users may no longer see. */
  delete<F extends FeedName>(table: F, oldRecord: Feeds[F], audience: Audience<NoInfer<F>>): void
  /** Updates the `chats` rows of these members. */
  unreadCountsChanged(counts: Omit<UnreadCountsChanged, 'kind' | 'committedAt'>): void
  sessionsEnded(sessionIds: readonly SessionId[]): void
  friendsChanged(a: UserId, b: UserId): void
  membershipEnded(conversationId: ConversationId, userId: UserId): void
  /** Wakes the job that announces the starts and ends of pings. */
  pingDue(at: Date): void
  /** Wakes the job that sends mail. */
  deliveriesWaiting(): void
  /** Wakes the job that sends push notifications. */
  pushesWaiting(): void
  /** Calls the subscribers of domain events, which write in this transaction. */
  publish(event: DomainEvent): void
}

/** Every write uses this: one transaction, which also writes its events to the outbox. */
export interface Changes {
  /**
   * Runs `work` in a transaction. The same transaction writes the collected events to the outbox, and after the commit
   * every node delivers them in the order in which they were collected. If `work` throws, the transaction is rolled
   * back, nothing is published, and the error is rethrown.
   */
  commit<T>(pool: Pool, work: (tx: Tx, announce: Announce, withCommit: WithCommit) => Promise<T>): Promise<T>
  /** Registers a subscriber of every domain event of this node. Called only while the server is being set up. */
  subscribe(subscriber: DomainEventSubscriber): void
}

/**
 * Adds a statement that is sent together with the commit, after `work` has ended. `whenDone` is called after the commit
 * with the number of rows that the statement wrote, and may still wake jobs.
 */
export type WithCommit = (query: PendingQuery<Row[]>, whenDone?: (count: number) => void) => void

/** The transaction in which an event is published. Statements of a subscriber are sent together with the commit. */
export interface EventTransaction {
  readonly tx: Tx
  readonly announce: Announce
  readonly withCommit: WithCommit
}

/** Called synchronously when the event is published. If it throws, the transaction is rolled back. */
type DomainEventSubscriber = (event: DomainEvent, transaction: EventTransaction) => void

export function createChanges(bus: Bus, outbox: Outbox, now: () => Date): Changes {
  const subscribers: DomainEventSubscriber[] = []
  return {
    subscribe: (subscriber) => void subscribers.push(subscriber),
    async commit<T>(pool: Pool, work: (tx: Tx, announce: Announce, withCommit: WithCommit) => Promise<T>): Promise<T> {
      const events: OutboxEvent[] = []
      const last: { query: PendingQuery<Row[]>; whenDone: ((count: number) => void) | undefined }[] = []
      let appending: Appending | null = null
      try {
        const result = await pool.begin(async (tx) => {
          const withCommit: WithCommit = (query, whenDone) => void last.push({ query, whenDone })
          const announce: Announce = {
            ...collector(events, now),
            publish(event) {
              for (const subscriber of subscribers) subscriber(event, { tx, announce, withCommit })
            },
          }
          const answer = await work(tx, announce, withCommit)
          const queries = last.map(({ query }) => query)
          if (events.some(isDurable)) {
            appending = outbox.append(tx, [...events])
            queries.push(appending.query)
          }
          sendWithCommit(tx, queries)
          return answer
        })
        const collected = events.length
        for (const { query, whenDone } of last) whenDone?.((await query).count)
        if (appending) await outbox.committed(appending)
        // These events are not written to the outbox.
        for (const event of appending ? events.slice(collected) : events) void bus.publish(event as WakeEvent)
        return result as T
      } catch (error) {
        // If the response to the commit was lost, the transaction may have committed.
        if (appending && isDependencyUnavailable(error)) outbox.readSoon()
        throw error
      }
    },
  }
}

function isDurable({ kind }: OutboxEvent): boolean {
  return !(kind === 'ping_due' || kind === 'deliveries_waiting' || kind === 'pushes_waiting')
}

function collector(events: OutboxEvent[], now: () => Date): Omit<Announce, 'publish'> {
  /** The list of the last event, as long as only changes follow one another. */
  let changes: Change[] | null = null
  const collect = (change: Omit<Change, 'audience' | 'committedAt'>, audience: readonly UserId[]) => {
    const people = [...new Set(audience)]
    if (people.length === 0) return
    const complete = { ...change, audience: people, committedAt: now().toISOString() } as Change
    if (changes) changes.push(complete)
    else {
      changes = [complete]
      events.push({ kind: 'changes', changes })
    }
  }
  const add = (event: DurableEvent | WakeEvent) => {
    changes = null
    events.push(event)
  }
  return {
    insert: (table, record, audience) =>
      collect({ table, type: 'INSERT', record, oldRecord: null } as Change, audience),
    update: (table, record, oldRecord, audience) =>
      collect({ table, type: 'UPDATE', record, oldRecord } as Change, audience),
    delete: (table, oldRecord, audience) =>
      collect({ table, type: 'DELETE', record: null, oldRecord } as Change, audience),
    unreadCountsChanged: (counts) => {
      if (counts.members.length === 0) return
      add({ kind: 'unread_counts_changed', ...counts, committedAt: now().toISOString() })
    },
    sessionsEnded: (sessionIds) => {
      if (sessionIds.length > 0) add({ kind: 'sessions_ended', sessionIds })
    },
    friendsChanged: (a, b) => add({ kind: 'friends_changed', userIds: [a, b] }),
    membershipEnded: (conversationId, userId) => add({ kind: 'membership_ended', conversationId, userId }),
    pingDue: (at) => add({ kind: 'ping_due', at: at.toISOString() }),
    deliveriesWaiting: () => add({ kind: 'deliveries_waiting' }),
    // One statement writes all consecutive pushes of a transaction.
    pushesWaiting: () => {
      if (events.at(-1)?.kind !== 'pushes_waiting') add({ kind: 'pushes_waiting' })
    },
  }
}
