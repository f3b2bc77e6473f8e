import { useSyncExternalStore } from 'react'
import type { Place } from '../../map/map-defaults.ts'
import { createPersistentQueue } from '../../outbox/persistent-queue.ts'

/** A named location. It is stored on this device only, and nothing about it is sent to the server. */
export interface SavedPlace extends Place {
  id: string
  name: string
  address: string | null
  /** Whether sharing a pin near it shows a warning. */
  is_private: boolean
  created_at: string
}

export const savedPlaces = createPersistentQueue<SavedPlace>('places')

export function useSavedPlaces(): readonly SavedPlace[] {
  return useSyncExternalStore(savedPlaces.subscribe, savedPlaces.items)
}
