import type { Spot } from './pins.ts'

/** The half width of the widest caption and of a marker, both centred on the tip. */
const captionHalfWidthPx = 26
const captionBottomPx = 20
const markerHalfWidthPx = 20
const markerTopPx = -44

/**
 * Returns the markers whose caption would overlap another marker or caption. Of two overlapping captions the southern
 * one is shown, because its marker is in front.
 */
export function crowded(spots: readonly Spot[]): Set<string> {
  const sorted = [...spots].sort((a, b) => b.y - a.y)
  const hidden = new Set<string>()
  const columns = new Map<number, Spot[]>()
  const columnPx = captionHalfWidthPx * 2
  for (const spot of sorted) {
    const column = Math.floor(spot.x / columnPx)
    const near = [-1, 0, 1].flatMap((step) => columns.get(column + step) ?? [])
    if (near.some((other) => isInTheWay(spot, other, !hidden.has(other.id)))) hidden.add(spot.id)
    columns.set(column, [...(columns.get(column) ?? []), spot])
  }
  return hidden
}

/** `other` is farther south or at the same latitude. */
function isInTheWay(spot: Spot, other: Spot, hasCaption: boolean): boolean {
  const [dx, dy] = [Math.abs(other.x - spot.x), other.y - spot.y]
  const touchesMarker = dx < captionHalfWidthPx + markerHalfWidthPx && dy + markerTopPx < captionBottomPx
  const touchesCaption = hasCaption && dx < captionHalfWidthPx * 2 && dy < captionBottomPx
  return touchesMarker || touchesCaption
}
