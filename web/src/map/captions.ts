import { type Spot } from './pins.ts'

/** Of a caption at its widest, and of a marker; both hang on the tip. */
const captionHalfWidthPx = 26
const captionBottomPx = 20
const markerHalfWidthPx = 20
const markerTopPx = -44

/**
 * The markers whose caption would lie on another's marker or caption. Of two captions in each other's way the one
 * farther south stays, as its marker stands in front.
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

/** `other` stands farther south, or as far. */
function isInTheWay(spot: Spot, other: Spot, hasCaption: boolean): boolean {
  const [dx, dy] = [Math.abs(other.x - spot.x), other.y - spot.y]
  const touchesMarker = dx < captionHalfWidthPx + markerHalfWidthPx && dy + markerTopPx < captionBottomPx
  const touchesCaption = hasCaption && dx < captionHalfWidthPx * 2 && dy < captionBottomPx
  return touchesMarker || touchesCaption
}
