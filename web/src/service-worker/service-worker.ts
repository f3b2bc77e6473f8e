/// <reference lib="webworker" />
import { clientsClaim, type WorkboxPlugin } from 'workbox-core'
import { ExpirationPlugin } from 'workbox-expiration'
import { createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'
import { forgetPush } from '../notifications/forget-push.ts'
import { forgetMessage, takeOverMessage, tileCache } from './messages.ts'
import { addPush } from './push.ts'
import { addShareTarget } from './share-target.ts'

/**
 * Opens the app without network, whatever the address. Answers of the API are none of its business: what was last known is
 * kept by the page, one record an account, so that nothing of one account is ever shown to the next.
 */
declare const self: ServiceWorkerGlobalScope
/** Every file of the build, put in by it; a file whose name tells its content has no revision. */
declare const __PRECACHE__: { url: string; revision: string | null }[]

precacheAndRoute(__PRECACHE__, { cleanURLs: false })
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/index.html'), {
    denylist: [/^\/api(\/|$)/, /^\/\.well-known\//, /^\/(healthz|readyz|metrics)$/, /\.(ics|png|webp)$/],
  }),
)

addShareTarget()
addPush()

const tilesMax = 600
const tilesMaxAgeSeconds = 14 * 86_400

const expiration = new ExpirationPlugin({
  maxEntries: tilesMax,
  maxAgeSeconds: tilesMaxAgeSeconds,
  purgeOnQuotaError: true,
  // Its type allows for undefined where this one does not.
}) as WorkboxPlugin

// Only what is a 200 that may be read: an opaque answer might be an error, and takes megabytes of the quota.
registerRoute(
  ({ url, sameOrigin }) =>
    sameOrigin
      ? /^\/(api\/maps\/.+|imagery)\/\d+\/\d+\/\d+(\.webp)?$/.test(url.pathname)
      : /\.(pbf|mvt|png|jpe?g|webp)$/.test(url.pathname),
  new CacheFirst({
    cacheName: tileCache,
    plugins: [expiration],
  }),
)

// The first page of a device is served by it without a reload; later versions wait until they are told to take over.
clientsClaim()

self.addEventListener('message', (event) => {
  if (event.data === takeOverMessage) void self.skipWaiting()
  // Which tiles there are tells where somebody looked.
  if (event.data === forgetMessage)
    event.waitUntil(Promise.all([caches.delete(tileCache), forgetPush(self.registration)]))
})
