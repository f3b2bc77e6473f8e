import { useSyncExternalStore } from 'react'
import { readStoredSession, subscribeToStoredSession } from '../api/stored-session.ts'
import { distanceM, distanceText } from './distance.ts'
import { type Place } from './map-defaults.ts'

let ownPlace: Place | null = null
const listeners = new Set<() => void>()

let viewerId = readStoredSession().user?.id

// Whoever is next on this device, or nobody, does not learn where the last one was.
subscribeToStoredSession(() => {
  const { user } = readStoredSession()
  if (user?.id === viewerId) return
  viewerId = user?.id
  noteOwnPlace(null)
})

/** Where the user is, as the device last said on request. It stays in this tab's memory and goes nowhere. */
export function useKnownPlace(): Place | null {
  return useSyncExternalStore(subscribe, () => ownPlace)
}

/** How far a place is from the user: `850 m away, 14 min walk`. Null until the device was asked where it is. */
export function useDistanceTo(place: Place): string | null {
  const from = useKnownPlace()
  return from === null ? null : distanceText(distanceM(from, place))
}

export function noteOwnPlace(place: Place | null): void {
  ownPlace = place
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
