/** A ping as the map shows it. */
export interface Pin {
  id: string
  latitude: number
  longitude: number
  /** The radius of the area that is shown instead of an exact place. */
  radiusM: number | null
  look: 'own' | 'friend' | 'pending'
  userId: string
  name: string
  hasImage: boolean | undefined
  /** The remaining share of its time, from 1 to 0. */
  fractionLeft: number
  /** The text below the marker, for example `24 min`. */
  caption: string
  /** A second text below the caption, for example `2 going`. */
  note: string | null
  /** The accessible name, for example "Sam, coffee at Nero, 24 minutes left". */
  label: string
}

/** Returns the areas of the pins, each once. */
export function areasOf(pins: readonly Pin[]) {
  const areas = pins.flatMap(({ latitude, longitude, radiusM }) =>
    radiusM === null ? [] : [[`${latitude} ${longitude} ${radiusM}`, { latitude, longitude, radiusM }] as const],
  )
  return [...new Map(areas).values()]
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
 * Spreads markers that would cover each other: those within `nearPx` of the first of their group are set on a spiral
 * around it, at least `gapPx` apart so that each can be clicked. Markers without close neighbours do not move.
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
