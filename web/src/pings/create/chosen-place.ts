import type { Place } from '../../map/map-defaults.ts'

/** The location of a new pin and how it was chosen. */
export type ChosenPlace =
  | ({ from: 'map' | 'device' | 'given' } & Place)
  | { from: 'locating' }
  | { from: 'nowhere'; reason: string | null }

export function placeOf(chosen: ChosenPlace): Place | null {
  return 'latitude' in chosen ? { latitude: chosen.latitude, longitude: chosen.longitude } : null
}
