import { createStore, useStore } from 'zustand'
import { deviceStorage } from '../../device/storage.ts'

const key = 'notifications_suggestion'
const suggestion = createStore(() => ({ isMade: false }))
let wasMade = false

/**
 * Suggests notifications after an action whose result the user will want to know. Once in each visit, and never again
 * after it was dismissed.
 */
export function suggestNotifications() {
  if (wasMade || deviceStorage.getItem(key) !== null) return
  wasMade = true
  suggestion.setState({ isMade: true })
}

/** Hides the suggestion until the next visit. */
export function hideSuggestion() {
  suggestion.setState({ isMade: false })
}

export function dismissSuggestion() {
  deviceStorage.setItem(key, 'dismissed')
  suggestion.setState({ isMade: false })
}

export function useIsSuggested(): boolean {
  return useStore(suggestion, ({ isMade }) => isMade)
}
