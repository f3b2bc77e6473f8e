/// <reference lib="webworker" />
import type { WorkboxPlugin } from 'workbox-core'

/** The content types of the files that are cached, by the end of their path. What has no such ending is a tile. */
const typesByEnding: readonly (readonly [RegExp, RegExp])[] = [
  [/\.js$/, /javascript/],
  [/\.css$/, /^text\/css/],
  [/\.json$/, /^application\/json/],
  [/\.webmanifest$/, /json|manifest/],
  [/\.html$/, /^text\/html/],
  [/\.svg$/, /^image\/svg/],
  [/\.(png|jpe?g|webp|ico)$/, /^image\//],
  [/\.woff2?$/, /font|octet-stream/],
]

/**
 * Keeps what a sign-in page of a network or a proxy sent in place of a file out of the caches. Such a copy is fetched once more past
 * the cache of the browser, and an earlier one in a cache is not used.
 */
export const contentCheck: WorkboxPlugin = {
  async fetchDidSucceed({ request, response }) {
    if (response.status !== 200 || (await isContentOf(request.url, response))) return response
    return fetch(new Request(request, { cache: 'reload' }))
  },
  async cacheWillUpdate({ request, response }) {
    return response.status === 200 && (await isContentOf(request.url, response)) ? response : null
  },
  async cachedResponseWillBeUsed({ request, cachedResponse }) {
    return cachedResponse && (await isContentOf(request.url, cachedResponse)) ? cachedResponse : null
  },
}

/** Whether a response may be the file of this address. The page itself is known by an element of it, and texts by their syntax. */
export async function isContentOf(address: string, response: Response): Promise<boolean> {
  const { pathname } = new URL(address)
  const type = (response.headers.get('Content-Type') ?? '').toLowerCase()
  const expected = typesByEnding.find(([ending]) => ending.test(pathname))?.[1]
  if (expected === undefined) return !/^text\/|json/.test(type)
  if (!expected.test(type)) return false
  if (pathname.endsWith('.html')) return (await response.clone().text()).includes('id="root"')
  if (pathname.startsWith('/assets/texts/')) return isJson(await response.clone().text())
  return true
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
