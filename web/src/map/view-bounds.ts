import { type MapRef } from '@vis.gl/react-maplibre'
import { type Bounds } from './grid.ts'

/** What the map shows; beyond 180° where it was carried around the world. */
export function boundsOf(map: Pick<MapRef, 'getBounds'>): Bounds {
  const bounds = map.getBounds()
  return { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() }
}

/** By that share of it to each side. */
export function widened({ west, south, east, north }: Bounds, share: number): Bounds {
  const [dx, dy] = [(east - west) * share, (north - south) * share]
  return { west: west - dx, south: south - dy, east: east + dx, north: north + dy }
}
