import type { Page, WebSocket } from '@playwright/test'

/**
 * Resolves when the live channel of the app that the page opens next has subscribed to this table. A change before that
 * is only read with the lists, and announced by no notice.
 */
export async function subscriptionTo(page: Page, table: string): Promise<void> {
  const socket = await page.waitForEvent('websocket')
  await socket.waitForEvent('framereceived', ({ payload }) => {
    const text = String(payload)
    return text.includes('"phx_reply"') && text.includes('"status":"ok"') && text.includes(`"${table}"`)
  })
}

/** Leaves the live channel of the pages that are opened next unanswered. A channel that joins makes the app read everything again. */
export async function withoutLiveChannel(page: Page): Promise<void> {
  await page.routeWebSocket(/realtime/, () => undefined)
}

/**
 * Watches the live channels of the pages that are opened in this tab from now on. Returns a function that resolves with the
 * next change of a table that the current one receives.
 */
export function watchChanges(page: Page): (table: string) => Promise<void> {
  let current: WebSocket | null = null
  page.on('websocket', (socket) => {
    current = socket
  })
  return async (table) => {
    if (current === null) throw new Error('The page has opened no live channel yet')
    await (current as WebSocket).waitForEvent('framereceived', ({ payload }) => {
      const text = String(payload)
      return text.includes('"postgres_changes"') && text.includes(`"${table}"`)
    })
  }
}
