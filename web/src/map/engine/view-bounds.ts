import type { MapRef } from '@vis.gl/react-maplibre'
import type { Bounds } from './grid.ts'

/** Returns the visible area. Its longitudes exceed 180° if the map was moved around the world. */
export function boundsOf(map: Pick<MapRef, 'getBounds'>): Bounds {
  const bounds = map.getBounds()
  return { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() }
}

/** Extends the bounds on each side by a share of their size. */
export function widened({ west, south, east, north }: Bounds, share: number): Bounds {
  const [dx, dy] = [(east - west) * share, (north - south) * share]
  return { west: west - dx, south: south - dy, east: east + dx, north: north + dy }
}
