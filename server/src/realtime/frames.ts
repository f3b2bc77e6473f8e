import { feedColumns } from '@hither/contract/feeds.ts'
import { type Change } from '../platform/bus.ts'
import { encodeChange, type Vsn } from './protocol.ts'

/**
 * How a change looks to a subscriber. `LEFT` is an UPDATE that took the row out of their filter: told as a DELETE of its
 * key alone, since the one who now hears of it need not have been shown the row as it was.
 */
export type View = Change['type'] | 'LEFT'

/** One frame for one channel; its buffers are shared with others, and never to be written to. */
export interface Delivery {
  /** The frame's `commit_timestamp`, which no other frame has but its held form. */
  readonly cursor: string
  frame(): Buffer
  /** For later: by then the row of a DELETE may never have been shown, so that only its key leaves. */
  heldFrame(): Buffer
}

/** Writes each distinct frame of a change once, however many subscribers share it. */
export interface Frames {
  of(
    to: { readonly vsn: Vsn; readonly topic: string },
    view: View,
    select: readonly string[] | null,
    ids: readonly string[],
  ): Delivery
}

/** Of the time of a change, one that has not been before. */
export type Stamp = (committedAt: string) => string

export function createFrames(change: Change, stamp: Stamp): Frames {
  const cursors = new Map<string, string>()
  const bodies = new Map<string, string>()
  const deliveries = new Map<string, Delivery>()

  return {
    of({ vsn, topic }, view, select, ids) {
      const columns = select?.join() ?? ''
      const key = `${vsn} ${view} ${columns} ${ids.join()} ${topic}`
      const known = deliveries.get(key)
      if (known) return known
      const cursorKey = `${view === 'LEFT' ? 'DELETE' : view} ${columns}`
      const cursor = memo(cursors, cursorKey, () => stamp(change.committedAt))
      const encode = (as: View) => {
        const body = memo(bodies, `${as} ${columns}`, () => JSON.stringify(bodyOf(change, as, select, cursor)))
        return Buffer.from(encodeChange(vsn, topic, ids, body))
      }
      const frame = once(() => encode(view))
      const delivery = { cursor, frame, heldFrame: view === 'DELETE' ? once(() => encode('LEFT')) : frame }
      deliveries.set(key, delivery)
      return delivery
    },
  }
}

function memo<T>(known: Map<string, T>, key: string, make: () => T): T {
  const value = known.get(key) ?? make()
  known.set(key, value)
  return value
}

function once<T>(make: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= make()
    return value
  }
}

/** `columns` is only for the client's coercion of text, which would lose precision: empty, so that it touches nothing. */
function bodyOf(change: Change, view: View, select: readonly string[] | null, cursor: string): object {
  const key: readonly string[] = feedColumns[change.table].key
  const shown = select ? [...new Set([...key, ...select])] : Object.keys(feedColumns[change.table].columns)
  return {
    schema: 'public',
    table: change.table,
    commit_timestamp: cursor,
    type: view === 'LEFT' ? 'DELETE' : view,
    columns: [],
    ...(view === 'INSERT' || view === 'UPDATE' ? { record: pick(change.record, shown) } : {}),
    ...(view === 'UPDATE' || view === 'LEFT' ? { old_record: pick(change.oldRecord, key) } : {}),
    ...(view === 'DELETE' ? { old_record: pick(change.oldRecord, shown) } : {}),
    errors: null,
  }
}

/** Only columns of the contract leave, whatever else the row came with. */
function pick(row: object | null, columns: readonly string[]): Record<string, unknown> {
  const values = (row ?? {}) as Record<string, unknown>
  return Object.fromEntries(
    columns.filter((column) => Object.hasOwn(values, column)).map((column) => [column, values[column]]),
  )
}
