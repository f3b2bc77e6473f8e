import type { Page } from '@playwright/test'

interface RecordedRequests {
  /**
   * The requests to the server so far, as "POST /api/pings/", without what a dialog or an idle page reads at any time: friends,
   * circles, the configuration and the state of the sign-in.
   */
  others: () => string[]
  /** The bodies of the requests that create a ping. */
  pings: () => Record<string, unknown>[]
}

/** Records the API requests of a page, also of those that start later. */
export function recordRequests(page: Page): RecordedRequests {
  const requests: { line: string; body: string | null }[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/'))
      requests.push({ line: `${request.method()} ${pathname}${search}`, body: request.postData() })
  })
  const isBackground = (line: string) => /^GET \/api\/(auth|friends|circles|config)/.test(line)
  return {
    others: () => requests.map(({ line }) => line).filter((line) => !isBackground(line)),
    pings: () =>
      requests.filter(({ line }) => line === 'POST /api/pings/').map(({ body }) => JSON.parse(body ?? 'null')),
  }
}
