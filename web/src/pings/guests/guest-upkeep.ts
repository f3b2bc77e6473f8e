import type { QueryClient } from '@tanstack/react-query'
import { eraseIfOutdated, sendStoredGuest } from './guests.api.ts'
import { forgetErasedGuests, outdatedPings, undeliveredPings } from './stored-guests.ts'

const eraseEveryMs = 3_600_000

/**
 * Erases the responses to pings that ended a day ago, and sends what the server does not have yet, whichever page is open: now
 * and when the network returns.
 */
export function keepGuests(queryClient: QueryClient): void {
  // A failed call is repeated later. What the server refuses is shown on the page of the ping.
  const send = () => {
    for (const pingId of undeliveredPings()) sendStoredGuest(queryClient, pingId).catch(() => undefined)
  }
  const erase = () => {
    forgetErasedGuests()
    for (const pingId of outdatedPings()) eraseIfOutdated(pingId).catch(() => undefined)
  }
  setInterval(erase, eraseEveryMs)
  window.addEventListener('online', send)
  erase()
  send()
}
