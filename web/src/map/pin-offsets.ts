import { crowded } from './captions.ts'
import { type Offset, type Spot, spread } from './pins.ts'

const nearPx = 30
const gapPx = 48

/** How far each marker stands aside of its place, for those that would hide one another. */
export function offsetsOf(spots: readonly Spot[]): Map<string, Offset> {
  return spread(spots, nearPx, gapPx)
}

/** The markers, as they stand then, that have no room for a caption. */
export function captionsInTheWay(spots: readonly Spot[], offsets: ReadonlyMap<string, Offset>): Set<string> {
  return crowded(
    spots.map(({ id, x, y }) => {
      const [dx, dy] = offsets.get(id) ?? [0, 0]
      return { id, x: x + dx, y: y + dy }
    }),
  )
}
