import { type UserId } from '@hither/contract/ids.ts'
import { type Change } from '../bus.ts'
import { type OutboxEvent } from './outbox.ts'

export const recentEventsLimits = {
  /** Longer than any client is waited for. */
  maxAgeMs: 180_000,
  /** Of the text of the rows. */
  maxBytes: 32 * 1024 * 1024,
} as const

/** `change` is `null` where nothing before it may be delivered any more. */
export interface RecentEvent {
  /** Of a change its `committedAt`. */
  readonly position: string
  readonly change: Change | null
}

/** The last minutes of the outbox in memory, by person, so that a client that was at another node can go on here. */
export interface RecentEvents {
  /** Stands for everything that has been delivered on this node so far. */
  position(): string
  /**
   * What was announced to this person after `position`, in order; beginning with the change itself where `position` is that
   * of a change. A position is one that `position()` returned on any node, or the `commit_timestamp` of a frame. Returns
   * `null` where it is not known or too old.
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

/** To be filled by an outbox: `add` is its `onRow`, `skipTo` its `onSkip`. */
export function createRecentEvents(monotonicMs: () => number = () => performance.now()) {
  /** Everything after this id is here. */
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
          const entry = { id, position: change.committedAt, change }
          for (const userId of new Set(change.audience)) enter(userId, entry)
        }
      const cut = { id, position: positionOf(id), change: null }
      // What they may see has changed in a way that no change of a row announces.
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
