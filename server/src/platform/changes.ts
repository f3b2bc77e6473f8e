import { type FeedName, type Feeds } from '@hither/contract/feeds.ts'
import { type ConversationId, type SessionId, type UserId } from '@hither/contract/ids.ts'
import { isAway } from './away.ts'
import { type Bus, type BusMessage, type Change } from './bus.ts'
import { type Db, type Pool } from './database.ts'
import { type PendingQuery, type Row } from './sql.ts'
import { sendWithCommit } from './transactions.ts'
import { audienceOf, groupsOf, type Turn, type Turns } from './turns.ts'

/** Collects, inside a transaction, what is to be said once it has committed. Nobody in the audience means nothing is said. */
export interface Announce {
  insert<F extends FeedName>(table: F, record: Feeds[F], audience: Iterable<UserId>): void
  update<F extends FeedName>(table: F, record: Feeds[F], oldRecord: Feeds[F], audience: Iterable<UserId>): void
  /** Also for a row that still exists but that these people may no longer see. */
  delete<F extends FeedName>(table: F, oldRecord: Feeds[F], audience: Iterable<UserId>): void
  sessionsEnded(sessionIds: readonly SessionId[]): void
  friendsChanged(a: UserId, b: UserId): void
  membershipEnded(conversationId: ConversationId, userId: UserId): void
  /** Wakes whoever tells of what time does to pings. */
  pingDue(at: Date): void
  /** Wakes whoever sends mail. */
  deliveriesWaiting(): void
  /** Wakes whoever sends pushes. */
  pushesWaiting(): void
}

/** The way of every write: one transaction, and after its commit, the announcements in the order they were collected. */
export interface Changes {
  /**
   * Runs `work` in a transaction and announces what it collected once that has committed. Where `work` throws, the
   * transaction is rolled back, nothing is announced and the error passes on.
   */
  commit<T>(pool: Pool, work: (db: Db, announce: Announce, lastly: Lastly) => Promise<T>): Promise<T>
}

/**
 * Leaves a statement to be sent with the commit: one that waits for nobody else, as others who want their turn may wait for
 * this one. Then `whenDone` is told how many rows it wrote, and may still announce what belongs to nobody's turn.
 */
export type Lastly = (query: PendingQuery<Row[]>, whenDone?: (count: number) => void) => void

export function createChanges(bus: Bus, turns: Turns, now: () => Date): Changes {
  return {
    async commit<T>(pool: Pool, work: (db: Db, announce: Announce, lastly: Lastly) => Promise<T>): Promise<T> {
      const messages: BusMessage[] = []
      const last: { query: PendingQuery<Row[]>; whenDone: ((count: number) => void) | undefined }[] = []
      let turn: Turn | undefined
      try {
        const result = await pool.begin(async (db) => {
          const lastly: Lastly = (query, whenDone) => void last.push({ query, whenDone })
          const answer = await work(db, collector(messages, now), lastly)
          turn = await turns.take(groupsOf(messages), audienceOf(messages))
          sendWithCommit(
            db,
            last.map(({ query }) => query),
          )
          return answer
        })
        for (const { query, whenDone } of last) whenDone?.((await query).count)
        // In order; and whoever is answered afterwards meets every node with the news on its way.
        await Promise.all(messages.map((message) => bus.publish(message)))
        return result as T
      } catch (error) {
        // Lost on its way to or from the commit: whether it came to pass nobody knows, so they are to ask.
        if (turn && isAway(error)) await bus.publish({ kind: 'missed', userIds: audienceOf(messages) })
        throw error
      } finally {
        turn?.end()
      }
    },
  }
}

function collector(messages: BusMessage[], now: () => Date): Announce {
  const collect = (change: Omit<Change, 'audience' | 'committedAt'>, audience: Iterable<UserId>) => {
    const people = [...new Set(audience)]
    if (people.length === 0) return
    const complete = { ...change, audience: people, committedAt: now().toISOString() } as Change
    const last = messages.at(-1)
    if (last?.kind === 'changes') messages[messages.length - 1] = { ...last, changes: [...last.changes, complete] }
    else messages.push({ kind: 'changes', changes: [complete] })
  }
  return {
    insert: (table, record, audience) =>
      collect({ table, type: 'INSERT', record, oldRecord: null } as Change, audience),
    update: (table, record, oldRecord, audience) =>
      collect({ table, type: 'UPDATE', record, oldRecord } as Change, audience),
    delete: (table, oldRecord, audience) =>
      collect({ table, type: 'DELETE', record: null, oldRecord } as Change, audience),
    sessionsEnded: (sessionIds) => {
      if (sessionIds.length > 0) messages.push({ kind: 'sessions_ended', sessionIds })
    },
    friendsChanged: (a, b) => messages.push({ kind: 'friends_changed', userIds: [a, b] }),
    membershipEnded: (conversationId, userId) => messages.push({ kind: 'membership_ended', conversationId, userId }),
    pingDue: (at) => messages.push({ kind: 'ping_due', at: at.toISOString() }),
    deliveriesWaiting: () => messages.push({ kind: 'deliveries_waiting' }),
    pushesWaiting: () => messages.push({ kind: 'pushes_waiting' }),
  }
}
