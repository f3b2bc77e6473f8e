import { clearPushStore } from './push-store.ts'

/**
 * Leaves nothing of one account's notifications to whoever uses the device next. The server drops the subscription with the
 * session; without network it learns from the push service that it is no more.
 */
export async function forgetPush(registration: ServiceWorkerRegistration): Promise<void> {
  // First and by itself: from here on the service worker shows nothing, whatever becomes of the rest.
  await clearPushStore().catch(() => undefined)
  await Promise.all([
    closeAll(registration).catch(() => undefined),
    registration.pushManager
      .getSubscription()
      .then((subscription) => subscription?.unsubscribe())
      .catch(() => undefined),
    clearBadge(),
  ])
}

export async function closeAll(registration: ServiceWorkerRegistration): Promise<void> {
  for (const notification of await registration.getNotifications()) notification.close()
}

async function clearBadge(): Promise<void> {
  if ('clearAppBadge' in navigator) await navigator.clearAppBadge().catch(() => undefined)
}
