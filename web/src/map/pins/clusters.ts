import Supercluster from 'supercluster'
import type { Bounds } from '../engine/grid.ts'
import type { Pin } from './pins.ts'

export interface Cluster {
  id: number
  count: number
  hasOwn: boolean
  latitude: number
  longitude: number
}

export type ClusterIndex = Supercluster<{ pinId: string; isOwn: boolean }, { hasOwn: boolean }>

/** Within this distance, markers would cover each other's captions. */
const clusterPx = 60
/** Above this zoom, pins at one place are spread instead. */
export const clusterMaxZoom = 16

export function indexOf(pins: readonly Pin[]): ClusterIndex {
  const index: ClusterIndex = new Supercluster({
    radius: clusterPx,
    maxZoom: clusterMaxZoom,
    map: ({ isOwn }) => ({ hasOwn: isOwn }),
    reduce: (sum, { hasOwn }) => {
      sum.hasOwn ||= hasOwn
    },
  })
  return index.load(
    pins.map(({ id, look, latitude, longitude }) => ({
      type: 'Feature',
      properties: { pinId: id, isOwn: look === 'own' },
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    })),
  )
}

/** Returns the single pins and the clusters within the bounds. */
export function inView(index: ClusterIndex, { west, south, east, north }: Bounds, zoom: number) {
  const pinIds = new Set<string>()
  const clusters: Cluster[] = []
  for (const { geometry, properties } of index.getClusters([west, south, east, north], Math.floor(zoom))) {
    const [longitude = 0, latitude = 0] = geometry.coordinates
    if (!('cluster_id' in properties)) pinIds.add(properties.pinId)
    else {
      const { cluster_id, point_count, hasOwn } = properties
      clusters.push({ id: cluster_id, count: point_count, hasOwn, latitude, longitude })
    }
  }
  return { pinIds, clusters }
}
