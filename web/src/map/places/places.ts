import type { Bounds } from '../engine/grid.ts'

/**
 * Town names in columns, the largest first. A class is one letter, coordinates are thousandths of a degree. See
 * scripts/build-basemap.ts.
 */
export interface Places {
  name: readonly string[]
  class: string
  rank: readonly number[]
  longitude: readonly number[]
  latitude: readonly number[]
}

export const placeClasses = { c: 'city', t: 'town', v: 'village', b: 'borough', s: 'suburb' } as const

/** The maximum number of places. Smaller ones appear at a closer zoom. */
const shownMax = 3000
/** Places are added this many zoom levels before they are drawn. */
const aheadZooms = 0.5

/**
 * Returns the places within the bounds whose class is drawn at this zoom or soon after, as GeoJSON. Longitudes may
 * exceed 180°.
 */
export function placesIn(places: Places, { west, south, east, north }: Bounds, zoom: number) {
  const features: object[] = []
  const span = east - west
  for (let n = 0; n < places.name.length && features.length < shownMax; n++) {
    const latitude = (places.latitude[n] ?? 0) / 1000
    if (latitude < south || latitude > north) continue
    const longitude = (places.longitude[n] ?? 0) / 1000
    if (span < 360 && (((longitude - west) % 360) + 360) % 360 > span) continue
    const rank = places.rank[n] ?? 12
    const kind = placeClasses[places.class[n] as keyof typeof placeClasses]
    if (fromZoom(kind, rank) > zoom + aheadZooms) continue
    features.push({
      type: 'Feature',
      properties: { class: kind, name: places.name[n], rank },
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    })
  }
  return { type: 'FeatureCollection', features }
}

/** Must match the layers in `label-layers.ts`. */
function fromZoom(kind: (typeof placeClasses)[keyof typeof placeClasses], rank: number): number {
  switch (kind) {
    case 'city':
      return rank <= 4 ? 3 : Math.min(rank - 1, 7)
    case 'town':
      return 7
    case 'borough':
      return 9
    case 'village':
      return 9.5
    case 'suburb':
      return 11
  }
}
