/// <reference lib="webworker" />
import { type PushMessage, type PushReply } from './push-messages.ts'

declare const self: ServiceWorkerGlobalScope

const lookWithinMs = 1500
/** A page that is there answers at once; one that was asleep needs a moment. */
const takenWithinMs = 3000
const doneWithinMs = 20_000

/** All windows of the app, the one that was looked at last first. */
export async function openPages(): Promise<readonly WindowClient[]> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return windows.filter(({ url }) => !new URL(url).pathname.startsWith('/api/'))
}

/**
 * Whether somebody looks at that place of the app. Only a page knows: the address of a window is the one it was opened with,
 * and whether it has the focus is known here a moment late.
 */
export async function isBeforeEyes(path: string, pages: readonly WindowClient[]): Promise<boolean> {
  const seen = pages.filter(({ visibilityState }) => visibilityState === 'visible')
  const asked = await Promise.all(seen.map((page) => ask(page, { type: 'look', path }, lookWithinMs)))
  return asked.some((answer) => answer !== null)
}

/** Resolves to null where the page does not see to it; `done` otherwise to what went wrong, or null. */
export async function ask(
  page: WindowClient,
  message: PushMessage,
  withinMs = takenWithinMs,
): Promise<{ done: Promise<string | null> } | null> {
  const { port1, port2 } = new MessageChannel()
  let finish: (failure: string | null) => void = () => undefined
  const done = new Promise<string | null>((resolve) => {
    finish = resolve
    setTimeout(() => resolve(null), doneWithinMs)
  })
  const isTaken = new Promise<boolean>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<PushReply>) => {
      resolve(data.type === 'taken')
      if (data.type === 'done') finish(data.failure)
    }
    setTimeout(() => resolve(false), withinMs)
  })
  page.postMessage(message, [port2])
  return (await isTaken) ? { done } : null
}

/** In the window that is open, without loading it anew; else in a new one. */
export async function openInApp(path: string): Promise<void> {
  const [page] = await openPages()
  if (page !== undefined) {
    await page.focus().catch(() => undefined)
    if (await ask(page, { type: 'open', path })) return
    // One of an older version does not know how.
    if (await page.navigate(path).catch(() => null)) return
  }
  await self.clients.openWindow(path).catch(() => null)
}
