import { useMap } from '@vis.gl/react-maplibre'
import { useEffect } from 'react'
import { gridSource } from '../style/map-style.ts'
import { findFillable } from './fill-source.ts'
import { gridOf } from './grid.ts'
import { boundsOf } from './view-bounds.ts'

const nothing = { type: 'FeatureCollection', features: [] }

/** Renders grid lines over land without streets, so that movement of the map is visible. */
export function MapGrid({ isNeeded }: { isNeeded: boolean }) {
  const { current: map } = useMap()

  useEffect(() => {
    if (map === undefined) return
    const target = map
    function draw() {
      const isSeen = isNeeded && target.getZoom() > 8.5
      findFillable(target, gridSource)?.setData(isSeen ? gridOf(boundsOf(target), target.getZoom()) : nothing)
    }
    draw()
    target.on('moveend', draw)
    target.on('styledata', draw)
    return () => {
      target.off('moveend', draw)
      target.off('styledata', draw)
    }
  }, [map, isNeeded])

  return null
}
