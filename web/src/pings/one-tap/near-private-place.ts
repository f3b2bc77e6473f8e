import type { Place } from '../../map/map-defaults.ts'
import { privatePlaceNear } from '../saved-places/saved-places.rules.ts'
import { savedPlaces } from '../saved-places/saved-places.ts'

/** Whether a pin here must not be dropped with one tap. Reads the places again, because they may not be loaded yet. */
export async function isNearPrivatePlace(place: Place): Promise<boolean> {
  await savedPlaces.reread()
  return privatePlaceNear(savedPlaces.items(), place) !== null
}
