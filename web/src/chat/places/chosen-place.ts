import { coordinatesIn } from '../../map/location/coordinates.ts'
import type { Place } from '../../map/map-defaults.ts'
import type { NamedPlace } from '../../map/places/shown-place.ts'

const placeNameMax = 80

/**
 * The place that is sent: with the name and the address of the found place while the map shows it, otherwise with the address
 * that was looked up. Empty texts become null. Coordinates that were typed into the search are no name, because names appear in
 * notifications.
 */
export function namedPlace({ latitude, longitude }: Place, search: NamedPlace | null, address: string): NamedPlace {
  const found = coordinatesIn(search?.name ?? '') === null ? search : null
  return {
    latitude,
    longitude,
    name: cut(found?.name, placeNameMax),
    address: cut(found?.address || address, 300),
  }
}

/** Whether both are the same place for a viewer of the map: within about a meter. */
export function isSamePlace(a: Place, b: Place): boolean {
  return Math.abs(a.latitude - b.latitude) < 1e-5 && Math.abs(a.longitude - b.longitude) < 1e-5
}

function cut(text: string | null | undefined, most: number): string | null {
  return (
    Array.from(text?.trim() ?? '')
      .slice(0, most)
      .join('')
      .trim() || null
  )
}
