import { isTravelMode, type TravelMode } from './estimates.rules.ts'

const key = 'travel_mode'

/** The means of travel that was last chosen on this device; null before the first choice. */
export function lastTravelMode(): TravelMode | null {
  try {
    const stored = localStorage.getItem(key)
    return isTravelMode(stored) ? stored : null
  } catch {
    return null
  }
}

export function storeTravelMode(mode: TravelMode): void {
  try {
    localStorage.setItem(key, mode)
  } catch {
    // Without storage, no means of travel is preselected.
  }
}
