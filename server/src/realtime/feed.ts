import { type Binding } from './bindings.ts'
import { createFeedLog, type FeedLog } from './feed-log.ts'
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
  const feed: Feed = {
    vsn,
    topic,
    bindings,
    log,
    receive(change, { cursor, frame, heldFrame }) {
      const isOpen = sink?.mayReceive() ?? false
      if (keepsSent || !isOpen) log.add(change, cursor, heldFrame())
      if (sink === null) return
      if (!isOpen) {
        if (log.isBroken()) sink.onBroken()
        return
      }
      if (keepsSent) log.markSent()
      sink.send(frame())
    },
    forget: (passes) => log.forget(passes),
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
}
