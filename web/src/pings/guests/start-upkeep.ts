import type { QueryClient } from '@tanstack/react-query'
import { whenIdle } from '../../ui/lazy.tsx'
import { guestKeys } from './storage-keys.ts'

/** Looks after the responses that were given on this device without an account. A device without any loads no code for it. */
export function startGuestUpkeep(queryClient: QueryClient): void {
  if (!hasStoredGuests()) return
  whenIdle(async () => (await import('./guest-upkeep.ts')).keepGuests(queryClient))
}

function hasStoredGuests(): boolean {
  try {
    return localStorage.getItem(guestKeys.guests) !== null
  } catch {
    return false
  }
}
