import { type FeedName, feedColumns } from '@hither/contract/feeds.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { type Change } from '../platform/bus.ts'
import { type Binding } from './bindings.ts'
import { encodeChange, type Vsn } from './protocol.ts'

/** One channel of one socket, as the hub sees it. */
export interface Subscriber {
  readonly vsn: Vsn
  readonly topic: string
  readonly bindings: readonly Binding[]
  /** Whether frames go out now; `false` holds them back until the caller has shown a valid token. */
  mayReceive(): boolean
  /** `frame` is shared with other subscribers: never to be written to. */
  deliver(frame: Buffer): void
  hold(held: HeldFrame): void
}

export interface HeldFrame {
  readonly frame: Buffer
  /** Names the row, so that a DELETE can take the place of what was held of it before. */
  readonly row: string
  readonly isDelete: boolean
}

/** Who on this node listens to what. */
export interface Hub {
  add(userId: UserId, subscriber: Subscriber): void
  remove(userId: UserId, subscriber: Subscriber): void
  /** Hands each change to the subscribers of its audience, in order, before it returns. */
  publish(changes: readonly Change[]): void
}

export function createHub(): Hub {
  const subscribersOf = new Map<UserId, Set<Subscriber>>()
  return {
    add(userId, subscriber) {
      const subscribers = subscribersOf.get(userId)
      if (subscribers) subscribers.add(subscriber)
      else subscribersOf.set(userId, new Set([subscriber]))
    },
    remove(userId, subscriber) {
      const subscribers = subscribersOf.get(userId)
      subscribers?.delete(subscriber)
      if (subscribers?.size === 0) subscribersOf.delete(userId)
    },
    publish(changes) {
      for (const change of changes) {
        const frames = createFrames(change)
        for (const userId of new Set(change.audience)) {
          // A copy: a subscriber that falls too far behind is removed while it is being served.
          for (const subscriber of [...(subscribersOf.get(userId) ?? [])]) serve(subscriber, change, frames)
        }
      }
    },
  }
}

/**
 * How a change looks to a subscriber. `LEFT` is an UPDATE that took the row out of their filter: told as a DELETE of its
 * key alone, since the one who now hears of it need not have been shown the row as it was.
 */
type View = Change['type'] | 'LEFT'

function serve(subscriber: Subscriber, change: Change, frames: Frames): void {
  const groups = new Map<string, { view: View; binding: Binding; ids: Set<string> }>()
  for (const binding of subscriber.bindings) {
    const view = viewOf(change, binding)
    if (!view) continue
    const key = `${view} ${binding.select?.join() ?? ''}`
    const group = groups.get(key)
    if (group) group.ids.add(binding.id)
    else groups.set(key, { view, binding, ids: new Set([binding.id]) })
  }
  for (const { view, binding, ids } of groups.values()) {
    if (subscriber.mayReceive()) {
      subscriber.deliver(frames.encode(subscriber, view, binding.select, [...ids]))
    } else {
      const isDelete = view === 'DELETE' || view === 'LEFT'
      // What was held of the row is dropped with it, so they never saw it: only its key may leave.
      const frame = frames.encode(subscriber, isDelete ? 'LEFT' : view, binding.select, [...ids])
      subscriber.hold({ frame, row: frames.row, isDelete })
    }
  }
}

function viewOf(change: Change, { event, tests }: Binding): View | null {
  const test = tests.get(change.table)
  if (!test) return null
  const wants = (type: Change['type']) => event === '*' || event === type
  const passes = (row: object) => test(row as Record<string, unknown>)
  switch (change.type) {
    case 'INSERT':
      return wants('INSERT') && passes(change.record) ? 'INSERT' : null
    case 'DELETE':
      return wants('DELETE') && passes(change.oldRecord) ? 'DELETE' : null
    case 'UPDATE':
      if (passes(change.record)) return wants('UPDATE') ? 'UPDATE' : null
      return wants('DELETE') && passes(change.oldRecord) ? 'LEFT' : null
  }
}

interface Frames {
  readonly row: string
  encode(subscriber: Subscriber, view: View, select: readonly string[] | null, ids: readonly string[]): Buffer
}

/** Writes each distinct frame of a change once, however many subscribers share it. */
function createFrames(change: Change): Frames {
  const bodies = new Map<string, string>()
  const frames = new Map<string, Buffer>()
  return {
    row: rowNameOf(change),
    encode({ vsn, topic }, view, select, ids) {
      const bodyKey = `${view} ${select?.join() ?? ''}`
      const frameKey = `${vsn} ${bodyKey} ${ids.join()} ${topic}`
      let frame = frames.get(frameKey)
      if (!frame) {
        const body = bodies.get(bodyKey) ?? JSON.stringify(bodyOf(change, view, select))
        bodies.set(bodyKey, body)
        frame = Buffer.from(encodeChange(vsn, topic, ids, body))
        frames.set(frameKey, frame)
      }
      return frame
    },
  }
}

/** `columns` is only for the client's coercion of text, which would lose precision: empty, so that it touches nothing. */
function bodyOf(change: Change, view: View, select: readonly string[] | null): object {
  const key: readonly string[] = feedColumns[change.table].key
  const shown = select ? [...new Set([...key, ...select])] : Object.keys(feedColumns[change.table].columns)
  return {
    schema: 'public',
    table: change.table,
    commit_timestamp: change.committedAt,
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

function rowNameOf(change: Change): string {
  const row = (change.record ?? change.oldRecord) as unknown as Record<string, unknown>
  const key: readonly string[] = feedColumns[change.table as FeedName].key
  return JSON.stringify([change.table, ...key.map((column) => row[column])])
}
