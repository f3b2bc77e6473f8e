import { useSyncExternalStore } from 'react'

const key = 'notifications_suggestion'
const listeners = new Set<() => void>()
let isMade = false

/** At a moment at which somebody will want to know what comes of what they did. Once it was dismissed, never again. */
export function suggestNotifications() {
  if (!isMade && !isDismissed()) set(true)
}

export function dismissSuggestion() {
  try {
    localStorage.setItem(key, 'dismissed')
  } catch {
    // A browser that keeps nothing asks again another day.
  }
  set(false)
}

export function useIsSuggested(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => isMade,
  )
}

function isDismissed(): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}

function set(isSuggested: boolean) {
  isMade = isSuggested
  for (const listener of [...listeners]) listener()
}
