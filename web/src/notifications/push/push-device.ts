import type { UserId } from '@hither/contract/ids.ts'
import type { User } from '@hither/contract/users.ts'
import { createStore } from 'zustand'
import { call } from '../../api/transport.ts'
import { clearPush } from '../../service-worker/clear-push.ts'
import { pushOwner, setPushOwner } from '../../service-worker/push-store.ts'
import { sessionState } from '../../session/session.ts'

/** In milliseconds. Some browsers never resolve if their push service is unreachable. */
const answerWithinMs = 20_000

/** The browser returned no subscription, because it has no push service or cannot reach it. */
export class PushUnavailable extends Error {}

interface PushDevice {
  /** The user whose notifications this device shows; undefined until it is known. */
  owner: UserId | null | undefined
  permission: NotificationPermission
}

export const pushDevice = createStore<PushDevice>(() => ({ owner: undefined, permission: currentPermission() }))

/** Call it when the permission may have changed. */
export function readPermission() {
  pushDevice.setState({ permission: currentPermission() })
}

/**
 * Requests the permission, so call it only after a tap on a button that names the purpose. Resolves to whether the
 * permission was granted.
 */
export async function turnOnPush(viewer: User, pushKey: string): Promise<boolean> {
  const permission = await Notification.requestPermission()
  if (permission === 'granted') await register(viewer, pushKey)
  readPermission()
  return permission === 'granted'
}

export async function turnOffPush(): Promise<void> {
  await call('DELETE /notifications/subscription', {})
  await clear()
}

/**
 * Aligns the push subscription with the signed-in user: renews it if the user has enabled push here, and removes those
 * of other users. Call it at each start and after each change of the user. `findKey` is called only if push is enabled.
 */
export async function alignPush(viewer: User | null, findKey: () => Promise<string | null>): Promise<void> {
  const before = pushDevice.getState().owner ?? null
  const storedOwner = await pushOwner().catch(() => null)
  // The service worker may have deleted the owner before this page reads it.
  if ((storedOwner ?? before ?? viewer?.id) !== viewer?.id) await clear()
  else note(storedOwner)
  if (viewer === null || storedOwner !== viewer.id || Notification.permission !== 'granted') return
  const pushKey = await findKey()
  if (pushKey !== null) await register(viewer, pushKey)
}

export function currentRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  return 'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration() : Promise.resolve(undefined)
}

async function register(viewer: User, pushKey: string): Promise<void> {
  const { pushManager } = await within(navigator.serviceWorker.ready)
  const { endpoint, keys } = (await subscriptionWith(pushManager, pushKey)).toJSON()
  if (endpoint === undefined || keys?.['p256dh'] === undefined || keys['auth'] === undefined)
    throw new PushUnavailable()
  // Subscribing takes time. Another user may have signed in.
  if (sessionState().user?.id !== viewer.id) return clear()
  await call('PUT /notifications/subscription', {
    body: { endpoint, keys: { p256dh: keys['p256dh'], auth: keys['auth'] } },
  })
  if (sessionState().user?.id !== viewer.id) return clear()
  await setPushOwner(viewer.id)
  note(viewer.id)
}

/** A subscription with another key receives no pushes. */
async function subscriptionWith(pushManager: PushManager, pushKey: string): Promise<PushSubscription> {
  const before = await within(pushManager.getSubscription())
  if (before !== null && isOfKey(before, pushKey)) return before
  if (before !== null) await within(before.unsubscribe())
  const subscribing = pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey })
  try {
    return await within(subscribing)
  } catch {
    // A subscription that arrives after the timeout must not remain.
    void subscribing.then((subscription) => subscription.unsubscribe()).catch(() => undefined)
    throw new PushUnavailable()
  }
}

function isOfKey({ options }: PushSubscription, pushKey: string): boolean {
  const key = options?.applicationServerKey
  if (!key) return false
  const text = btoa(String.fromCharCode(...new Uint8Array(key)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === pushKey.replace(/=+$/, '')
}

async function clear(): Promise<void> {
  note(null)
  const registration = await currentRegistration()
  if (registration !== undefined) await clearPush(registration)
}

function note(userId: UserId | null) {
  pushDevice.setState({ owner: userId, permission: currentPermission() })
}

function currentPermission(): NotificationPermission {
  return 'Notification' in globalThis ? Notification.permission : 'denied'
}

async function within<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new PushUnavailable()), answerWithinMs)
  })
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer))
}
