import type { UserId } from '@hither/contract/ids.ts'
import type { Change } from './bus.ts'
import type { OutboxEvent } from './outbox.ts'
import { changeOfMember } from './unread-counts.ts'

export const recentEventsLimits = {
  /** Longer than the time for which a disconnected client can resume. */
  maxAgeMs: 180_000,
  /** The limit of the size of all row texts in bytes. */
  maxBytes: 32 * 1024 * 1024,
} as const

export interface RecentEvent {
  /** For a change, its `committedAt`. */
  readonly position: string
  /** Returns `null` if the user may no longer receive any earlier change. */
  change(): Change | null
}

/**
 * The last minutes of the outbox in memory, by user, so that a client that was connected to another node can resume
 * here.
 */
export interface RecentEvents {
  /** The position of everything that has been delivered on this node so far. */
  position(): string
  /**
   * Returns the events for this user after `position`, in order, beginning with the change itself if `position` is that
   * of a change. A position was returned by `position()` on any node, or is the `commit_timestamp` of a frame. Returns
   * `null` if it is unknown or too old.
   */
  since(userId: UserId, position: string): readonly RecentEvent[] | null
}

interface Entry extends RecentEvent {
  readonly id: number
}

interface StoredRow {
  readonly id: number
  readonly at: number
  readonly bytes: number
  readonly userIds: ReadonlySet<UserId>
}

/** Filled by an outbox: `add` is its `onRow`, `skipTo` its `onSkip`. */
export function createRecentEvents(monotonicMs: () => number = () => performance.now()) {
  /** All rows after this id are in memory. */
  let completeAfter = 0
  let lastId = 0
  let bytesSum = 0
  const rows: StoredRow[] = []
  const entriesOf = new Map<UserId, Entry[]>()

  function add(id: number, events: readonly OutboxEvent[], bytes: number): void {
    lastId = id
    const userIds = new Set<UserId>()
    const enter = (userId: UserId, entry: Entry) => {
      userIds.add(userId)
      const entries = entriesOf.get(userId)
      if (entries) entries.push(entry)
      else entriesOf.set(userId, [entry])
    }
    for (const event of events) {
      if (event.kind === 'changes')
        for (const change of event.changes) {
          const entry = { id, position: change.committedAt, change: () => change }
          for (const userId of new Set(change.audience)) enter(userId, entry)
        }
      if (event.kind === 'unread_counts_changed')
        for (const member of event.members) {
          const change = () => changeOfMember(event, member)
          enter(member.userId, { id, position: event.committedAt, change })
        }
      const cut = { id, position: positionOf(id), change: () => null }
      // The user's visible rows changed without a change event for each row.
      if (event.kind === 'friends_changed') for (const userId of event.userIds) enter(userId, cut)
      if (event.kind === 'membership_ended') enter(event.userId, cut)
    }
    rows.push({ id, at: monotonicMs(), bytes, userIds })
    bytesSum += bytes
    dropOld()
  }

  function dropOld(): void {
    const since = monotonicMs() - recentEventsLimits.maxAgeMs
    let count = 0
    for (const row of rows) {
      if (row.at >= since && bytesSum <= recentEventsLimits.maxBytes) break
      count++
      bytesSum -= row.bytes
      completeAfter = row.id
      for (const userId of row.userIds) dropEntries(userId, row.id)
    }
    rows.splice(0, count)
  }

  function dropEntries(userId: UserId, upToId: number): void {
    const entries = entriesOf.get(userId) ?? []
    const first = entries.findIndex(({ id }) => id > upToId)
    if (first < 0) entriesOf.delete(userId)
    else entries.splice(0, first)
  }

  function skipTo(id: number): void {
    completeAfter = id
    lastId = id
    bytesSum = 0
    rows.length = 0
    entriesOf.clear()
  }

  function since(userId: UserId, position: string): readonly RecentEvent[] | null {
    dropOld()
    const entries = entriesOf.get(userId) ?? []
    const id = idOf(position)
    if (id === null) {
      const first = entries.findLastIndex((entry) => position.startsWith(entry.position.slice(0, -1)))
      return first < 0 ? null : entries.slice(first)
    }
    if (id < completeAfter || id > lastId) return null
    return entries.slice(entries.findLastIndex((entry) => entry.id <= id) + 1)
  }

  return { add, skipTo, since, position: () => positionOf(lastId) }
}

function positionOf(id: number): string {
  return `#${id}`
}

function idOf(position: string): number | null {
  return position.startsWith('#') ? Number(position.slice(1)) : null
}
