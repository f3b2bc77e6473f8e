import { useMap } from '@vis.gl/react-maplibre'
import { useEffect } from 'react'
import { gridOf } from './grid.ts'
import { gridSource } from './map-style.ts'

const nothing = { type: 'FeatureCollection', features: [] }

/** Lines over land without streets, so that there, too, one sees the map move. */
export function MapGrid({ isNeeded }: { isNeeded: boolean }) {
  const { current: map } = useMap()

  useEffect(() => {
    if (map === undefined) return
    const target = map
    function draw() {
      const source = target.getSource(gridSource)
      if (source === undefined || !('setData' in source)) return
      const bounds = target.getBounds()
      const seen = {
        west: bounds.getWest(),
        east: bounds.getEast(),
        south: bounds.getSouth(),
        north: bounds.getNorth(),
      }
      const isSeen = isNeeded && target.getZoom() > 8.5
      ;(source as { setData: (data: object) => void }).setData(isSeen ? gridOf(seen, target.getZoom()) : nothing)
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
