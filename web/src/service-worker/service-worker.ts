/// <reference lib="webworker" />
import { clientsClaim, type WorkboxPlugin } from 'workbox-core'
import { ExpirationPlugin } from 'workbox-expiration'
import { addPlugins, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'
import { clearPush } from './clear-push.ts'
import { contentCheck } from './content-check.ts'
import { signedOutMessage, takeOverMessage, tileCache } from './messages.ts'
import { addPush } from './push.ts'
import { addShareTarget } from './share-target.ts'
import { addTextCache } from './text-cache.ts'

/**
 * Opens the app without network, at every address. API responses are not cached here: the page stores the last known
 * data per account, so that no account sees the data of another one.
 */
declare const self: ServiceWorkerGlobalScope
/** All files of the build, inserted by it. A file with a content hash in its name has no revision. */
declare const __PRECACHE__: { url: string; revision: string | null }[]

addPlugins([contentCheck])
precacheAndRoute(__PRECACHE__, { cleanURLs: false })
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/index.html'), {
    denylist: [/^\/api(\/|$)/, /^\/\.well-known\//, /^\/(healthz|readyz|metrics)$/, /^[^?]*\.\w+$/],
  }),
)

addTextCache()
addShareTarget()
addPush()

const tilesMax = 600
const tilesMaxAgeSeconds = 14 * 86_400

const expiration = new ExpirationPlugin({
  maxEntries: tilesMax,
  maxAgeSeconds: tilesMaxAgeSeconds,
  purgeOnQuotaError: true,
  // The plugin's type allows undefined, which `exactOptionalPropertyTypes` forbids here.
}) as WorkboxPlugin

// Caches only readable responses with status 200: an opaque response may be an error, and counts as megabytes of the
// quota.
registerRoute(
  ({ url, sameOrigin }) =>
    sameOrigin
      ? /^\/(api\/maps\/.+|imagery)\/\d+\/\d+\/\d+(\.webp)?$/.test(url.pathname)
      : /\.(pbf|mvt|png|jpe?g|webp)$/.test(url.pathname),
  new CacheFirst({
    cacheName: tileCache,
    plugins: [contentCheck, expiration],
  }),
)

// The first version of a device takes control of the page without a reload. Later versions wait for `takeOverMessage`.
clientsClaim()

self.addEventListener('message', (event) => {
  if (event.data === takeOverMessage) void self.skipWaiting()
  // The cached tiles would reveal which places the former user looked at.
  if (event.data === signedOutMessage)
    event.waitUntil(Promise.all([caches.delete(tileCache), clearPush(self.registration)]))
})
