/// <reference lib="webworker" />
import type { PushMessage, PushReply } from './push-messages.ts'

declare const self: ServiceWorkerGlobalScope

const visibleTimeoutMs = 1500
/** An active page responds at once. A suspended page needs a moment. In milliseconds. */
const acceptTimeoutMs = 3000
const doneTimeoutMs = 20_000

/** Returns all windows of the app, the most recently focused first. */
export async function openPages(): Promise<readonly WindowClient[]> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return windows.filter(({ url }) => !new URL(url).pathname.startsWith('/api/'))
}

/**
 * Returns true if the user is looking at this path of the app. Only a page can answer this: a window's `url` is the one
 * that it was opened with, and its `focused` is delayed.
 */
export async function isPathVisible(path: string, pages: readonly WindowClient[]): Promise<boolean> {
  const visible = pages.filter(({ visibilityState }) => visibilityState === 'visible')
  const replies = await Promise.all(visible.map((page) => requestPage(page, { type: 'look', path }, visibleTimeoutMs)))
  return replies.some((answer) => answer !== null)
}

/** Resolves to null if the page does not handle the message; otherwise `done` resolves to the error text or null. */
export async function requestPage(
  page: WindowClient,
  message: PushMessage,
  withinMs = acceptTimeoutMs,
): Promise<{ done: Promise<string | null> } | null> {
  const { port1, port2 } = new MessageChannel()
  let finish: (failure: string | null) => void = () => undefined
  const done = new Promise<string | null>((resolve) => {
    finish = resolve
    setTimeout(() => resolve(null), doneTimeoutMs)
  })
  const isAccepted = new Promise<boolean>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<PushReply>) => {
      resolve(data.type === 'taken')
      if (data.type === 'done') finish(data.failure)
    }
    setTimeout(() => resolve(false), withinMs)
  })
  page.postMessage(message, [port2])
  return (await isAccepted) ? { done } : null
}

/** Opens a path in an open window without a reload, or else in a new window. */
export async function openInApp(path: string): Promise<void> {
  const [page] = await openPages()
  if (page !== undefined) {
    await page.focus().catch(() => undefined)
    if (await requestPage(page, { type: 'open', path })) return
    // A page of an older version does not know the message.
    if (await page.navigate(path).catch(() => null)) return
  }
  await self.clients.openWindow(path).catch(() => null)
}
