import { createStore, useStore } from 'zustand'

const key = 'notifications_suggestion'
const suggestion = createStore(() => ({ isMade: false }))
let wasMade = false

/**
 * Suggests notifications after an action whose result the user will want to know. Once in each visit, and never again
 * after it was dismissed.
 */
export function suggestNotifications() {
  if (wasMade || isDismissed()) return
  wasMade = true
  suggestion.setState({ isMade: true })
}

/** Hides the suggestion until the next visit. */
export function hideSuggestion() {
  suggestion.setState({ isMade: false })
}

export function dismissSuggestion() {
  try {
    localStorage.setItem(key, 'dismissed')
  } catch {
    // Without storage, the suggestion is shown again on another day.
  }
  suggestion.setState({ isMade: false })
}

export function useIsSuggested(): boolean {
  return useStore(suggestion, ({ isMade }) => isMade)
}

function isDismissed(): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}
