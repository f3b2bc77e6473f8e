/** The heights of the sheet: its headings and the first row, half of the map, or nearly all of it. */
export type Stop = 'peek' | 'half' | 'full'

export const stops: readonly Stop[] = ['peek', 'half', 'full']

export const handlePx = 28
/** The height in pixels of the handle, the collapsed My Pins and the heading of Friends Nearby. */
export const headingsPx = 133
/** The height in pixels of a row with response buttons. */
const firstRowPx = 136
const topGapPx = 24

/**
 * Returns the lowest height of the sheet. On a low screen only its handle is left, so that the map stays visible. `abovePx` is the
 * height of what is above the headings.
 */
export function peekOf(availablePx: number, isLow: boolean, abovePx = 0): number {
  if (isLow) return Math.min(handlePx, availablePx)
  const peekPx = abovePx + Math.max(headingsPx, Math.min(headingsPx + firstRowPx, Math.round(availablePx / 2)))
  return Math.min(peekPx, availablePx)
}

export function heightOf(stop: Stop, availablePx: number, peekPx: number): number {
  if (stop === 'peek') return peekPx
  return stop === 'half' ? Math.max(peekPx, Math.round(availablePx / 2)) : Math.max(peekPx, availablePx - topGapPx)
}

/** Returns the stop to which a released sheet moves: a flick moves to the next stop, anything else to the nearest. */
export function restingStop(
  heightPx: number,
  speedPxPerMs: number,
  from: Stop,
  availablePx: number,
  peekPx: number,
): Stop {
  const flickPxPerMs = 0.5
  const at = stops.indexOf(from)
  if (speedPxPerMs > flickPxPerMs) return stops[Math.min(at + 1, stops.length - 1)] ?? from
  if (speedPxPerMs < -flickPxPerMs) return stops[Math.max(at - 1, 0)] ?? from
  const distance = (stop: Stop) => Math.abs(heightOf(stop, availablePx, peekPx) - heightPx)
  return stops.reduce((nearest, stop) => (distance(stop) < distance(nearest) ? stop : nearest))
}
