import { createStore, useStore } from 'zustand'
import { deviceStorage } from '../../device/storage.ts'

// What this device stores about the suggestions of an account. Never leaves the device.

const prefix = 'suggestions'
const hiddenKeyOf = (userId: string) => `${prefix}:${userId}:hidden`
const removedKeyOf = (userId: string) => `${prefix}:${userId}:records_removed_at`
const heightKeyOf = (userId: string) => `${prefix}:${userId}:height_px`

/** By account, as far as they have been read or changed. */
const hidden = createStore<Record<string, boolean>>(() => ({}))

if (typeof window !== 'undefined') {
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key.startsWith(`${prefix}:`)) hidden.setState({}, true)
  })
}

export function useAreSuggestionsShown(userId: string): boolean {
  return !useStore(hidden, (known) => known[userId] ?? deviceStorage.getItem(hiddenKeyOf(userId)) !== null)
}

export function showSuggestions(userId: string, areShown: boolean): void {
  write(hiddenKeyOf(userId), areShown ? null : 'yes')
  hidden.setState({ [userId]: !areShown })
}

/** The height of the suggestions in pixels when Home was last open on this device, so that its lists need not move again. */
export function rememberedHeightPx(userId: string): number {
  return Number(deviceStorage.getItem(heightKeyOf(userId))) || 0
}

export function rememberHeight(userId: string, heightPx: number): void {
  // Without storage, the lists move once at the next start.
  write(heightKeyOf(userId), heightPx > 0 ? String(heightPx) : null)
}

/** When the user removed the records of the pins from this device, in milliseconds of the server's clock; 0 for never. */
export function recordsRemovedAt(userId: string): number {
  return Number(deviceStorage.getItem(removedKeyOf(userId))) || 0
}

export function rememberRemoval(userId: string, atMs: number): void {
  write(removedKeyOf(userId), String(atMs))
}

/** Removes what is stored for this account, or for every other account. */
export function clearSuggestions(whose: { of: string } | { butOf: string }): void {
  for (const key of deviceStorage.keys()) {
    const [start, owner] = key.split(':')
    if (start === prefix && ('of' in whose ? owner === whose.of : owner !== whose.butOf)) write(key, null)
  }
  hidden.setState({}, true)
}

function write(key: string, value: string | null): void {
  if (value === null) deviceStorage.removeItem(key)
  else deviceStorage.setItem(key, value)
}
