import { type Place } from '../map/map-defaults.ts'

/** Where a new pin is to stand, and how that came to be known. */
export type ChosenPlace =
  | ({ from: 'map' | 'device' | 'given' } & Place)
  | { from: 'locating' }
  | { from: 'nowhere'; reason: string | null }

export function placeOf(chosen: ChosenPlace): Place | null {
  return 'latitude' in chosen ? { latitude: chosen.latitude, longitude: chosen.longitude } : null
}
