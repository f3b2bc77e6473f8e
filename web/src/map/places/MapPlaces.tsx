import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMap } from '@vis.gl/react-maplibre'
import { useEffect } from 'react'
import placesUrl from '../basemap/places.json?url'
import { findFillable } from '../engine/fill-source.ts'
import type { Bounds } from '../engine/grid.ts'
import { boundsOf, widened } from '../engine/view-bounds.ts'
import { placesSource } from '../style/map-style.ts'
import { type Places, placesIn } from './places.ts'

/** A file of the build with tens of thousands of names. The browser caches it, so it is not stored with the queries. */
function placesQuery() {
  return queryOptions({
    queryKey: ['map', 'places'],
    queryFn: async ({ signal }): Promise<Places> => (await fetch(placesUrl, { signal })).json(),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: ({ state }) => state.status === 'error',
    meta: { persisted: false },
  })
}

/** Town names. MapLibre gets only the visible ones, because all of them would block a phone for a second. */
export function MapPlaces({ isNeeded }: { isNeeded: boolean }) {
  const { current: map } = useMap()
  const places = useQuery({ ...placesQuery(), enabled: isNeeded }).data

  useEffect(() => {
    if (map === undefined || places === undefined || !isNeeded) return
    const target = map
    const known = places
    let drawn: { source: object; zoom: number; bounds: Bounds } | null = null

    function draw() {
      const source = findFillable(target, placesSource)
      if (source === undefined) return
      const zoom = Math.floor(target.getZoom() * 2) / 2
      const seen = boundsOf(target)
      if (drawn?.source === source && drawn.zoom === zoom && isWithin(seen, drawn.bounds)) return
      drawn = { source, zoom, bounds: widened(seen, 1) }
      source.setData(placesIn(known, drawn.bounds, zoom))
    }
    draw()
    const events = ['move', 'styledata'] as const
    for (const event of events) target.on(event, draw)
    return () => {
      for (const event of events) target.off(event, draw)
    }
  }, [map, places, isNeeded])

  return null
}

function isWithin(inner: Bounds, outer: Bounds): boolean {
  return (
    inner.west >= outer.west && inner.east <= outer.east && inner.south >= outer.south && inner.north <= outer.north
  )
}
