import { type FeedName, feedColumns } from '@hither/contract/feeds.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { Change } from '../../events/bus.ts'
import { ancestorsOf, type OutdatedSettings } from '../../events/feed-declaration.ts'
import { mayLack } from '../../events/positions.ts'
import type { RecentEvents } from '../../events/recent-events.ts'
import { feeds } from '../../feeds/feeds.ts'
import { createFrames, type Delivery, type Reader } from './frames.ts'

/** Above one of these, a client has to refetch everything, which costs less. */
export const replayLimits = { changesMax: 2048, bytesMax: 1024 * 1024 } as const

export interface ReplayDeps extends OutdatedSettings {
  readonly recentEvents: RecentEvents
  readonly now: () => Date
}

interface Request extends Reader {
  readonly userId: UserId
  /** The position up to which the client has handled everything. */
  readonly after: string
}

/**
 * Returns the frames that the client lacks, in order, with the contents that its user may see now. Returns `null` if changes are
 * missing or too many: then the client has to refetch everything.
 */
export function replay(deps: ReplayDeps, request: Request): readonly Buffer[] | null {
  const { userId, after } = request
  const received = deps.recentEvents.since(userId, after)
  if (!received || received.length > replayLimits.changesMax) return null
  const lackedOf = (change: Change | null): readonly Delivery[] =>
    change
      ? createFrames(change)
          .of(request)
          .filter(({ position }) => mayLack(position, after))
      : []
  const cut = received.lastIndexOf(null)
  if (received.slice(0, cut + 1).some((change) => lackedOf(change).length > 0)) return null
  const changes = received.slice(cut + 1).filter((change) => change !== null)
  const isOutdated = (table: FeedName, row: object) => atRuleOf(table)?.(row, userId, deps.now(), deps) ?? false
  const frames = asOfNow(changes, isOutdated)
    .flatMap(lackedOf)
    .map((delivery) => delivery.replayedFrame())
  const bytes = frames.reduce((sum, { length }) => sum + length, 0)
  return bytes > replayLimits.bytesMax ? null : frames
}

/**
 * Returns the changes with the contents that their rows have now. Leaves out those of rows that their user no longer sees,
 * except for the last deletion of each.
 */
function asOfNow(changes: readonly Change[], isOutdated: (table: FeedName, row: object) => boolean): readonly Change[] {
  // All of these have what is known from the later changes.
  const gone = new Set<string>()
  const newest = new Map<string, object>()
  const changed = new Map<FeedName, Map<string, object | null>>()
  const shown: Change[] = []

  for (const change of changes.toReversed()) {
    const { table } = change
    const isSeen = change.record === null ? forget(table, change.oldRecord) : isVisible(table, change.record)
    if (!isSeen) continue
    if (change.record === null) shown.push(change)
    else {
      const record = currentOf(table, change.record)
      if (change.type === 'UPDATE') noteChange(table, change.oldRecord, record)
      if (!isOutdated(table, record)) shown.push({ ...change, record } as Change)
    }
  }
  return shown.reverse()

  /** Returns `false` if the row was deleted again later. */
  function forget(table: FeedName, row: object): boolean {
    const key = keyOf(table, row)
    if (gone.has(key)) return false
    gone.add(key).add(idOf(table, column(row, 'id')))
    noteChange(table, row, null)
    return true
  }

  function isVisible(table: FeedName, row: object): boolean {
    const parents = ancestorsOf(feeds[table]).map((parent) => idOf(parent.feed, column(row, parent.column)))
    return ![keyOf(table, row), ...parents].some((key) => gone.has(key))
  }

  function currentOf(table: FeedName, row: object): object {
    const key = keyOf(table, row)
    let current = newest.get(key) ?? row
    const rewrite = elsewhereRuleOf(table)
    if (rewrite) for (const [id, now] of changed.get(table) ?? []) current = rewrite(current, id, now)
    newest.set(key, current)
    return current
  }

  /** Only of feeds whose rows repeat contents of one another. */
  function noteChange(table: FeedName, row: object, now: object | null): void {
    if (!elsewhereRuleOf(table)) return
    const rows = changed.get(table) ?? new Map<string, object | null>()
    const id = String(column(row, 'id'))
    if (!rows.has(id)) changed.set(table, rows.set(id, now))
  }
}

type AtRule = (row: object, userId: UserId, now: Date, settings: OutdatedSettings) => boolean
type ElsewhereRule = (row: object, changedId: string, now: object | null) => object

const atRuleOf = (table: FeedName) => feeds[table].outdated?.at as AtRule | null | undefined
const elsewhereRuleOf = (table: FeedName) => feeds[table].outdated?.elsewhere as ElsewhereRule | null | undefined

const column = (row: object, name: string) => (row as Record<string, unknown>)[name]
const idOf = (table: FeedName, id: unknown) => `${table} ${String(id)}`

function keyOf(table: FeedName, row: object): string {
  return [table, ...feedColumns[table].key.map((name) => String(column(row, name)))].join(' ')
}
