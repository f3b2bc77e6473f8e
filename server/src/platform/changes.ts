import { type FeedName, type Feeds } from '@hither/contract/feeds.ts'
import { type ConversationId, type SessionId, type UserId } from '@hither/contract/ids.ts'
import { isAway } from './away.ts'
import { type Bus, type Change, type DurableEvent, type WakeEvent } from './bus.ts'
import { type Db, type Pool } from './database.ts'
import { type Appending, type Outbox, type OutboxEvent } from './events/outbox.ts'
import { type TimestampSource } from './monotonic-timestamps.ts'
import { type PendingQuery, type Row } from './sql.ts'
import { sendWithCommit } from './transactions.ts'

/** Collects, inside a transaction, what is to be announced once it has committed. An empty audience announces nothing. */
export interface Announce {
  insert<F extends FeedName>(table: F, record: Feeds[F], audience: Iterable<UserId>): void
  update<F extends FeedName>(table: F, record: Feeds[F], oldRecord: Feeds[F], audience: Iterable<UserId>): void
  /** Also for a row that still exists but that these people may no longer see. */
  delete<F extends FeedName>(table: F, oldRecord: Feeds[F], audience: Iterable<UserId>): void
  sessionsEnded(sessionIds: readonly SessionId[]): void
  friendsChanged(a: UserId, b: UserId): void
  membershipEnded(conversationId: ConversationId, userId: UserId): void
  /** Wakes the job that announces what time does to pings. */
  pingDue(at: Date): void
  /** Wakes the job that sends mail. */
  deliveriesWaiting(): void
  /** Wakes the job that sends pushes. */
  pushesWaiting(): void
}

/** The way of every write: one transaction, which also writes its announcements to the outbox. */
export interface Changes {
  /**
   * Runs `work` in a transaction. What it announced is written to the outbox by the same transaction, and delivered on every
   * node once that has committed, in the order in which it was collected. Where `work` throws, the transaction is rolled back,
   * nothing is announced and the error passes on.
   */
  commit<T>(pool: Pool, work: (db: Db, announce: Announce, lastly: Lastly) => Promise<T>): Promise<T>
}

/**
 * Leaves a statement to be sent together with the commit, after `work` has ended. `whenDone` is called after the commit with
 * the number of rows that it wrote, and may still wake jobs.
 */
export type Lastly = (query: PendingQuery<Row[]>, whenDone?: (count: number) => void) => void

export function createChanges(bus: Bus, outbox: Outbox, timestamp: TimestampSource, now: () => Date): Changes {
  return {
    async commit<T>(pool: Pool, work: (db: Db, announce: Announce, lastly: Lastly) => Promise<T>): Promise<T> {
      const events: OutboxEvent[] = []
      const last: { query: PendingQuery<Row[]>; whenDone: ((count: number) => void) | undefined }[] = []
      let appending: Appending | null = null
      try {
        const result = await pool.begin(async (db) => {
          const lastly: Lastly = (query, whenDone) => void last.push({ query, whenDone })
          const answer = await work(db, collector(events, now), lastly)
          const queries = last.map(({ query }) => query)
          if (events.some(isDurable)) {
            appending = outbox.append(db, withTimestamps(events, timestamp))
            queries.push(appending.query)
          }
          sendWithCommit(db, queries)
          return answer
        })
        const collected = events.length
        for (const { query, whenDone } of last) whenDone?.((await query).count)
        if (appending) await outbox.committed(appending)
        // Those that the outbox does not carry.
        for (const event of appending ? events.slice(collected) : events) void bus.publish(event as WakeEvent)
        return result as T
      } catch (error) {
        // Where the answer to the commit was lost, it may have come to pass.
        if (appending && isAway(error)) outbox.readSoon()
        throw error
      }
    },
  }
}

function isDurable({ kind }: OutboxEvent): boolean {
  return !(kind === 'ping_due' || kind === 'deliveries_waiting' || kind === 'pushes_waiting')
}

function withTimestamps(events: readonly OutboxEvent[], timestamp: TimestampSource): OutboxEvent[] {
  return events.map((event) =>
    event.kind === 'changes'
      ? {
          ...event,
          changes: event.changes.map((change) => ({ ...change, committedAt: timestamp(new Date(change.committedAt)) })),
        }
      : event,
  )
}

function collector(events: OutboxEvent[], now: () => Date): Announce {
  /** The list that the last event holds, as long as only changes follow one another. */
  let changes: Change[] | null = null
  const collect = (change: Omit<Change, 'audience' | 'committedAt'>, audience: Iterable<UserId>) => {
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
    sessionsEnded: (sessionIds) => {
      if (sessionIds.length > 0) add({ kind: 'sessions_ended', sessionIds })
    },
    friendsChanged: (a, b) => add({ kind: 'friends_changed', userIds: [a, b] }),
    membershipEnded: (conversationId, userId) => add({ kind: 'membership_ended', conversationId, userId }),
    pingDue: (at) => add({ kind: 'ping_due', at: at.toISOString() }),
    deliveriesWaiting: () => add({ kind: 'deliveries_waiting' }),
    pushesWaiting: () => add({ kind: 'pushes_waiting' }),
  }
}
