import { type Bounds } from './grid.ts'

/** The names of towns, the largest first, as columns: one letter for the class, thousandths of a degree. See scripts/build-basemap.ts. */
export interface Places {
  name: readonly string[]
  class: string
  rank: readonly number[]
  longitude: readonly number[]
  latitude: readonly number[]
}

export const placeClasses = { c: 'city', t: 'town', v: 'village', b: 'borough', s: 'suburb' } as const

/** No more than can be looked at: the smaller ones come when one comes closer. */
const shownMax = 3000
/** What is not drawn yet is there before it is. */
const aheadZooms = 0.5

/** Those within, of the classes that are drawn at this zoom or are about to be, as the style wants them. Bounds may lie beyond 180°. */
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

/** Of the layers in `map-layers.ts`. */
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
