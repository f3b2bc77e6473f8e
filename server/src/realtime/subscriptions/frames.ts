import { feedColumns } from '@hither/contract/feeds.ts'
import type { Change } from '../../events/bus.ts'
import { withFrame } from '../../events/positions.ts'
import { encodeChange, type Vsn } from '../protocol/protocol.ts'
import { encodeWebSocketFrame } from '../protocol/websocket-frame.ts'
import type { BindingSet } from './binding-sets.ts'
import { type Shape, shapesOf, type View } from './shapes.ts'

/** One WebSocket frame for one channel. Its buffers are shared with other channels and must not be modified. */
export interface Delivery {
  /** The `commit_timestamp` of the frame. */
  readonly position: string
  frame(): Buffer
  /** The form for a replay: a DELETE contains only the key, since the client may never have received the row. */
  replayedFrame(): Buffer
}

/** Encodes each distinct frame of a change once, however many subscribers share it. */
export interface Frames {
  /** Returns the frames in order. Readers with the same bindings and topic share them. */
  of(reader: Reader): readonly Delivery[]
}

export interface Reader {
  readonly topic: string
  readonly bindings: BindingSet
}

export function createFrames(change: Change): Frames {
  const bodies = new Map<string, string>()
  const deliveries = new Map<BindingSet, Map<string, readonly Delivery[]>>()

  return {
    of({ topic, bindings }) {
      const byTopic = memo(deliveries, bindings, () => new Map<string, readonly Delivery[]>())
      return memo(byTopic, topic, () =>
        shapesOf(change, bindings.all).map((shape) => deliveryOf(bindings.vsn, topic, shape)),
      )
    },
  }

  function deliveryOf(vsn: Vsn, topic: string, { view, select, ids, index }: Shape): Delivery {
    const position = withFrame(change.committedAt, index)
    const encode = (as: View) => {
      const bodyKey = `${as} ${index} ${select?.join() ?? ''}`
      const body = memo(bodies, bodyKey, () => JSON.stringify(bodyOf(change, as, select, position)))
      return encodeWebSocketFrame(encodeChange(vsn, topic, ids, body))
    }
    const frame = once(() => encode(view))
    return { position, frame, replayedFrame: view === 'DELETE' ? once(() => encode('LEFT')) : frame }
  }
}

function memo<K, T>(known: Map<K, T>, key: K, make: () => T): T {
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

/** `columns` stays empty: clients use it only to convert text, which would lose precision. */
function bodyOf(change: Change, view: View, select: readonly string[] | null, position: string): object {
  const key: readonly string[] = feedColumns[change.table].key
  const shown = select ? [...new Set([...key, ...select])] : Object.keys(feedColumns[change.table].columns)
  return {
    schema: 'public',
    table: change.table,
    commit_timestamp: position,
    type: view === 'LEFT' ? 'DELETE' : view,
    columns: [],
    ...(view === 'INSERT' || view === 'UPDATE' ? { record: pick(change.record, shown) } : {}),
    ...(view === 'UPDATE' || view === 'LEFT' ? { old_record: pick(change.oldRecord, key) } : {}),
    ...(view === 'DELETE' ? { old_record: pick(change.oldRecord, shown) } : {}),
    errors: null,
  }
}

/** Only columns of the contract are sent, even if the row has others. */
function pick(row: object | null, columns: readonly string[]): Record<string, unknown> {
  const values = (row ?? {}) as Record<string, unknown>
  return Object.fromEntries(
    columns.filter((column) => Object.hasOwn(values, column)).map((column) => [column, values[column]]),
  )
}
