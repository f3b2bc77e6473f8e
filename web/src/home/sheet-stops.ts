/** How far the sheet covers the map: the two headings, half of it, or all but the top. */
export type Stop = 'peek' | 'half' | 'full'

export const stops: readonly Stop[] = ['peek', 'half', 'full']

/** The handle, the folded My Pins and the heading of Friends Nearby. */
export const peekPx = 156
const topGapPx = 24

export function heightOf(stop: Stop, availablePx: number): number {
  if (stop === 'peek') return Math.min(peekPx, availablePx)
  return stop === 'half' ? Math.max(peekPx, Math.round(availablePx / 2)) : Math.max(peekPx, availablePx - topGapPx)
}

/** Where a sheet that is let go of comes to rest: a flick goes one stop on, anything else to the nearest. */
export function restingStop(heightPx: number, speedPxPerMs: number, from: Stop, availablePx: number): Stop {
  const flickPxPerMs = 0.5
  const at = stops.indexOf(from)
  if (speedPxPerMs > flickPxPerMs) return stops[Math.min(at + 1, stops.length - 1)] ?? from
  if (speedPxPerMs < -flickPxPerMs) return stops[Math.max(at - 1, 0)] ?? from
  const distance = (stop: Stop) => Math.abs(heightOf(stop, availablePx) - heightPx)
  return stops.reduce((nearest, stop) => (distance(stop) < distance(nearest) ? stop : nearest))
}
