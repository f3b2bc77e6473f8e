import { type Change } from '../platform/bus.ts'

export const feedLogLimits = { entriesMax: 2048, bytesMax: 1024 * 1024 } as const

interface Entry {
  readonly seq: number
  readonly cursor: string
  readonly change: Change
  /** `null` where the row may no longer be shown as it was; its place is kept, for a client may have come as far as here. */
  frame: Buffer | null
}

/**
 * What one subscription was to be told, until its client is known to have it. Never holds what may not be shown any more,
 * and knows when it is no longer complete.
 */
export interface FeedLog {
  add(change: Change, cursor: string, frame: Buffer): void
  /** All that was added so far has been written to the socket. */
  markSent(): void
  /** What has been written so far, to be given to `ack`. */
  readonly sentSeq: number
  /** Everything up to this number has reached the client. */
  ack(seq: number): void
  /** Takes what was not yet written, in order, as written. */
  takeUnsent(): Buffer[]
  /** Earlier changes of the rows that pass are not shown any more. */
  forget(passes: (change: Change) => boolean): void
  /** Nothing told so far may be shown again. */
  cut(): void
  /** Whether something was lost before it was written. */
  isBroken(): boolean
  /** The client is owed the notice that something was lost; it counts as written with what comes next, and is acknowledged with it. */
  owe(): void
  /** Whether something is kept no more that its client is not known to have, be it the notice of that. */
  isShort(): boolean
  /**
   * The client is back: what it may not have is to be sent (again). `after` is how far it says it came, `null` for nowhere,
   * `undefined` where it does not say: then what it acknowledged counts. `false` where that cannot be made up, or the notice
   * of an earlier loss may not have reached it: then it is owed (again).
   */
  rewind(after: string | null | undefined): boolean
  /** How far its client is known to have come; `null` where nothing was to be told so far. */
  readonly ackedCursor: string | null
  isEmpty(): boolean
  /** Whether it can say what came after. */
  knows(cursor: string): boolean
  copy(): FeedLog
}

interface State {
  entries: Entry[]
  lastSeq: number
  sentSeq: number
  ackedSeq: number
  /** The newest entry that is kept no more. */
  gone: { seq: number; cursor: string | null }
  /** Of the last notice that was owed. */
  noticeSeq: number
}

export function createFeedLog(): FeedLog {
  return logOf({ entries: [], lastSeq: 0, sentSeq: 0, ackedSeq: 0, gone: { seq: 0, cursor: null }, noticeSeq: 0 })
}

function logOf(state: State): FeedLog {
  let bytes = state.entries.reduce((sum, { frame }) => sum + (frame?.length ?? 0), 0)

  const log: FeedLog = {
    add(change, cursor, frame) {
      state.entries.push({ seq: ++state.lastSeq, cursor, change, frame })
      bytes += frame.length
      while (state.entries.length > feedLogLimits.entriesMax || bytes > feedLogLimits.bytesMax) remove(1)
    },
    markSent() {
      state.sentSeq = state.lastSeq
    },
    get sentSeq() {
      return state.sentSeq
    },
    ack(seq) {
      state.ackedSeq = Math.max(state.ackedSeq, Math.min(seq, state.sentSeq))
      const first = state.entries.findIndex((entry) => entry.seq > state.ackedSeq)
      remove(first < 0 ? state.entries.length : first)
    },
    takeUnsent() {
      const unsent = state.entries.filter(({ seq }) => seq > state.sentSeq).map(({ frame }) => frame)
      log.markSent()
      return unsent.filter((frame) => frame !== null)
    },
    forget(passes) {
      for (const entry of state.entries) {
        if (entry.frame === null || !passes(entry.change)) continue
        bytes -= entry.frame.length
        entry.frame = null
      }
    },
    cut() {
      remove(state.entries.length)
    },
    isBroken: () => state.gone.seq > state.sentSeq,
    owe() {
      state.noticeSeq = ++state.lastSeq
    },
    isShort: () => Math.max(state.gone.seq, state.noticeSeq) > state.ackedSeq,
    rewind(after) {
      const from = after === undefined ? state.ackedSeq : seqOf(after)
      const isWhole = from !== null && from >= state.gone.seq && Math.max(from, state.ackedSeq) >= state.noticeSeq
      // What cannot be made up is read anew by the app, and all that came before now with it.
      const at = isWhole ? from : state.lastSeq
      state.sentSeq = at
      log.ack(at)
      if (!isWhole) log.owe()
      return isWhole
    },
    get ackedCursor() {
      return state.gone.cursor
    },
    isEmpty: () => state.entries.length === 0,
    knows: (cursor) => seqOf(cursor) !== null,
    copy: () => logOf({ ...state, entries: state.entries.map((entry) => ({ ...entry })), gone: { ...state.gone } }),
  }
  return log

  function remove(count: number): void {
    const removed = state.entries.splice(0, count)
    const last = removed.at(-1)
    if (!last) return
    for (const { frame } of removed) bytes -= frame?.length ?? 0
    state.gone = { seq: last.seq, cursor: last.cursor }
  }

  function seqOf(cursor: string | null): number | null {
    if (cursor === state.gone.cursor) return state.gone.seq
    return state.entries.find((entry) => entry.cursor === cursor)?.seq ?? null
  }
}
