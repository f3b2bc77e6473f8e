import { useSyncExternalStore } from 'react'

const key = 'appear_offline'
const listeners = new Set<() => void>()

/** A choice of this device, so that nobody is seen by way of one that they forgot about. */
export function isAppearingOffline(): boolean {
  try {
    return localStorage.getItem(key) === 'yes'
  } catch {
    return false
  }
}

export function useAppearOffline(): boolean {
  return useSyncExternalStore(subscribeToAppearOffline, isAppearingOffline)
}

export function setAppearOffline(isOffline: boolean) {
  try {
    if (isOffline) localStorage.setItem(key, 'yes')
    else localStorage.removeItem(key)
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
  for (const listener of [...listeners]) listener()
}

/** Calls back after a change here or in another tab. */
export function subscribeToAppearOffline(listener: () => void): () => void {
  const handleStorage = (event: StorageEvent) => {
    if (event.key === key || event.key === null) listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', handleStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', handleStorage)
  }
}
