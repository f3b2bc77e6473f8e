import type { QueryClient } from '@tanstack/react-query'
import { whenIdle } from '../../ui/lazy.tsx'
import { guestKeys } from './storage-keys.ts'

/**
 * Looks after the responses that were given on this device without an account. A device without any loads no code for it: the first
 * response that waits for the network is found when the network is back.
 */
export function startGuestUpkeep(queryClient: QueryClient): void {
  const start = () => whenIdle(async () => (await import('./guest-upkeep.ts')).keepGuests(queryClient))
  if (hasStoredGuests()) {
    start()
    return
  }
  const controller = new AbortController()
  const startIfNeeded = () => {
    if (!hasStoredGuests()) return
    controller.abort()
    start()
  }
  window.addEventListener('online', startIfNeeded, { signal: controller.signal })
}

function hasStoredGuests(): boolean {
  try {
    return localStorage.getItem(guestKeys.guests) !== null
  } catch {
    return false
  }
}
