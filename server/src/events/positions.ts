/** Of the changes of a row of the outbox, this many have positions of their own. The others share the last one. */
const changesMax = 98
const framesMax = 9
const rowEnd = 999

/**
 * Returns the time of a row in Unix microseconds, by which the rows are ordered, from that of the row before and from the time at
 * which the database wrote it. The clock of the database may have been set back between the two. The result follows from the rows
 * alone, so it is the same on every node. It does not contain the id, from which a client could count what others do.
 */
export function nextRowUs(previousUs: number, createdAtUs: number): number {
  return Math.max(createdAtUs, previousUs + 1)
}

/** The text with which the positions of a row begin. */
export function prefixOf(rowUs: number): string {
  return new Date(Math.floor(rowUs / 1000)).toISOString().slice(0, -1) + digits(rowUs % 1000)
}

/** The position of everything up to the end of the row with this prefix. */
export function endOf(prefix: string): string {
  return `${prefix}${rowEnd}Z`
}

/**
 * The position of a frame, which is its `commit_timestamp`: a time with nine fractional digits, as many as all official clients
 * can read. `change` counts the changes of the row, `frame` the frames that one channel receives for the change, both from 0.
 * Positions increase as texts.
 */
export function positionOf(prefix: string, change: number, frame: number): string {
  return `${prefix}${digits(Math.min(change, changesMax) * 10 + Math.min(frame, framesMax))}Z`
}

/** The position of another frame of the same change. */
export function withFrame(position: string, frame: number): string {
  return `${position.slice(0, -2)}${Math.min(frame, framesMax)}Z`
}

/** Returns the prefix of the row of a position; `null` if the text is no position. */
export function rowOf(position: string): string | null {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/.test(position) ? position.slice(0, -4) : null
}

/**
 * Whether a client that has handled everything up to `handled` may lack the frame at `position`. Where several frames share a
 * position, it may have handled only some of them.
 */
export function mayLack(position: string, handled: string): boolean {
  return position > handled || (position === handled && isShared(position))
}

export function isEnd(position: string): boolean {
  return position.endsWith(`${rowEnd}Z`)
}

function isShared(position: string): boolean {
  const change = Number(position.slice(-4, -2))
  return change === changesMax || position.at(-2) === String(framesMax)
}

function digits(value: number): string {
  return String(value).padStart(3, '0')
}
