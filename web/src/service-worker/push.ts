/// <reference lib="webworker" />
import { type PingId } from '@hither/contract/ids.ts'
import { type ResponseType } from '@hither/contract/pings.ts'
import { forgetPush } from '../notifications/forget-push.ts'
import { keepAnswer, pushOwner } from '../notifications/push-store.ts'
import { ask, isBeforeEyes, openInApp, openPages } from './pages.ts'
import { answerFailed, dataOf, isAnswer, mustShow, notificationOf, type Shown } from './push.rules.ts'

declare const self: ServiceWorkerGlobalScope

/** Shows what the server pushes, and leads to it. */
export function addPush(): void {
  self.addEventListener('push', (event) => event.waitUntil(handlePush(event.data)))
  self.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(handleClick(dataOf(event.notification.data), event.action))
  })
  self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event as SubscriptionChange)))
}

async function handlePush(data: PushMessageData | null): Promise<void> {
  // Where that cannot be read, nothing is told of whose it may be; where nobody is, it is for somebody who has signed out.
  const owner = await pushOwner().catch(() => undefined)
  if (owner === null) return forgetPush(self.registration)
  const shown = notificationOf(owner === undefined ? null : jsonOf(data), Date.now(), actionsMax())
  const pages = await openPages()
  const { kind, path } = shown.options.data
  const isBefore = kind === 'message' && (await isBeforeEyes(path, pages))
  if (isBefore && !mustShow(navigator.userAgent)) return
  await show(shown, isBefore)
  // How many there are, a page knows.
  if (pages.length === 0 && 'setAppBadge' in navigator) await navigator.setAppBadge().catch(() => undefined)
}

function show({ title, options }: Shown, isSilent = false): Promise<void> {
  return self.registration.showNotification(title, isSilent ? { ...options, renotify: false, silent: true } : options)
}

async function handleClick({ path, ping_id }: ReturnType<typeof dataOf>, action: string): Promise<void> {
  if (ping_id !== null && isAnswer(action)) await give(ping_id as PingId, action)
  else await openInApp(path)
}

/** This worker holds no session, so a page answers. Only what was kept here is taken up by one: no link can give an answer. */
async function give(ping_id: PingId, response_type: ResponseType): Promise<void> {
  for (const page of await openPages()) {
    const asked = await ask(page, { type: 'answer', ping_id, response_type })
    if (asked === null) continue
    const failure = await asked.done
    if (failure !== null) await show(answerFailed(ping_id, failure, Date.now()))
    return
  }
  const owner = await pushOwner()
  if (owner === null) return
  await keepAnswer({ owner, ping_id, response_type, at: Date.now() })
  await self.clients.openWindow(`/pins/${ping_id}`).catch(() => null)
}

interface SubscriptionChange extends ExtendableEvent {
  readonly oldSubscription?: PushSubscription | null
  readonly newSubscription?: PushSubscription | null
}

/** The server learns of it from a page: from one that is open now, or at the next start. */
async function renew({ oldSubscription, newSubscription }: SubscriptionChange): Promise<void> {
  if ((await pushOwner()) === null) return
  const options = oldSubscription?.options
  if (!newSubscription && options?.applicationServerKey) await self.registration.pushManager.subscribe(options)
  for (const page of await openPages()) if (await ask(page, { type: 'renewed' })) return
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
