import { type MapRef } from '@vis.gl/react-maplibre'
import { useCallback, useEffect, useRef } from 'react'
import { type Cluster, type ClusterIndex, clusterMaxZoom } from './clusters.ts'
import { cameraMs } from './map-defaults.ts'
import { markerIdOf } from './PinMarker.tsx'
import { prefersStillness } from './stillness.ts'

/**
 * Goes as close to a cluster as it takes to split it. Its button is gone then, so the focus moves on to one of what it
 * stood for. `shown` says what is on the map, and changes with it.
 */
export function useSplit(map: MapRef | undefined, index: ClusterIndex, shown: string) {
  const splitting = useRef<string[]>([])

  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again whenever other markers are shown
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
        duration: prefersStillness() ? 0 : cameraMs * 2,
      })
    },
    [map, index],
  )
}
