/// <reference lib="webworker" />
import type { PingId } from '@hither/contract/ids.ts'
import type { ResponseType } from '@hither/contract/pings.ts'
import { clearPush } from './clear-push.ts'
import { isPathVisible, openInApp, openPages, requestPage } from './pages.ts'
import {
  dataOf,
  isAnswer,
  mustShow,
  type NotificationData,
  notificationOf,
  responseFailed,
  type Shown,
} from './push.rules.ts'
import { pushOwner, pushTexts, storeResponse } from './push-store.ts'

declare const self: ServiceWorkerGlobalScope

/** Handles push events, notification clicks and renewed subscriptions. */
export function addPush(): void {
  self.addEventListener('push', (event) => event.waitUntil(handlePush(event.data)))
  self.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(handleClick(dataOf(event.notification.data), event.action))
  })
  self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event as SubscriptionChange)))
}

async function handlePush(data: PushMessageData | null): Promise<void> {
  // If the owner cannot be read, the notification has no content. If there is no owner, the push is for a user who has
  // signed out.
  const owner = await pushOwner().catch(() => undefined)
  if (owner === null) return clearPush(self.registration)
  const shown = notificationOf(owner === undefined ? null : jsonOf(data), Date.now(), actionsMax(), await pushTexts())
  const pages = await openPages()
  const { kind, path } = shown.options.data
  const isBefore = kind === 'message' && (await isPathVisible(path, pages))
  if (isBefore && !mustShow(navigator.userAgent)) return
  await show(shown, isBefore)
  // Only a page knows the number of unread messages.
  if (pages.length === 0 && 'setAppBadge' in navigator) await navigator.setAppBadge().catch(() => undefined)
}

function show({ title, options }: Shown, isSilent = false): Promise<void> {
  return self.registration.showNotification(title, isSilent ? { ...options, renotify: false, silent: true } : options)
}

async function handleClick({ path, ping_id, revision }: NotificationData, action: string): Promise<void> {
  if (ping_id !== null && isAnswer(action)) await respond(ping_id as PingId, action, revision)
  else await openInApp(path)
}

/**
 * The service worker has no session, so a page sends the response. A page takes only responses that are stored here, so
 * that no link can send one.
 */
async function respond(ping_id: PingId, response_type: ResponseType, revision: number | null): Promise<void> {
  for (const page of await openPages()) {
    const reply = await requestPage(page, { type: 'answer', ping_id, response_type, revision })
    if (reply === null) continue
    const failure = await reply.done
    if (failure !== null) await show(responseFailed(ping_id, failure, Date.now(), await pushTexts()))
    return
  }
  const owner = await pushOwner()
  if (owner === null) return
  await storeResponse({ owner, ping_id, response_type, revision, at: Date.now() })
  await self.clients.openWindow(`/pins/${ping_id}`).catch(() => null)
}

interface SubscriptionChange extends ExtendableEvent {
  readonly oldSubscription?: PushSubscription | null
  readonly newSubscription?: PushSubscription | null
}

/** A page sends the new subscription to the server: an open page now, or the next one that starts. */
async function renew({ oldSubscription, newSubscription }: SubscriptionChange): Promise<void> {
  if ((await pushOwner()) === null) return
  const options = oldSubscription?.options
  if (!newSubscription && options?.applicationServerKey) await self.registration.pushManager.subscribe(options)
  for (const page of await openPages()) if (await requestPage(page, { type: 'renewed' })) return
}

function jsonOf(data: PushMessageData | null): unknown {
  try {
    return data?.json()
  } catch {
    return null
  }
}

function actionsMax(): number {
  return (Notification as typeof Notification & { maxActions?: number }).maxActions ?? 0
}
