import type { ConversationId, PingId } from '@hither/contract/ids.ts'
import type { PushPayload } from '@hither/contract/notifications.ts'
import { type BrowserContextOptions, expect, type Page, type Worker } from '@playwright/test'
import type { PushService, ReceivedPush } from '../server/test/push-service.ts'
import { type Person, storageOf } from './people.ts'

/** Options for a browser context with the real service worker. */
export function contextOf(base: string, person: Person | null, permissions: string[] = ['notifications']) {
  return {
    baseURL: base,
    serviceWorkers: 'allow',
    permissions,
    ...(person && { storageState: storageOf(base, person) }),
  } satisfies BrowserContextOptions
}

/**
 * Replaces the push service of the browser, which tests cannot use: subscriptions belong to the push service of the test.
 * Everything else is the real browser.
 */
export async function standInForPushService(page: Page, service: PushService, device: string): Promise<void> {
  await page.addInitScript((subscription) => {
    const key = 'test_subscription'
    const counts = { subscribed: 0, asked: 0 }
    Object.assign(window, { counts })

    function subscriptionOf(pushKey: string) {
      const text = pushKey.replaceAll('-', '+').replaceAll('_', '/')
      const applicationServerKey = Uint8Array.from(atob(text), (char) => char.charCodeAt(0)).buffer
      return {
        endpoint: subscription.endpoint,
        options: { userVisibleOnly: true, applicationServerKey },
        toJSON: () => ({ ...subscription, expirationTime: null }),
        unsubscribe: async () => {
          localStorage.removeItem(key)
          return true
        },
      }
    }

    Object.assign(PushManager.prototype, {
      async getSubscription() {
        const pushKey = localStorage.getItem(key)
        return pushKey === null ? null : subscriptionOf(pushKey)
      },
      async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
        counts.subscribed++
        localStorage.setItem(key, applicationServerKey)
        return subscriptionOf(applicationServerKey)
      },
    })
    const ask = Notification.requestPermission.bind(Notification)
    Notification.requestPermission = () => {
      counts.asked++
      return ask()
    }
  }, service.subscribe(device))
}

export function countsOf(page: Page): Promise<{ subscribed: number; asked: number }> {
  return page.evaluate(() => (window as unknown as { counts: { subscribed: number; asked: number } }).counts)
}

export function subscriptionKeyOf(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem('test_subscription'))
}

/** Resolves when a service worker controls the page. */
export async function waitForController(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    while (navigator.serviceWorker.controller === null)
      await new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      )
  })
}

/** The push messages that the push service has received for this device. */
export async function receivedBy(
  service: PushService,
  device: string,
  kind: PushPayload['kind'],
): Promise<ReceivedPush> {
  const find = () => service.received.findLast((push) => push.device === device && push.payload.kind === kind)
  await expect.poll(find, { timeout: 20_000 }).toBeTruthy()
  return find() as ReceivedPush
}

/**
 * Delivers a push message to the real service worker. The command of the developer tools for it may lose a
 * message on a busy machine, so the service worker receives a synthetic event. Resolves when it has handled the event, with
 * or without a notification.
 */
export async function deliver(page: Page, data: string): Promise<void> {
  const worker = await workerOf(page)
  await worker.evaluate(async (data) => {
    // The DOM types of pages do not contain those of service workers.
    const scope = globalThis as unknown as {
      PushEvent: new (type: string, init: { data: string }) => Event
      dispatchEvent(event: Event): boolean
    }
    const work: Promise<unknown>[] = []
    const event = new scope.PushEvent('push', { data })
    Object.defineProperty(event, 'waitUntil', { value: (promise: Promise<unknown>) => work.push(promise) })
    scope.dispatchEvent(event)
    await Promise.all(work)
  }, data)
}

interface ShownNotification {
  title: string
  body: string
  tag: string
  actions: string[]
  path: string
}

export function shownOn(page: Page): Promise<ShownNotification[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return (await registration.getNotifications()).map((notification) => {
      const { title, body, tag, data, actions } = notification as Notification & { actions: { action: string }[] }
      return { title, body, tag, actions: actions.map(({ action }) => action), path: data.path as string }
    })
  })
}

/** Resolves when the service worker is running. */
export async function workerOf(page: Page): Promise<Worker> {
  return page.context().serviceWorkers()[0] ?? page.context().waitForEvent('serviceworker')
}

/**
 * Clicks a notification or one of its buttons. No browser can be scripted to do this, so the service worker receives a
 * synthetic event, which cannot open windows. Resolves when the event handler has finished.
 */
export async function tap(worker: Worker, tag: string, action = ''): Promise<void> {
  await worker.evaluate(
    async ({ tag, action }) => {
      // The DOM types of pages do not contain those of service workers.
      const scope = globalThis as unknown as {
        registration: ServiceWorkerRegistration
        NotificationEvent: new (type: string, init: object) => Event
        dispatchEvent(event: Event): boolean
      }
      const [notification] = await scope.registration.getNotifications({ tag })
      if (notification === undefined) throw new Error(`No notification ${tag}`)
      const work: Promise<unknown>[] = []
      const event = new scope.NotificationEvent('notificationclick', { notification, action })
      Object.defineProperty(event, 'waitUntil', { value: (promise: Promise<unknown>) => work.push(promise) })
      scope.dispatchEvent(event)
      await Promise.all(work)
    },
    { tag, action },
  )
}

/** Resolves when the page at this path answers messages of the service worker, shortly after it is rendered. */
export async function untilPageAnswers(worker: Worker, path: string): Promise<void> {
  const ask = async (path: string) => {
    const scope = globalThis as unknown as {
      clients: { matchAll(): Promise<{ postMessage(message: unknown, ports: MessagePort[]): void }[]> }
    }
    const [page] = await scope.clients.matchAll()
    const { port1, port2 } = new MessageChannel()
    page?.postMessage({ type: 'look', path }, [port2])
    return await new Promise<boolean>((resolve) => {
      port1.onmessage = () => resolve(true)
      setTimeout(() => resolve(false), 250)
    })
  }
  await expect.poll(() => worker.evaluate(ask, path)).toBe(true)
}

export const pingTag = (id: PingId) => `ping:${id}`
export const chatTag = (id: ConversationId) => `chat:${id}`
