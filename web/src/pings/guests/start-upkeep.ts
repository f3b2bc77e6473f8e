import type { QueryClient } from '@tanstack/react-query'
import { deviceStorage } from '../../device/storage.ts'
import { whenIdle } from '../../ui/lazy.tsx'
import { guestKeys } from './storage-keys.ts'

/**
 * Sends unsent responses that were given on this device without an account, and erases outdated ones. A device without such
 * responses loads no code for this: the first response that waits for the network is sent when the network is back.
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
  return deviceStorage.getItem(guestKeys.guests) !== null
}
