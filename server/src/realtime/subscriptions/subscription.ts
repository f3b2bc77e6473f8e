import { type FeedName, feedColumns } from '@hither/contract/feeds.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { feeds } from '../../feeds/feeds.ts'
import type { Change } from '../../platform/events/bus.ts'
import { ancestorsOf, type OutdatedSettings } from '../../platform/events/feed-declaration.ts'
import type { BindingSet } from './binding-sets.ts'
import { createFrames, type Delivery, type Frames } from './frames.ts'
import type { Subscriber } from './hub.ts'
import { SubscriptionLog } from './subscription-log.ts'

/** The channel to which a subscription currently sends. */
export interface Sink {
  /** Whether frames can be sent now; if `false`, they are stored until the client has presented a valid token. */
  mayReceive(): boolean
  sendChange(frame: Buffer): void
  /** Changes were lost before they could be sent: the client must resync. */
  onBroken(): void
}

export interface SubscriptionOptions {
  readonly topic: string
  readonly bindings: BindingSet
  /** Whether sent frames stay in the log until the client has acknowledged them. */
  readonly keepsSent: boolean
}

/** Delivers changes to one channel. It outlives the channel, so that a client that reconnects misses nothing. */
export class Subscription implements Subscriber {
  readonly topic: string
  readonly bindings: BindingSet
  readonly log: SubscriptionLog
  readonly #keepsSent: boolean
  #sink: Sink | null = null

  constructor({ topic, bindings, keepsSent }: SubscriptionOptions, log = new SubscriptionLog()) {
    this.topic = topic
    this.bindings = bindings
    this.log = log
    this.#keepsSent = keepsSent
  }

  wants(table: FeedName): boolean {
    return this.bindings.tables.has(table)
  }

  deliver(change: Change, frames: Frames): void {
    // A client that has not received an earlier change of the row may no longer be allowed to see the old contents.
    if (change.type !== 'INSERT' && feeds[change.table].outdated)
      this.log.rewrite(
        (earlier) => withoutErased(earlier, change),
        (rewritten, cursor) => this.#storedFrame(rewritten, cursor),
      )
    if (change.type === 'DELETE') this.log.forget((earlier) => isCovered(earlier, change))
    else if (change.type === 'UPDATE' && feeds[change.table].outdated)
      this.log.forget((earlier) => isTakenBack(earlier, change))
    for (const delivery of frames.of(this)) this.#receive(change, delivery)
  }

  cut(): void {
    this.log.cut()
    if (this.log.isBroken()) this.#sink?.onBroken()
  }

  attach(sink: Sink): void {
    this.#sink = sink
  }

  /** Stores all further changes until the next `attach`. */
  detach(sink: Sink): void {
    if (this.#sink === sink) this.#sink = null
  }

  /** Sends the stored frames. Returns `false` if some of them were lost. */
  flush(): boolean {
    if (this.log.isBroken()) return false
    for (const frame of this.log.takeUnsent()) this.#sink?.sendChange(frame)
    if (!this.#keepsSent) this.log.ack(this.log.sentSeq)
    return true
  }

  /** Encodes the frame with this cursor again, after the contents of its change were rewritten. */
  #storedFrame(change: Change, cursor: string): Buffer | null {
    const delivery = createFrames(change)
      .of(this)
      .find((one) => one.cursor === cursor)
    return delivery?.storedFrame() ?? null
  }

  #receive(change: Change, { cursor, frame, storedFrame }: Delivery): void {
    const sink = this.#sink
    const isOpen = sink?.mayReceive() ?? false
    if (this.#keepsSent || !isOpen) this.log.add(change, cursor, storedFrame())
    if (sink === null) return
    if (!isOpen) {
      if (this.log.isBroken()) sink.onBroken()
      return
    }
    if (this.#keepsSent) this.log.markSent()
    sink.sendChange(frame())
  }
}

/**
 * Whether the deletion of a row also hides this earlier change: a change of the row itself, or of a row that is visible
 * only through it.
 */
function isCovered(earlier: Change, { table, oldRecord }: Change): boolean {
  const row = (earlier.record ?? earlier.oldRecord) as unknown as Record<string, unknown>
  const gone = oldRecord as unknown as Record<string, unknown>
  if (earlier.table === table) return hasSameKey(table, row, gone)
  return ancestorsOf(feeds[earlier.table]).some(({ feed, column }) => feed === table && row[column] === gone.id)
}

/** Whether the user may no longer know what this earlier change of the same row showed. */
function isTakenBack(earlier: Change, { table, record }: Exclude<Change, { type: 'DELETE' }>): boolean {
  if (earlier.table !== table || earlier.record === null) return false
  const by = feeds[table].outdated?.by as ((later: object, earlier: object) => boolean) | undefined
  return by !== undefined && hasSameKey(table, earlier.record, record) && by(record, earlier.record)
}

/**
 * Returns an earlier change as it may be shown after a later one: without the former contents of that row, also where it
 * repeats them. The same change if there is nothing to remove.
 */
function withoutErased(earlier: Change, change: Exclude<Change, { type: 'INSERT' }>): Change {
  // Not forgotten, because the later change does not reach a binding for inserts alone.
  if (earlier.type === 'INSERT' && change.type === 'UPDATE' && isTakenBack(earlier, change))
    return { ...earlier, record: change.record } as Change
  const { table, record, oldRecord } = change
  const rewrite = feeds[table].outdated?.elsewhere as ElsewhereRule | null | undefined
  if (!rewrite || earlier.table !== table || earlier.record === null) return earlier
  const rewritten = rewrite(earlier.record, (oldRecord as unknown as { id: string }).id, record)
  return rewritten === earlier.record ? earlier : ({ ...earlier, record: rewritten } as Change)
}

type ElsewhereRule = (row: object, changedId: string, now: object | null) => object

function hasSameKey(table: FeedName, a: object, b: object): boolean {
  const key: readonly string[] = feedColumns[table].key
  return key.every((column) => (a as Record<string, unknown>)[column] === (b as Record<string, unknown>)[column])
}

type AtRule = (row: object, userId: UserId, now: Date, settings: OutdatedSettings) => boolean

/** Whether this user may no longer know what a stored change showed, because of the time. */
export function isOutdated({ table, record }: Change, userId: UserId, now: Date, settings: OutdatedSettings): boolean {
  const at = feeds[table].outdated?.at as AtRule | undefined
  return at !== undefined && record !== null && at(record, userId, now, settings)
}
