import { type UserId } from '@hither/contract/ids.ts'
import { subscribeToPush, unsubscribeFromPush } from '@hither/contract/notifications.ts'
import { type User } from '@hither/contract/users.ts'
import { call } from '../api/transport.ts'
import { sessionState } from '../auth/session.ts'
import { forgetPush } from './forget-push.ts'
import { pushOwner, setPushOwner } from './push-store.ts'

/** Some browsers never answer where their push service cannot be reached. */
const answerWithinMs = 20_000

/** The browser gave no subscription: its push service is out of reach, or it has none. */
export class PushUnavailable extends Error {}

const listeners = new Set<() => void>()
let owner: UserId | null | undefined

/** Whose notifications this device shows; undefined until it is known. */
export function knownOwner(): UserId | null | undefined {
  return owner
}

export function subscribeToPushDevice(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Asks for the permission, so only after a tap that said what for. Resolves to whether it was given. */
export async function turnOnPush(viewer: User, pushKey: string): Promise<boolean> {
  const permission = await Notification.requestPermission()
  if (permission === 'granted') await register(viewer, pushKey)
  announce()
  return permission === 'granted'
}

export async function turnOffPush(): Promise<void> {
  await call(unsubscribeFromPush, {})
  await forget()
}

/**
 * Brings the device in line with who is signed in, at each start and whenever that changes: renews the subscription of the
 * one who has it on, and removes everybody else's. `findKey` is asked only where it is on.
 */
export async function alignPush(viewer: User | null, findKey: () => Promise<string | null>): Promise<void> {
  const before = owner ?? null
  const kept = await pushOwner().catch(() => null)
  // The service worker may have been faster to forget than this page is to look.
  if ((kept ?? before ?? viewer?.id) !== viewer?.id) await forget()
  else note(kept)
  if (viewer === null || kept !== viewer.id || Notification.permission !== 'granted') return
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
  // The browser takes its time; by now somebody else may be here.
  if (sessionState().user?.id !== viewer.id) return forget()
  await call(subscribeToPush, { body: { endpoint, keys: { p256dh: keys['p256dh'], auth: keys['auth'] } } })
  if (sessionState().user?.id !== viewer.id) return forget()
  await setPushOwner(viewer.id)
  note(viewer.id)
}

/** One that was made with another key receives nothing any more. */
async function subscriptionWith(pushManager: PushManager, pushKey: string): Promise<PushSubscription> {
  const before = await within(pushManager.getSubscription())
  if (before !== null && isOfKey(before, pushKey)) return before
  if (before !== null) await within(before.unsubscribe())
  const subscribing = pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey })
  try {
    return await within(subscribing)
  } catch {
    // What nobody has waited for is not to be left behind.
    void subscribing.then((late) => late.unsubscribe()).catch(() => undefined)
    throw new PushUnavailable()
  }
}

function isOfKey({ options }: PushSubscription, pushKey: string): boolean {
  const key = options?.applicationServerKey
  if (!key) return false
  const text = btoa(String.fromCharCode(...new Uint8Array(key)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === pushKey.replace(/=+$/, '')
}

async function forget(): Promise<void> {
  note(null)
  const registration = await currentRegistration()
  if (registration !== undefined) await forgetPush(registration)
}

function note(userId: UserId | null) {
  owner = userId
  announce()
}

function announce() {
  for (const listener of [...listeners]) listener()
}

async function within<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new PushUnavailable()), answerWithinMs)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
