import { type ConversationId, type PingId } from '@hither/contract/ids.ts'
import { type PushPayload } from '@hither/contract/notifications.ts'
import { type BrowserContextOptions, expect, type Page, type Worker } from '@playwright/test'
import { type PushService, type ReceivedPush } from '../server/test/push-service.ts'
import { type Person, storageOf } from './people.ts'

/** For contexts with the real service worker. */
export function contextOf(base: string, person: Person | null, permissions: string[] = ['notifications']) {
  return {
    baseURL: base,
    serviceWorkers: 'allow',
    permissions,
    ...(person && { storageState: storageOf(base, person) }),
  } satisfies BrowserContextOptions
}

/**
 * The one thing that cannot be had here is a browser's own push service: its subscription is one of the test's service.
 * Everything else is the browser's.
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

/** Resolves once the page is served by the service worker. */
export async function untilServed(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    while (navigator.serviceWorker.controller === null)
      await new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      )
  })
}

/** What the server has sent to this device, as its push service has it. */
export async function receivedBy(
  service: PushService,
  device: string,
  kind: PushPayload['kind'],
): Promise<ReceivedPush> {
  const find = () => service.received.findLast((push) => push.device === device && push.payload.kind === kind)
  await expect.poll(find, { timeout: 20_000 }).toBeTruthy()
  return find() as ReceivedPush
}

/** Hands it to the real service worker as the browser does. */
export async function deliver(page: Page, data: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { origin } = new URL(page.url())
  const registration = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin))
      if (found) resolve(found.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registration, data })
  await session.detach()
}

export interface ShownNotification {
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

/** Resolves once the service worker runs. */
export async function workerOf(page: Page): Promise<Worker> {
  return page.context().serviceWorkers()[0] ?? page.context().waitForEvent('serviceworker')
}

/**
 * A tap on a notification, or on a button of it. No browser lets itself be told to; a made-up event may not be waited on, and
 * opens no windows. Resolves when the service worker has done what it does.
 */
export async function tap(worker: Worker, tag: string, action = ''): Promise<void> {
  await worker.evaluate(
    async ({ tag, action }) => {
      // The page's types know nothing of service workers.
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

/** Resolves once a page answers the service worker: it hears of it a moment after it is drawn. */
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

/** Of pushes from here on, see `untilHandled`. */
export async function watchPushes(worker: Worker): Promise<void> {
  await worker.evaluate(() => {
    const { prototype } = (globalThis as unknown as { PushEvent: { prototype: { waitUntil(work: unknown): void } } })
      .PushEvent
    const waitUntil = prototype.waitUntil
    const handled: unknown[] = []
    Object.assign(globalThis, { handled })
    prototype.waitUntil = function (work) {
      handled.push(work)
      return waitUntil.call(this, work)
    }
  })
}

/** Resolves once the service worker is done with that many pushes, whether it showed anything or not. */
export async function untilHandled(worker: Worker, count: number): Promise<void> {
  await expect
    .poll(() =>
      worker.evaluate(async () => {
        const { handled } = globalThis as unknown as { handled: unknown[] }
        await Promise.all(handled)
        return handled.length
      }),
    )
    .toBe(count)
}

export const pingTag = (id: PingId) => `ping:${id}`
export const chatTag = (id: ConversationId) => `chat:${id}`
