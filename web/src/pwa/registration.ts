import { createStore, useStore } from 'zustand'
import { readStoredSession, subscribeToStoredSession } from '../api/stored-session.ts'
import { isNative } from '../platform/is-native.ts'
import { signedOutMessage, takeOverMessage } from '../service-worker/messages.ts'
import { preloadLazyComponents } from '../ui/lazy.tsx'
import { loadOnce } from '../ui/load-module.ts'

const updateCheckMs = 3_600_000

/** `waiting` is the newer version. */
const update = createStore<{ waiting: ServiceWorker | null }>(() => ({ waiting: null }))
let isReloadRequested = false

/**
 * Starts the service worker in a build only: during development, a cache would hide the latest changes. Also not in the
 * packaged app, which contains all its files.
 */
export function startServiceWorker(): void {
  if (!import.meta.env.PROD || isNative()) return
  // Starts after everything that the first render needs.
  if (document.readyState === 'complete') start()
  else addEventListener('load', start, { once: true })
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    // Reloads only if the user has asked for the new version. Otherwise unsaved input would be lost.
    if (isReloadRequested) location.reload()
  })
  subscribeToStoredSession(() => {
    if (readStoredSession().accessToken === null) navigator.serviceWorker.controller?.postMessage(signedOutMessage)
  })
}

/** Returns true if a newer version is waiting to take over. */
export function useUpdateWaiting(): boolean {
  return useStore(update, ({ waiting }) => waiting !== null)
}

/** Reloads the page with the new version. */
export function takeUpdate(): void {
  isReloadRequested = true
  update.getState().waiting?.postMessage(takeOverMessage)
}

/** Without a service worker, as on an address without HTTPS, the page preloads the lazy components. */
function start() {
  if ('serviceWorker' in navigator) register().catch(preloadLazyComponents)
  else preloadLazyComponents()
}

async function register(): Promise<void> {
  // Without them, the app would not start without a network.
  await loadOnce(() => import('./offline-texts.ts'))
    .then(({ storeOfflineTexts }) => storeOfflineTexts())
    .catch(() => undefined)
  const registration = await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' })
  noteWaiting(registration)
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', () => noteWaiting(registration))
  })
  const checkForUpdate = () => void registration.update().catch(() => undefined)
  setInterval(checkForUpdate, updateCheckMs)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') checkForUpdate()
  })
}

/** A waiting worker without an active one is the first version, and takes over by itself. */
function noteWaiting({ waiting: worker, active }: ServiceWorkerRegistration): void {
  update.setState({ waiting: active === null ? null : worker })
}
