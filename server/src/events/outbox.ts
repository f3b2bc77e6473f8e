import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { createJob, runInBatches } from '../platform/async/job.ts'
import type { Pool, Tx } from '../platform/db/database.ts'
import type { PendingQuery, Row } from '../platform/db/sql.ts'
import type { Bus, OutboxEvent } from './bus.ts'
import * as queries from './outbox.queries.ts'
import { type createRecentEvents, type DeliveredRow, recentEventsLimits } from './recent-events.ts'

export const outboxLimits = {
  /** The maximum number of rows of one read. */
  batch: 500,
  /** How often a node reads without being woken, since a node that dies after its commit wakes no other. */
  pollMs: 2000,
  /** The same interval while other nodes cannot wake this one. */
  pollWithoutWakeMs: 250,
  /** The minimum time between two reads that other nodes trigger: rows committed in the meantime are read together. */
  wakePauseMs: 10,
  /** How long to wait for a missing id, for instance if two transactions of this node commit at once. */
  gapPauseMs: 5,
  /** The delay after a failed read. */
  retryMs: 250,
  /** The age of the rows with which a node continues at another database server: longer than any transaction takes to commit. */
  continueSeconds: 30,
  /** Longer than rows are in memory. */
  retentionSeconds: 300,
  deleteEveryMs: 30_000,
  deleteBatch: 5000,
} as const

/** Wakes other nodes. */
export interface OutboxPeers {
  /** Notifies every other node that rows up to this id exist. The message may be lost. */
  wake(id: number): void
  /** Calls `listener` with the ids that other nodes announce, and without an id if messages may have been lost. */
  onWake(listener: (id: number | null) => void): void
  /** Whether a wake-up message would arrive. */
  isConnected(): boolean
}

/**
 * Delivers the events that transactions wrote to the outbox: each node passes every row to its own listeners, in the
 * order of the ids. This holds through every failure: a node that dies has committed its rows, Redis only wakes
 * readers, and after a database outage each node continues where it stopped.
 */
export interface Outbox {
  /** Returns the statement that writes the events. The caller sends it as the last one of its transaction. */
  append(tx: Tx, events: readonly OutboxEvent[]): Appending
  /** The caller calls it when that transaction has committed. Delivers at once if no earlier row is missing. */
  committed(appending: Appending): Promise<void>
  /** A transaction may have committed although its response was lost: if it did, its rows are delivered. */
  readSoon(): void
  /** The id up to which everything has been delivered. */
  readonly position: number
  /**
   * Resolves when everything committed before the call has been delivered on this node. Rejects if the database is
   * unavailable.
   */
  catchUp(): Promise<void>
  /** Waits for the current read. Nothing is delivered afterwards. */
  stop(): Promise<void>
}

export interface Appending {
  readonly query: PendingQuery<Row[]>
  readonly events: readonly OutboxEvent[]
  readonly bytes: number
}

interface OutboxDeps {
  readonly pool: Pool
  readonly bus: Bus
  readonly peers: OutboxPeers | null
  readonly log: FastifyBaseLogger
  /** Receives each row exactly once, before it is delivered to the bus. */
  readonly recent: ReturnType<typeof createRecentEvents>
}

/**
 * Starts the delivery with the rows of the last `seconds`, which have been delivered when it resolves. Rejects if the database
 * cannot be read.
 */
export async function openOutbox(
  { pool, bus, peers, log, recent }: OutboxDeps,
  seconds: number = recentEventsLimits.maxAgeMs / 1000,
): Promise<Outbox> {
  const start = await queries.findStart(pool, seconds)
  let position = start.id
  recent.skipTo(start)
  let timeline = await queries.findTimeline(pool)
  /** Rows that this node committed, and that wait for a row with a lower id. */
  const waiting = new Map<number, DeliveredRow>()
  /** Missing ids below `upTo` can only belong to one of these transactions. */
  let undecided: { readonly upTo: number; readonly transactions: ReadonlySet<string> } | null = null
  let hasFailed = false
  /** When the last read ended. */
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null
  let isReadWanted = false
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY
  let isStopped = false

  peers?.onWake((id) => {
    if (id !== null && id <= position) return
    const waitMs = readAt + outboxLimits.wakePauseMs - performance.now()
    if (waitMs > 0) setTimer(waitMs)
    else void readSoon()
  })
  const cleanup = createJob({
    everyMs: outboxLimits.deleteEveryMs,
    initialDelayMs: outboxLimits.deleteEveryMs,
    failure: 'outbox cleanup failed',
    log,
    run: ({ signal }) => runInBatches(outboxLimits.deleteBatch, signal, [deleteOld]),
  })
  cleanup.start()
  await readSoon()
  if (hasFailed) throw new Error('The outbox of the database cannot be read')

  function deliver(row: DeliveredRow): void {
    position = row.id
    for (const event of recent.add(row)) bus.deliver(event)
  }

  /** Delivers the next rows that this node committed. */
  function deliverWaiting(): void {
    for (let next = waiting.get(position + 1); next; next = waiting.get(position + 1)) {
      waiting.delete(position + 1)
      deliver(next)
    }
  }

  function readSoon(): Promise<void> {
    isReadWanted = true
    reading ??= readWanted().finally(() => {
      reading = null
    })
    return reading
  }

  async function readWanted(): Promise<void> {
    while (isReadWanted && !isStopped) {
      isReadWanted = false
      try {
        if (hasFailed) await checkHistory()
        await readAll()
        if (hasFailed) log.info('outbox read again')
        hasFailed = false
      } catch (error) {
        if (isStopped) return
        if (!hasFailed) log.error({ err: error }, 'outbox unavailable')
        hasFailed = true
      }
    }
    readAt = performance.now()
    recent.dropOld()
    poll()
  }

  async function readAll(): Promise<void> {
    let isMore = true
    while (isMore && !isStopped) {
      // This comes before the rows are read: a transaction that is no longer among these has either written a visible
      // row or none.
      const transactions = undecided && (await queries.listWritingTransactions(pool))
      const { deletedUpTo, rows } = await queries.listAfter(pool, position, outboxLimits.batch)
      if (isStopped) return
      if (deletedUpTo.id > position) {
        skipTo(deletedUpTo, 'outbox rows were deleted before this node read them')
        continue
      }
      if (undecided && transactions && ![...undecided.transactions].some((one) => transactions.has(one))) {
        const { upTo } = undecided
        undecided = null
        deliverRows(rows, upTo)
      } else deliverRows(rows, 0)
      isMore = rows.length === outboxLimits.batch && undecided === null
      if (!undecided && rows.length > 0 && position < (rows.at(-1)?.id ?? 0)) {
        undecided = {
          upTo: rows.at(-1)?.id ?? 0,
          transactions: await queries.listWritingTransactions(pool),
        }
      }
    }
    for (const id of waiting.keys()) if (id <= position) waiting.delete(id)
    deliverWaiting()
  }

  /** Stops before the first missing id that is not below `decidedUpTo`. */
  function deliverRows(rows: readonly queries.OutboxRow[], decidedUpTo: number): void {
    for (const { id, createdAtUs, body } of rows) {
      if (id <= position) continue
      if (id > position + 1 && id > decidedUpTo) return
      const own = waiting.get(id)
      waiting.delete(id)
      deliver(own ?? { id, createdAtUs, events: JSON.parse(body) as OutboxEvent[], bytes: body.length })
    }
  }

  function skipTo(row: queries.PassedRow, reason: string): void {
    log.warn({ count: row.id - position }, reason)
    position = row.id
    undecided = null
    recent.skipTo(row)
    bus.deliver({ kind: 'gap' })
  }

  /** A promoted standby may lack acknowledged rows of its predecessor, and use the same ids again. */
  async function checkHistory(): Promise<void> {
    const current = await queries.findTimeline(pool)
    if (current !== null && current === timeline) return
    timeline = current
    skipTo(
      await queries.findStart(pool, outboxLimits.continueSeconds),
      'the database may have lost its last transactions',
    )
  }

  function poll(): void {
    const isGap = undecided !== null || waiting.size > 0
    if (hasFailed) setTimer(outboxLimits.retryMs)
    else if (isGap) setTimer(outboxLimits.gapPauseMs)
    else if (peers && !peers.isConnected()) setTimer(outboxLimits.pollWithoutWakeMs)
    else setTimer(outboxLimits.pollMs)
  }

  function setTimer(ms: number): void {
    const at = performance.now() + ms
    if (isStopped || at >= timerAt) return
    clearTimeout(timer)
    timerAt = at
    timer = setTimeout(() => {
      timerAt = Number.POSITIVE_INFINITY
      void readSoon()
    }, ms)
    timer.unref()
  }

  const deleteOld = () => queries.deleteOlderThan(pool, outboxLimits.retentionSeconds, outboxLimits.deleteBatch)

  return {
    append(tx, events) {
      const body = JSON.stringify(events)
      return { query: queries.insertIntoOutbox(tx, body), events, bytes: body.length }
    },
    async committed({ query, events, bytes }) {
      const [row] = (await query) as unknown as [{ id: string; created_us: string }]
      const id = Number(row.id)
      peers?.wake(id)
      if (isStopped || id <= position) return
      waiting.set(id, { id, createdAtUs: Number(row.created_us), events, bytes })
      deliverWaiting()
      // Another transaction took its id earlier and commits later.
      if (waiting.size > 0) setTimer(outboxLimits.gapPauseMs)
    },
    readSoon() {
      void readSoon()
    },
    get position() {
      return position
    },
    async catchUp() {
      // A read that has already started may not see the latest commits.
      if (reading) await reading
      for (;;) {
        await readSoon()
        if (hasFailed) throw new Error('The outbox of the database cannot be read')
        if (undecided === null && waiting.size === 0) return
        await pause(outboxLimits.gapPauseMs)
      }
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await cleanup.stop()
      await reading
    },
  }
}
