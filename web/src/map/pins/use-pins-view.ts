import type { MapRef } from '@vis.gl/react-maplibre'
import { startTransition, useEffect, useState } from 'react'
import type { Bounds } from '../engine/grid.ts'
import { boundsOf, widened } from '../engine/view-bounds.ts'

interface PinsView {
  zoom: number
  bounds: Bounds
}

/** The share of the view by which it is extended, because a marker with its tip just outside is partly visible. */
const markerShare = 0.08

/** Returns what the map shows. Updated when the map stops moving, and at each zoom level during a zoom. */
export function usePinsView(map: MapRef | undefined): PinsView | null {
  const [view, setView] = useState<PinsView | null>(null)

  useEffect(() => {
    if (map === undefined) return
    const target = map
    let level = Math.floor(target.getZoom())
    function read() {
      level = Math.floor(target.getZoom())
      const seen = { zoom: target.getZoom(), bounds: widened(boundsOf(target), markerShare) }
      // A transition, because hundreds of markers may change while the map keeps moving.
      startTransition(() => setView(seen))
    }
    function handleZoom() {
      if (Math.floor(target.getZoom()) !== level) read()
    }
    read()
    target.on('moveend', read)
    target.on('zoom', handleZoom)
    return () => {
      target.off('moveend', read)
      target.off('zoom', handleZoom)
    }
  }, [map])

  return view
}
