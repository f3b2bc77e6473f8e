import type { feature } from 'topojson-client'

export type Topology = Parameters<typeof feature>[0]
export type Point = [number, number]
export type Ring = Point[]

/** Simplification removes corners whose triangle is smaller than this many square degrees, about a pixel at zoom 7. */
const flatDeg2 = 0.0018
/** Islands smaller than this many square degrees are removed, except around the default center. */
const specksDeg2 = 0.004
/** Around the default center all points are preserved. */
const fullDetailArea = { west: -75.2, south: 39.9, east: -72.4, north: 41.6 }

/** Returns the topology with absolute, simplified arcs. Simplifying arcs instead of shapes preserves shared borders. */
export function simplified({ arcs, transform, ...rest }: Topology): Topology {
  if (transform === undefined) throw new Error('world-atlas is expected to be quantized')
  const { scale, translate } = transform
  const absolute = arcs.map((arc) => {
    let x = 0
    let y = 0
    return (arc as Point[]).map(([dx, dy]): Point => {
      x += dx
      y += dy
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
    })
  })
  return { ...rest, arcs: absolute.map((arc) => withoutFlatCorners(unwrappedLine(arc))) }
}

/** Visvalingam's algorithm: removes the corner with the smallest triangle until all triangles are large enough. */
export function withoutFlatCorners(arc: Point[]): Point[] {
  const isClosed = String(arc[0]) === String(arc.at(-1))
  const leastPoints = isClosed ? 4 : 2
  const points = [...arc]
  while (points.length > leastPoints) {
    let flattest = -1
    let smallest = flatDeg2
    for (let i = 1; i < points.length - 1; i++) {
      const weight = weightOf(points[i - 1] as Point, points[i] as Point, points[i + 1] as Point)
      if (weight < smallest) {
        smallest = weight
        flattest = i
      }
    }
    if (flattest < 0) break
    points.splice(flattest, 1)
  }
  return points
}

function weightOf(a: Point, b: Point, c: Point): number {
  if (isInFullDetail(b)) return Number.POSITIVE_INFINITY
  const area = Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2
  return area * Math.cos((b[1] * Math.PI) / 180)
}

export function isInFullDetail([x, y]: Point) {
  return x > fullDetailArea.west && x < fullDetailArea.east && y > fullDetailArea.south && y < fullDetailArea.north
}

/**
 * The rings of world-atlas cross the antimeridian, and that of Antarctica surrounds the pole. On a plane a ring must be
 * continuous, so it continues beyond 180°, where the map's tiler wraps it. A ring that does not close is extended around
 * the pole.
 */
export function unwrapped(ring: Ring): Ring {
  const line = unwrappedLine(ring)
  const first = line[0] as Point
  const last = line.at(-1) as Point
  if (Math.abs(last[0] - first[0]) < 180) return line
  return [...line, [last[0], -89.9], [first[0], -89.9], first]
}

export function unwrappedLine(line: Point[]): Point[] {
  let before = line[0]?.[0] ?? 0
  return line.map(([x, y]): Point => {
    const near = x + Math.round((before - x) / 360) * 360
    before = near
    return [near, y]
  })
}

export function isWorthDrawing(ring: Ring) {
  return ring.length >= 4 && (ring.some(isInFullDetail) || areaOf(ring) > specksDeg2)
}

export function areaOf(ring: Ring): number {
  let sum = 0
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = ring[i - 1] as Point
    const [bx, by] = ring[i] as Point
    sum += ax * by - bx * ay
  }
  const middle = (ring[0] as Point)[1]
  return Math.abs(sum / 2) * Math.cos((Math.max(-80, Math.min(80, middle)) * Math.PI) / 180)
}

/** Rounds to a thousandth of a degree, which is more precise than the source. */
export function rounded(line: Point[]): Point[] {
  return line.map(([x, y]): Point => [Math.round(x * 1000) / 1000, Math.round(y * 1000) / 1000])
}

export function polygonsOf(geometry: { type: string; coordinates?: unknown } | null): Ring[][] {
  if (geometry?.type === 'Polygon') return [geometry.coordinates as Ring[]]
  if (geometry?.type === 'MultiPolygon') return geometry.coordinates as Ring[][]
  return []
}

/** The grid point in the ring with the largest distance to its edge. It is precise enough to place a label. */
export function innermost(ring: Ring): Point {
  const xs = ring.map(([x]) => x)
  const ys = ring.map(([, y]) => y)
  const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  let best: { point: Point; distance: number } = { point: [(west + east) / 2, (south + north) / 2], distance: 0 }
  const steps = 24
  for (let i = 1; i < steps; i++) {
    for (let j = 1; j < steps; j++) {
      const point: Point = [west + ((east - west) * i) / steps, south + ((north - south) * j) / steps]
      const distance = isInside(point, ring) ? distanceToEdge(point, ring) : 0
      if (distance > best.distance) best = { point, distance }
    }
  }
  return best.point
}

function isInside([x, y]: Point, ring: Ring): boolean {
  let inside = false
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = ring[i - 1] as Point
    const [bx, by] = ring[i] as Point
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}

function distanceToEdge([x, y]: Point, ring: Ring): number {
  let nearest = Number.POSITIVE_INFINITY
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = ring[i - 1] as Point
    const [bx, by] = ring[i] as Point
    const length2 = (bx - ax) ** 2 + (by - ay) ** 2
    const along = length2 === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length2))
    nearest = Math.min(nearest, Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay)))
  }
  return nearest
}

export function featureOf(layer: string, geometry: object, properties: object = {}) {
  return { type: 'Feature', properties: { layer, ...properties }, geometry }
}

export function pointOf([x, y]: Point) {
  return { type: 'Point', coordinates: rounded([[x, y]])[0] }
}
