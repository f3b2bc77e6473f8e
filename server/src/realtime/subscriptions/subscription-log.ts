import type { Change } from '../../platform/events/bus.ts'

export const subscriptionLogLimits = { entriesMax: 2048, bytesMax: 1024 * 1024 } as const

interface Entry {
  readonly seq: number
  readonly cursor: string
  change: Change
  /**
   * `null` if the client may no longer see the contents. The entry keeps its cursor, because the client may name it
   * when it resumes.
   */
  frame: Buffer | null
}

/**
 * The changes of one subscription that its client has not acknowledged. The log contains nothing that the user may no
 * longer see, and knows whether it is incomplete.
 */
export class SubscriptionLog {
  #entries: Entry[] = []
  #bytes = 0
  #lastSeq = 0
  #sentSeq = 0
  #ackedSeq = 0
  /** The newest entry that was removed. */
  #goneSeq = 0
  #goneCursor: string | null = null
  /** The number of the latest resync notice. */
  #noticeSeq = 0

  add(change: Change, cursor: string, frame: Buffer): void {
    this.#entries.push({ seq: ++this.#lastSeq, cursor, change, frame })
    this.#bytes += frame.length
    this.#shorten()
  }

  /** The size of all entries. */
  get bytes(): number {
    return this.#bytes
  }

  /** Marks everything added so far as written to the socket. */
  markSent(): void {
    this.#sentSeq = this.#lastSeq
  }

  /** The number of the last entry written to the socket, for `ack`. */
  get sentSeq(): number {
    return this.#sentSeq
  }

  /** Records that the client has received everything up to this number, and removes it. */
  ack(seq: number): void {
    this.#ackedSeq = Math.max(this.#ackedSeq, Math.min(seq, this.#sentSeq))
    const first = this.#entries.findIndex((entry) => entry.seq > this.#ackedSeq)
    this.#remove(first < 0 ? this.#entries.length : first)
  }

  /** Returns the frames that have not been written, in order, and marks them as written. */
  takeUnsent(): Buffer[] {
    const unsent = this.#entries.filter(({ seq }) => seq > this.#sentSeq).map(({ frame }) => frame)
    this.markSent()
    return unsent.filter((frame) => frame !== null)
  }

  /** Removes the contents of all entries whose change matches. */
  forget(passes: (change: Change) => boolean): void {
    for (const entry of this.#entries) {
      if (entry.frame === null || !passes(entry.change)) continue
      this.#bytes -= entry.frame.length
      entry.frame = null
    }
  }

  /**
   * Replaces the contents of all entries for which `rewrite` returns another change. `encode` returns the frame of such a
   * change, or `null` if it has none.
   */
  rewrite(rewrite: (change: Change) => Change, encode: (change: Change, cursor: string) => Buffer | null): void {
    for (const entry of this.#entries) {
      if (entry.frame === null) continue
      const change = rewrite(entry.change)
      if (change === entry.change) continue
      const frame = encode(change, entry.cursor)
      this.#bytes += (frame?.length ?? 0) - entry.frame.length
      entry.change = change
      entry.frame = frame
    }
    this.#shorten()
  }

  /** Discards all entries, because the client may no longer see them. */
  cut(): void {
    this.#remove(this.#entries.length)
  }

  /** Whether entries were lost before they were written. */
  isBroken(): boolean {
    return this.#goneSeq > this.#sentSeq
  }

  /**
   * Records that the client must resync. The notice counts as written, and as acknowledged, together with
   * the next entry.
   */
  requireResync(): void {
    this.#noticeSeq = ++this.#lastSeq
  }

  /** Whether entries were discarded, or a resync notice was recorded, that the client has not acknowledged. */
  needsResync(): boolean {
    return Math.max(this.#goneSeq, this.#noticeSeq) > this.#ackedSeq
  }

  /**
   * Prepares the log for a reconnected client: marks everything after `after` as unwritten. `after` is the cursor of
   * the last change that the client handled, `null` if it handled none, or `undefined` if it does not track its
   * position; then the acknowledged position counts. Returns `false`, and requires a resync, if changes are missing or
   * an earlier resync notice may not have arrived.
   */
  rewind(after: string | null | undefined): boolean {
    const from = after === undefined ? this.#ackedSeq : this.#seqOf(after)
    const isWhole = from !== null && from >= this.#goneSeq && Math.max(from, this.#ackedSeq) >= this.#noticeSeq
    // The client refetches what is missing, together with everything before this moment.
    const at = isWhole ? from : this.#lastSeq
    this.#sentSeq = at
    this.ack(at)
    if (!isWhole) this.requireResync()
    return isWhole
  }

  /** The cursor of the last acknowledged or discarded entry; `null` if there was none. */
  get ackedCursor(): string | null {
    return this.#goneCursor
  }

  isEmpty(): boolean {
    return this.#entries.length === 0
  }

  /** Whether the log can return all changes after this cursor. */
  knows(cursor: string): boolean {
    return this.#seqOf(cursor) !== null
  }

  copy(): SubscriptionLog {
    const copy = new SubscriptionLog()
    copy.#entries = this.#entries.map((entry) => ({ ...entry }))
    copy.#bytes = this.#bytes
    copy.#lastSeq = this.#lastSeq
    copy.#sentSeq = this.#sentSeq
    copy.#ackedSeq = this.#ackedSeq
    copy.#goneSeq = this.#goneSeq
    copy.#goneCursor = this.#goneCursor
    copy.#noticeSeq = this.#noticeSeq
    return copy
  }

  #shorten(): void {
    const { entriesMax, bytesMax } = subscriptionLogLimits
    while (this.#entries.length > entriesMax || this.#bytes > bytesMax) this.#remove(1)
  }

  #remove(count: number): void {
    if (count === 0) return
    const removed = this.#entries.splice(0, count)
    const last = removed.at(-1)
    if (!last) return
    for (const { frame } of removed) this.#bytes -= frame?.length ?? 0
    this.#goneSeq = last.seq
    this.#goneCursor = last.cursor
  }

  #seqOf(cursor: string | null): number | null {
    if (cursor === this.#goneCursor) return this.#goneSeq
    return this.#entries.find((entry) => entry.cursor === cursor)?.seq ?? null
  }
}
