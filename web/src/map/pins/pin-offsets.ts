import { crowded } from './captions.ts'
import { type Offset, type Spot, spread } from './pins.ts'

const nearPx = 30
const gapPx = 48

/** Returns the offset of each marker that would otherwise cover another one. */
export function offsetsOf(spots: readonly Spot[]): Map<string, Offset> {
  return spread(spots, nearPx, gapPx)
}

/** Returns the markers, at their offsets, that have no space for a caption. */
export function captionsInTheWay(spots: readonly Spot[], offsets: ReadonlyMap<string, Offset>): Set<string> {
  return crowded(
    spots.map(({ id, x, y }) => {
      const [dx, dy] = offsets.get(id) ?? [0, 0]
      return { id, x: x + dx, y: y + dy }
    }),
  )
}
