/** A ping as the map shows it. */
export interface Pin {
  id: string
  latitude: number
  longitude: number
  look: 'own' | 'friend' | 'pending'
  userId: string
  username: string
  hasImage: boolean | undefined
  /** What is left of its time, 1 to 0. */
  fractionLeft: number
  /** Under the marker: `24 m`. */
  caption: string
  /** For those who hear it: "Sam, coffee at Nero, 24 minutes left". */
  label: string
}

export interface Spot {
  id: string
  x: number
  y: number
}

export type Offset = readonly [dx: number, dy: number]

const none: Offset = [0, 0]
const goldenAngle = Math.PI * (3 - Math.sqrt(5))

/**
 * Moves markers that would hide one another apart: those within `nearPx` of the first of their group are set on a
 * spiral around it, each still far enough from its neighbours to be pressed. Markers that stand alone do not move.
 */
export function spread(spots: readonly Spot[], nearPx: number, gapPx: number): Map<string, Offset> {
  const groups: Spot[][] = []
  const cells = new Map<string, Spot[][]>()
  for (const spot of spots) {
    const [column, row] = [Math.floor(spot.x / nearPx), Math.floor(spot.y / nearPx)]
    const group = [-1, 0, 1]
      .flatMap((dx) => [-1, 0, 1].flatMap((dy) => cells.get(`${column + dx},${row + dy}`) ?? []))
      .find(([first]) => first !== undefined && Math.hypot(first.x - spot.x, first.y - spot.y) < nearPx)
    if (group !== undefined) {
      group.push(spot)
      continue
    }
    const started = [spot]
    groups.push(started)
    const key = `${column},${row}`
    cells.set(key, [...(cells.get(key) ?? []), started])
  }
  return new Map(groups.flatMap((group) => group.map((spot, index) => [spot.id, offsetOf(group, spot, index, gapPx)])))
}

function offsetOf([first]: Spot[], spot: Spot, index: number, gapPx: number): Offset {
  if (index === 0 || first === undefined) return none
  const radius = gapPx * Math.sqrt(index)
  const [x, y] = [first.x + radius * Math.cos(index * goldenAngle), first.y + radius * Math.sin(index * goldenAngle)]
  return [Math.round(x - spot.x), Math.round(y - spot.y)]
}
