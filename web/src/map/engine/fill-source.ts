import type { MapRef } from '@vis.gl/react-maplibre'

/** Returns the GeoJSON source that is filled as the map moves; undefined while it does not exist. */
export function findFillable(map: Pick<MapRef, 'getSource'>, id: string) {
  const source = map.getSource(id)
  if (source === undefined || !('setData' in source)) return undefined
  return source as typeof source & { setData: (data: object) => void }
}
