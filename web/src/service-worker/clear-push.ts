import { clearPushStore } from './push-store.ts'

/**
 * Removes all notification data of an account from this device. The server deletes the subscription with the session;
 * without network it learns from the push service that the subscription has ended.
 */
export async function clearPush(registration: ServiceWorkerRegistration): Promise<void> {
  // This runs first, on its own: from then on the service worker shows no notification, even if a later step fails.
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

async function closeAll(registration: ServiceWorkerRegistration): Promise<void> {
  for (const notification of await registration.getNotifications()) notification.close()
}

async function clearBadge(): Promise<void> {
  if ('clearAppBadge' in navigator) await navigator.clearAppBadge().catch(() => undefined)
}
