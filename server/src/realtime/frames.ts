import { feedColumns } from '@hither/contract/feeds.ts'
import { type Change } from '../platform/bus.ts'
import { type Binding } from './bindings.ts'
import { encodeChange, type Vsn } from './protocol.ts'
import { type Shape, shapesOf, type View } from './shapes.ts'

/** One frame for one channel; its buffers are shared with others, and never to be written to. */
export interface Delivery {
  /** The frame's `commit_timestamp`, which no other frame of the channel has but its held form. */
  readonly cursor: string
  frame(): Buffer
  /** For later: by then the row of a DELETE may never have been shown, so that only its key leaves. */
  heldFrame(): Buffer
}

/** Writes each distinct frame of a change once, however many subscribers share it. */
export interface Frames {
  /** In order. The `key` stands for all else that the reader asks for. */
  of(reader: Reader): readonly Delivery[]
}

export interface Reader {
  readonly key: string
  readonly vsn: Vsn
  readonly topic: string
  readonly bindings: readonly Binding[]
}

export function createFrames(change: Change): Frames {
  const bodies = new Map<string, string>()
  const deliveries = new Map<string, readonly Delivery[]>()

  return {
    of: (reader) =>
      memo(deliveries, reader.key, () => shapesOf(change, reader.bindings).map((shape) => deliveryOf(reader, shape))),
  }

  function deliveryOf({ vsn, topic }: Reader, { view, select, ids, index }: Shape): Delivery {
    const cursor = cursorOf(change, index)
    const encode = (as: View) => {
      const bodyKey = `${as} ${index} ${select?.join() ?? ''}`
      const body = memo(bodies, bodyKey, () => JSON.stringify(bodyOf(change, as, select, cursor)))
      return Buffer.from(encodeChange(vsn, topic, ids, body))
    }
    const frame = once(() => encode(view))
    return { cursor, frame, heldFrame: view === 'DELETE' ? once(() => encode('LEFT')) : frame }
  }
}

/** Begins with that of the change, so that its place in a log is found by it. */
function cursorOf({ committedAt }: Change, index: number): string {
  return index === 0 ? committedAt : `${committedAt.slice(0, -1)}${String(index).padStart(3, '0')}Z`
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
