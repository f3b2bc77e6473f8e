import { type MapRef } from '@vis.gl/react-maplibre'
import { startTransition, useEffect, useState } from 'react'
import { type Bounds } from './grid.ts'
import { boundsOf, widened } from './view-bounds.ts'

export interface PinsView {
  zoom: number
  bounds: Bounds
}

/** A marker whose tip is just outside still reaches in. */
const markerShare = 0.08

/** What the map shows, renewed when it comes to rest, and while it zooms through a level. */
export function usePinsView(map: MapRef | undefined): PinsView | null {
  const [view, setView] = useState<PinsView | null>(null)

  useEffect(() => {
    if (map === undefined) return
    const target = map
    let level = Math.floor(target.getZoom())
    function read() {
      level = Math.floor(target.getZoom())
      const seen = { zoom: target.getZoom(), bounds: widened(boundsOf(target), markerShare) }
      // Hundreds of markers may come and go; the map goes on moving meanwhile.
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
