/// <reference lib="webworker" />
import { registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'
import { textCache } from '../i18n/text-cache.ts'
import { contentCheck, isContentOf } from './content-check.ts'

declare const self: ServiceWorkerGlobalScope
/** The files of texts of this build, inserted by it. */
declare const __TEXTS__: { tag: string; url: string }[]

/**
 * Caches the texts of the languages that this device has used. A new version loads those of the same languages before it takes over,
 * because its code and its texts belong together.
 */
export function addTextCache() {
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/texts/'),
    new CacheFirst({ cacheName: textCache, plugins: [contentCheck] }),
  )
  self.addEventListener('install', (event) => event.waitUntil(addTextsOfThisVersion()))
  self.addEventListener('activate', (event) => event.waitUntil(removeOtherTexts()))
}

async function addTextsOfThisVersion(): Promise<void> {
  const cache = await caches.open(textCache)
  const cached = (await cache.keys()).map(({ url }) => new URL(url).pathname)
  const tags = new Set(cached.map((path) => /^\/assets\/texts\/([a-z]+)-[a-z]+-/.exec(path)?.[1]))
  const missing = __TEXTS__.filter(({ tag, url }) => tags.has(tag) && !cached.includes(url))
  const added = await Promise.all(missing.map(async ({ url }) => ({ url, response: await fetchTexts(url) })))
  await Promise.all(added.map(({ url, response }) => cache.put(url, response)))
}

/** Rejects without the texts, and this version is then not installed. */
async function fetchTexts(url: string): Promise<Response> {
  const response = await fetch(url)
  if (!response.ok || !(await isContentOf(response.url, response))) throw new Error(`${url} has no texts`)
  return response
}

async function removeOtherTexts(): Promise<void> {
  const cache = await caches.open(textCache)
  const own = new Set(__TEXTS__.map(({ url }) => url))
  const others = (await cache.keys()).filter(({ url }) => !own.has(new URL(url).pathname))
  await Promise.all(others.map((request) => cache.delete(request)))
}
