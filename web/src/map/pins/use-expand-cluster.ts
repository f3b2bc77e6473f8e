import type { MapRef } from '@vis.gl/react-maplibre'
import { useCallback, useEffect, useRef } from 'react'
import { prefersReducedMotion } from '../engine/reduced-motion.ts'
import { cameraMs } from '../map-defaults.ts'
import { type Cluster, type ClusterIndex, clusterMaxZoom } from './clusters.ts'
import { markerIdOf } from './PinMarker.tsx'

/**
 * Zooms in until a cluster splits. The cluster's button disappears then, so the focus moves to one of its markers. `shown`
 * identifies the markers and clusters on the map.
 */
export function useExpandCluster(map: MapRef | undefined, index: ClusterIndex, shown: string) {
  const splitting = useRef<string[]>([])

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again whenever other markers are shown
  useEffect(() => {
    if (splitting.current.length === 0 || document.activeElement !== document.body) return
    const marker = splitting.current
      .map((id) => document.getElementById(markerIdOf(id)))
      .find((found) => found !== null)
    const next = marker ?? document.querySelector<HTMLElement>('.hither-map .cluster')
    if (next === null) return
    splitting.current = []
    next.focus({ preventScroll: true })
  }, [shown])

  return useCallback(
    ({ id, latitude, longitude }: Cluster) => {
      splitting.current = index.getLeaves(id, Number.POSITIVE_INFINITY).map(({ properties }) => properties.pinId)
      map?.easeTo({
        center: [longitude, latitude],
        zoom: Math.min(index.getClusterExpansionZoom(id), clusterMaxZoom + 1),
        duration: prefersReducedMotion() ? 0 : cameraMs * 2,
      })
    },
    [map, index],
  )
}
