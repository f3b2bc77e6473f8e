import { useSyncExternalStore } from 'react'
import { readStoredSession, subscribeToStoredSession } from '../api/stored-session.ts'
import { isNative } from '../platform/is-native.ts'
import { forgetMessage, takeOverMessage } from '../service-worker/messages.ts'
import { loadAhead } from '../ui/late.tsx'

const lookEveryMs = 3_600_000

let waiting: ServiceWorker | null = null
let hasAsked = false
const listeners = new Set<() => void>()

/**
 * A build of the app only: while developing, what is kept on the device would hide what was just written. Not in the
 * packaged app either, which has all its files with it.
 */
export function startServiceWorker(): void {
  if (!import.meta.env.PROD || isNative()) return
  // After everything that the first picture needs.
  if (document.readyState === 'complete') start()
  else addEventListener('load', start, { once: true })
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    // Only where somebody asked for the new version: anywhere else it would take away what they are writing.
    if (hasAsked) location.reload()
  })
  subscribeToStoredSession(() => {
    if (readStoredSession().accessToken === null) navigator.serviceWorker.controller?.postMessage(forgetMessage)
  })
}

/** Whether a newer version waits to take over. */
export function useUpdateWaiting(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => waiting !== null,
  )
}

/** Reloads the page with the new version. */
export function takeUpdate(): void {
  hasAsked = true
  waiting?.postMessage(takeOverMessage)
}

/** Where the browser keeps no service worker, as on an address without encryption, the page sees to what comes later itself. */
function start() {
  if ('serviceWorker' in navigator) register().catch(loadAhead)
  else loadAhead()
}

async function register(): Promise<void> {
  const registration = await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' })
  noteWaiting(registration)
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', () => noteWaiting(registration))
  })
  const look = () => void registration.update().catch(() => undefined)
  setInterval(look, lookEveryMs)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') look()
  })
}

/** One that waits on a device without an active one is the first, and takes over by itself. */
function noteWaiting({ waiting: worker, active }: ServiceWorkerRegistration): void {
  const next = active === null ? null : worker
  if (next === waiting) return
  waiting = next
  for (const listener of [...listeners]) listener()
}
