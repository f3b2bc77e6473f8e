export interface Bounds {
  west: number
  south: number
  east: number
  north: number
}

/** The finest grid level. Finer lines would be centimetres apart. */
const deepestLevel = 22
const pixelsPerWorld = 512
const cellPixels = 128

/**
 * Returns the lines of a square grid over the visible area, 100 to 200 pixels apart, so that the map visibly moves over
 * empty land.
 */
export function gridOf({ west, south, east, north }: Bounds, zoom: number) {
  const level = Math.min(deepestLevel, Math.floor(zoom) + Math.log2(pixelsPerWorld / cellPixels))
  const cells = 2 ** level
  const columns = range(Math.floor(((west + 180) / 360) * cells), Math.ceil(((east + 180) / 360) * cells))
  const rows = range(Math.floor(rowOf(north) * cells), Math.ceil(rowOf(south) * cells))
  const [top, bottom] = [latitudeOf((rows[0] ?? 0) / cells), latitudeOf((rows.at(-1) ?? 0) / cells)]
  const [left, right] = [((columns[0] ?? 0) / cells) * 360 - 180, ((columns.at(-1) ?? 0) / cells) * 360 - 180]
  return {
    type: 'MultiLineString' as const,
    coordinates: [
      ...columns.map((column) => [
        [(column / cells) * 360 - 180, top],
        [(column / cells) * 360 - 180, bottom],
      ]),
      ...rows.map((row) => [
        [left, latitudeOf(row / cells)],
        [right, latitudeOf(row / cells)],
      ]),
    ],
  }
}

/** Returns the Web Mercator row: 0 at the top of the world, 1 at the bottom. */
function rowOf(latitude: number): number {
  const radians = (Math.max(-85.05, Math.min(85.05, latitude)) * Math.PI) / 180
  return (1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2
}

function latitudeOf(row: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * row))) * 180) / Math.PI
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, Math.min(200, to - from + 1)) }, (_, i) => from + i)
}
