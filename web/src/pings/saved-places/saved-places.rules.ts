import { formattingLocale } from '../../i18n/language.ts'
import { distanceM } from '../../map/location/distance.ts'
import type { Place } from '../../map/map-defaults.ts'
import { lengthOf } from '../../ui/text-length.ts'
import type { SavedPlace } from './saved-places.ts'

export const savedPlaceLimits = { placesMax: 50, nameMax: 40, privateRadiusM: 200 } as const

/** Returns the places by their distance from `near`, or by name while that is unknown. */
export function orderSaved(places: readonly SavedPlace[], near: Place | null): SavedPlace[] {
  const awayM = new Map(places.map((place) => [place, near === null ? 0 : distanceM(place, near)]))
  return [...places].sort(
    (a, b) => (awayM.get(a) ?? 0) - (awayM.get(b) ?? 0) || a.name.localeCompare(b.name, formattingLocale),
  )
}

/** Returns the nearest private place within 200 m. */
export function privatePlaceNear(places: readonly SavedPlace[], place: Place | null): SavedPlace | null {
  if (place === null) return null
  const near = places.filter((saved) => saved.is_private && distanceM(saved, place) <= savedPlaceLimits.privateRadiusM)
  return orderSaved(near, place)[0] ?? null
}

export function canSaveAnother(places: readonly SavedPlace[]): boolean {
  return places.length < savedPlaceLimits.placesMax
}

/** Does nothing if the limit is reached, because another tab may have saved a place meanwhile. */
export function withSavedPlace(places: readonly SavedPlace[], place: SavedPlace): readonly SavedPlace[] {
  return canSaveAnother(places) ? [...places, place] : places
}

/** Does nothing if another tab has removed the place. */
export function withChangedPlace(
  places: readonly SavedPlace[],
  id: string,
  change: Partial<Pick<SavedPlace, 'name' | 'is_private'>>,
): readonly SavedPlace[] {
  return places.map((place) => (place.id === id ? { ...place, ...change } : place))
}

export function withoutPlace(places: readonly SavedPlace[], id: string): readonly SavedPlace[] {
  return places.filter((place) => place.id !== id)
}

export function isValidPlaceName(name: string): boolean {
  const length = lengthOf(name.trim())
  return length >= 1 && length <= savedPlaceLimits.nameMax
}
