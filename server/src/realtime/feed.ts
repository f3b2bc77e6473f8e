import { feedColumns } from '@hither/contract/feeds.ts'
import { type Change } from '../platform/bus.ts'
import { type Binding } from './bindings.ts'
import { createFeedLog, type FeedLog } from './feed-log.ts'
import { type Delivery } from './frames.ts'
import { type Subscriber } from './hub.ts'
import { type Vsn } from './protocol.ts'

/** The channel through which a feed flows at present. */
export interface Sink {
  /** Whether frames go out now; `false` holds them back until the caller has shown a valid token. */
  mayReceive(): boolean
  send(frame: Buffer): void
  /** Something was lost before it could be written: the app has to read anew. */
  onBroken(): void
}

/** What one subscription hears: it outlives its channel, so that a client that comes back misses nothing. */
export interface Feed extends Subscriber {
  readonly log: FeedLog
  attach(sink: Sink): void
  /** From here on everything is kept until there is a channel again. */
  detach(sink: Sink): void
  /** Sends what was held back. `false` where some of it was lost. */
  flush(): boolean
}

export interface FeedOf {
  readonly vsn: Vsn
  readonly topic: string
  readonly bindings: readonly Binding[]
  /** Whether what was written is kept as well, until the client is known to have it. */
  readonly keepsSent: boolean
}

export function createFeed({ vsn, topic, bindings, keepsSent }: FeedOf, log = createFeedLog()): Feed {
  let sink: Sink | null = null
  const reader = { key: JSON.stringify([vsn, topic, bindings.map(({ id }) => id)]), vsn, topic, bindings }
  const feed: Feed = {
    log,
    hear(change, frames) {
      // Whoever was not yet told of the row may no longer see it as it was.
      if (change.type === 'DELETE') log.forget((earlier) => isCovered(earlier, change))
      for (const delivery of frames.of(reader)) receive(change, delivery)
    },
    cut() {
      log.cut()
      if (sink && log.isBroken()) sink.onBroken()
    },
    attach(next) {
      sink = next
    },
    detach(previous) {
      if (sink === previous) sink = null
    },
    flush() {
      if (log.isBroken()) return false
      for (const frame of log.takeUnsent()) sink?.send(frame)
      if (!keepsSent) log.ack(log.sentSeq)
      return true
    },
  }
  return feed

  function receive(change: Change, { cursor, frame, heldFrame }: Delivery): void {
    const isOpen = sink?.mayReceive() ?? false
    if (keepsSent || !isOpen) log.add(change, cursor, heldFrame())
    if (sink === null) return
    if (!isOpen) {
      if (log.isBroken()) sink.onBroken()
      return
    }
    if (keepsSent) log.markSent()
    sink.send(frame())
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
