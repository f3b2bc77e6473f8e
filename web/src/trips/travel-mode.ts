import { deviceStorage } from '../device/storage.ts'
import { isTravelMode, type TravelMode } from './estimates.rules.ts'

const key = 'travel_mode'

/** The means of travel that was last chosen on this device; null before the first choice. */
export function lastTravelMode(): TravelMode | null {
  const stored = deviceStorage.getItem(key)
  return isTravelMode(stored) ? stored : null
}

export function storeTravelMode(mode: TravelMode): void {
  deviceStorage.setItem(key, mode)
}
