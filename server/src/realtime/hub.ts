import { feedColumns } from '@hither/contract/feeds.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { type Change } from '../platform/bus.ts'
import { type Binding } from './bindings.ts'
import { createFrames, type Delivery, type Frames, type Stamp, type View } from './frames.ts'
import { type Vsn } from './protocol.ts'

/** One subscription, as the hub sees it. */
export interface Subscriber {
  readonly vsn: Vsn
  readonly topic: string
  readonly bindings: readonly Binding[]
  receive(change: Change, delivery: Delivery): void
  /** What it was told of the rows that pass is not to be told again. */
  forget(passes: (change: Change) => boolean): void
  /** Nothing that it was told so far is to be told again. */
  cut(): void
}

/** Who on this node listens to what. */
export interface Hub {
  add(userId: UserId, subscriber: Subscriber): void
  remove(userId: UserId, subscriber: Subscriber): void
  /** Hands each change to the subscribers of its audience, in order, before it returns. */
  publish(changes: readonly Change[]): void
  /** What this person may see has changed in a way that no change of a row tells. */
  cut(userId: UserId): void
}

export function createHub(): Hub {
  const subscribersOf = new Map<UserId, Set<Subscriber>>()
  const stamp = createStamp()
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
        const frames = createFrames(change, stamp)
        for (const userId of new Set(change.audience)) {
          // A copy: a subscriber that falls too far behind is removed while it is being served.
          for (const subscriber of [...(subscribersOf.get(userId) ?? [])]) serve(subscriber, change, frames)
        }
      }
    },
    cut(userId) {
      for (const subscriber of [...(subscribersOf.get(userId) ?? [])]) subscriber.cut()
    },
  }
}

/**
 * Times that differ, by a millionth of a second where need be: a client can name one to say how far it came. Were two ever
 * alike, it would be told again what it has.
 */
function createStamp(): Stamp {
  let latest = 0
  let count = 0
  return (committedAt) => {
    const time = Date.parse(committedAt)
    count = time > latest ? 0 : (count + 1) % 1000
    latest = Math.max(latest, time)
    return `${new Date(time).toISOString().slice(0, -1)}${String(count).padStart(3, '0')}Z`
  }
}

function serve(subscriber: Subscriber, change: Change, frames: Frames): void {
  // Whoever was not yet told of the row may no longer see it as it was.
  if (change.type === 'DELETE') subscriber.forget((earlier) => isCovered(earlier, change))
  const groups = new Map<string, { view: View; binding: Binding; ids: Set<string> }>()
  for (const binding of subscriber.bindings) {
    const view = viewOf(change, binding)
    if (!view) continue
    const key = `${view} ${binding.select?.join() ?? ''}`
    const group = groups.get(key)
    if (group) group.ids.add(binding.id)
    else groups.set(key, { view, binding, ids: new Set([binding.id]) })
  }
  for (const { view, binding, ids } of groups.values())
    subscriber.receive(change, frames.of(subscriber, view, binding.select, [...ids]))
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

/** Whether a row that is gone from sight takes this earlier change with it: its own, or of what can be seen with it alone. */
function isCovered(earlier: Change, { table, oldRecord }: Change): boolean {
  const row = (earlier.record ?? earlier.oldRecord) as unknown as Record<string, unknown>
  const gone = oldRecord as unknown as Record<string, unknown>
  const key: readonly string[] = feedColumns[table].key
  if (earlier.table === table) return key.every((column) => row[column] === gone[column])
  if (table === 'location_pins') return earlier.table === 'ping_responses' && row.ping_id === gone.id
  if (table === 'chats')
    return (
      (earlier.table === 'messages' || earlier.table === 'message_read_receipts') && row.conversation_id === gone.id
    )
  return false
}
