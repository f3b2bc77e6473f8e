import type { UserId } from '@hither/contract/ids.ts'
import type { Change, OutboxEvent } from './bus.ts'
import { endOf, isEnd, nextRowUs, positionOf, prefixOf, rowOf } from './positions.ts'
import { changeOfMember } from './unread-counts.ts'

export const recentEventsLimits = {
  /** Longer than the time within which a client can resume, by the time for which it may have received no position. */
  maxAgeMs: 180_000,
  /** The limit of the size of all row texts in bytes. */
  maxBytes: 32 * 1024 * 1024,
} as const

/** `null` if the user may no longer receive any earlier change. */
type RecentChange = Change | null

/** The rows of the outbox of the last minutes in memory, so that any client can resume at any node. */
export interface RecentEvents {
  /** The position of everything that has been delivered on this node so far. */
  position(): string
  /**
   * Returns what this user received after this position, in order, and the other changes of its row. Returns `null` if the
   * position is unknown, or if changes after it are no longer in memory.
   */
  since(userId: UserId, position: string): readonly RecentChange[] | null
}

/** What an outbox delivers. */
export interface DeliveredRow {
  readonly id: number
  /** By the clock of the database, in Unix microseconds. */
  readonly createdAtUs: number
  readonly events: readonly OutboxEvent[]
  /** The size of its text. */
  readonly bytes: number
}

interface StoredRow {
  readonly id: number
  readonly prefix: string
  readonly at: number
  readonly bytes: number
  readonly events: readonly OutboxEvent[]
  readonly userIds: ReadonlySet<UserId>
}

/** Filled by an outbox, in the order of the ids. */
export function createRecentEvents(monotonicMs: () => number = () => performance.now()) {
  let lastUs = 0
  /** The rows after it are in memory. */
  let completeAfter = { id: 0, prefix: prefixOf(lastUs) }
  let bytesSum = 0
  const rows = new Map<number, StoredRow>()
  const idOf = new Map<string, number>()
  /** The ids of the rows that concern a user, in order. */
  const rowsOf = new Map<UserId, number[]>()

  /** Returns the events with the positions of their changes. */
  function add({ id, createdAtUs, events, bytes }: DeliveredRow): readonly OutboxEvent[] {
    lastUs = nextRowUs(lastUs, createdAtUs)
    const prefix = prefixOf(lastUs)
    const positioned = withPositions(events, prefix)
    const userIds = new Set(positioned.flatMap(usersOf))
    for (const userId of userIds) {
      const ids = rowsOf.get(userId)
      if (ids) ids.push(id)
      else rowsOf.set(userId, [id])
    }
    rows.set(id, { id, prefix, at: monotonicMs(), bytes, events: positioned, userIds })
    idOf.set(prefix, id)
    bytesSum += bytes
    dropOld()
    return positioned
  }

  function dropOld(): void {
    const since = monotonicMs() - recentEventsLimits.maxAgeMs
    for (const row of rows.values()) {
      if (row.at >= since && bytesSum <= recentEventsLimits.maxBytes) break
      bytesSum -= row.bytes
      completeAfter = { id: row.id, prefix: row.prefix }
      rows.delete(row.id)
      idOf.delete(row.prefix)
      for (const userId of row.userIds) {
        const ids = rowsOf.get(userId)
        ids?.shift()
        if (ids?.length === 0) rowsOf.delete(userId)
      }
    }
  }

  /** Rows up to this one are not delivered here. Rows after it may be delivered again. */
  function skipTo({ id, createdAtUs }: Pick<DeliveredRow, 'id' | 'createdAtUs'>): void {
    lastUs = createdAtUs
    completeAfter = { id, prefix: prefixOf(lastUs) }
    bytesSum = 0
    rows.clear()
    idOf.clear()
    rowsOf.clear()
  }

  function since(userId: UserId, position: string): readonly RecentChange[] | null {
    dropOld()
    const prefix = rowOf(position)
    const from = position === endOf(completeAfter.prefix) ? completeAfter.id : prefix && idOf.get(prefix)
    if (typeof from !== 'number') return null
    const first = isEnd(position) ? from + 1 : from
    const ids = (rowsOf.get(userId) ?? []).filter((id) => id >= first)
    return ids.flatMap((id) => rows.get(id)?.events.flatMap((event) => changesFor(userId, event)) ?? [])
  }

  function position(): string {
    dropOld()
    return endOf(prefixOf(lastUs))
  }

  return { add, skipTo, since, position, dropOld }
}

function withPositions(events: readonly OutboxEvent[], prefix: string): OutboxEvent[] {
  let count = 0
  const positioned = <T extends { readonly committedAt: string }>(change: T): T => ({
    ...change,
    committedAt: positionOf(prefix, count++, 0),
  })
  return events.map((event) => {
    if (event.kind === 'changes') return { ...event, changes: event.changes.map(positioned) }
    return event.kind === 'unread_counts_changed' ? positioned(event) : event
  })
}

function usersOf(event: OutboxEvent): readonly UserId[] {
  switch (event.kind) {
    case 'changes':
      return event.changes.flatMap(({ audience }) => audience)
    case 'unread_counts_changed':
      return event.members.map(({ userId }) => userId)
    case 'friends_changed':
      return event.userIds
    case 'membership_ended':
      return [event.userId]
    default:
      return []
  }
}

function changesFor(userId: UserId, event: OutboxEvent): readonly RecentChange[] {
  switch (event.kind) {
    case 'changes':
      return event.changes.filter(({ audience }) => audience.includes(userId))
    case 'unread_counts_changed':
      return event.members.filter((member) => member.userId === userId).map((member) => changeOfMember(event, member))
    // The user's visible rows changed without a change event for each row.
    case 'friends_changed':
      return event.userIds.includes(userId) ? [null] : []
    case 'membership_ended':
      return event.userId === userId ? [null] : []
    default:
      return []
  }
}
