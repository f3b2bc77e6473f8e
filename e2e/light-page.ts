import type { BrowserContext, Page } from '@playwright/test'

/**
 * Makes the pages of a context cost less: with a quarter of the pixels of the map, and without the code that the app
 * loads early while it is idle.
 */
export async function lightenPages(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Object.defineProperty(window, 'devicePixelRatio', { value: 0.5 })
    window.requestIdleCallback = () => 0
  })
}

/** The map of these pages keeps loading, as on a slow line. Routes do not see the requests of an active service worker. */
export async function withholdMap(context: BrowserContext): Promise<void> {
  await context.route('**/assets/maplibre-gl-*', () => undefined)
}

/** Removes the content of the embedded map. */
export async function emptyMap(context: BrowserContext): Promise<void> {
  const places = { name: [], class: '', rank: [], longitude: [], latitude: [] }
  await context.route('**/assets/places-*', (route) => route.fulfill({ json: places }))
  const world = { type: 'FeatureCollection', features: [] }
  await context.route('**/assets/world-*', (route) => route.fulfill({ json: world }))
}

/** Also loads what the app loads while it is idle, such as the code that stores the content of own pins for suggestions. */
export async function withIdleWork(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.requestIdleCallback = (work) => Number(setTimeout(work, 0))
  })
}
