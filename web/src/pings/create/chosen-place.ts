import type { Position } from '../../map/location/geolocation.ts'
import type { Place } from '../../map/map-defaults.ts'

/** The location of a new pin and how it was chosen. */
export type ChosenPlace =
  | ({ from: 'map' | 'given' } & Place)
  | ({ from: 'device' } & Position)
  | { from: 'locating' }
  | { from: 'nowhere'; reason: string | null }

export function placeOf(chosen: ChosenPlace): Place | null {
  return 'latitude' in chosen ? { latitude: chosen.latitude, longitude: chosen.longitude } : null
}
