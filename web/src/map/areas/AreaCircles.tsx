import { useMap } from '@vis.gl/react-maplibre'
import { useEffect } from 'react'
import { findFillable } from '../engine/fill-source.ts'
import type { Place } from '../map-defaults.ts'
import { areasSource } from '../style/map-style.ts'
import { circleOf } from './area-circle.ts'

export interface ShownArea extends Place {
  radiusM: number
}

/**
 * Draws the circles of areas below the names of the map. Stays mounted with an empty list, because it cannot erase circles
 * after the map was removed.
 */
export function AreaCircles({ areas }: { areas: readonly ShownArea[] }) {
  const { current: map } = useMap()
  const key = JSON.stringify(areas)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the content of the list
  useEffect(() => {
    if (map === undefined) return
    const target = map
    const features = areas.map((area) => ({
      type: 'Feature',
      properties: {},
      geometry: circleOf(area, area.radiusM),
    }))
    let filled: object | undefined
    function draw() {
      const source = findFillable(target, areasSource)
      if (source === undefined || source === filled) return
      filled = source
      source.setData({ type: 'FeatureCollection', features })
    }
    draw()
    // Another style may have another source.
    target.on('styledata', draw)
    return () => {
      target.off('styledata', draw)
    }
  }, [map, key])

  return null
}
