import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MapConfig } from '@hither/contract/maps.ts'
import type { Locator, Page, Route } from '@playwright/test'
import { pmtilesOf } from '../../server/src/maps/fixture.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { mapOf } from '../map.ts'
import { dropPing, signUp, storageOf } from '../people.ts'
import { recordTexts } from '../recorded-texts.ts'
import { startOwnServer } from '../servers.ts'

test.use({ pages: 'map' })

const toolOf = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const finalError = 'Failed to load street map after multiple attempts. Check your connection or the map key.'
const streetAttempts = /Loading street map\.\.\. \(Attempt \d\/4\)/
const noStreets = 'No street detail here offline'

/** Service workers are blocked, because page routes do not see their requests. */
const direct = { serviceWorkers: 'block' } as const

const bare: MapConfig = { own_streets: [], online: true, online_streets: null, satellite: [], key: null }

/** A map service of the test, at an origin that the Content-Security-Policy allows. */
interface Service {
  tileJson: (route: Route) => Promise<void>
  tile: (route: Route) => Promise<void>
}

const emptyTile = (route: Route) => route.fulfill({ body: Buffer.alloc(0), contentType: 'application/x-protobuf' })
const answer = (status: number) => (route: Route) => route.fulfill({ status, body: '' })

async function withService(page: Page, { tileJson, tile }: Partial<Service>, config: Partial<MapConfig> = {}) {
  const asked = { tileJson: 0, tiles: [] as string[] }
  const online_streets = {
    kind: 'tilejson' as const,
    url: new URL('/service.json', await originOf()).href,
    attribution: null,
  }
  await useConfig(page, { ...bare, online_streets, ...config })
  await page.route('**/service.json', async (route) => {
    asked.tileJson++
    if (tileJson) return tileJson(route)
    return route.fulfill({
      json: {
        tiles: ['/tiles/{z}/{x}/{y}'],
        minzoom: 0,
        maxzoom: 14,
        attribution: '<a href="https://maps.example">Maps &copy;</a>',
      },
    })
  })
  await page.route('**/tiles/**', async (route) => {
    asked.tiles.push(new URL(route.request().url()).pathname)
    return (tile ?? emptyTile)(route)
  })
  return asked

  function originOf(): string {
    return test.info().project.use.baseURL ?? ''
  }
}

async function useConfig(page: Page, map: MapConfig) {
  await page.route('**/api/config', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ json: { ...(await response.json()), map } })
  })
}

async function rightOf(locator: Locator): Promise<number> {
  const { x, width } = (await locator.boundingBox()) ?? { x: 0, width: Number.NaN }
  return x + width
}

/** Opens Home and waits for the first frame of the map, which takes long without a graphics card. */
async function open(page: Page) {
  await page.goto('/')
  await expect(toolOf(page, 'Satellite imagery')).toBeVisible({ timeout: 30_000 })
}

function countRequests(page: Page, file: RegExp): { readonly count: number } {
  const counted = { count: 0 }
  page.on('request', (request) => {
    if (file.test(request.url())) counted.count++
  })
  return counted
}

/** Zooms in beyond the zoom level from which streets are expected. */
async function comeCloser(page: Page) {
  await mapOf(page).press('+')
  await mapOf(page).press('+')
}

test.describe('with its embedded world', () => {
  test.use({ pages: 'complete' })

  test('the streets of an online service replace the embedded world, and its attribution is shown', async ({
    browserOf,
    person,
  }) => {
    const page = await browserOf(await person('ann'), direct)
    const tiles = Promise.withResolvers<void>()
    const asked = await withService(page, { tile: (route) => tiles.promise.then(() => emptyTile(route)) })
    const townNames = countRequests(page, /\/places-/)
    await open(page)
    await expect(page.getByRole('link', { name: 'Maps ©' })).toBeVisible()
    await expect(page.getByText('Natural Earth')).toBeVisible()
    tiles.resolve()
    await expect(page.getByText('Natural Earth')).toBeHidden()
    expect(townNames.count).toBe(0)
    await comeCloser(page)
    await expect.poll(() => asked.tiles.some((tile) => tile.startsWith('/tiles/13/'))).toBe(true)
    await expect(page.getByText(noStreets)).toBeHidden()
  })

  test('the embedded world is loaded once, with each style', async ({ browserOf, person }) => {
    const page = await browserOf(await person('ann'), direct)
    await useConfig(page, { ...bare, online: false })
    const [world, townNames] = [countRequests(page, /\/world-/), countRequests(page, /\/places-/)]
    await open(page)
    await expect(page.getByRole('link', { name: 'GeoNames' })).toBeVisible()
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(page.locator('html')).toHaveAttribute('data-color-scheme', 'dark')
    await comeCloser(page)
    await expect(page.getByText(noStreets)).toBeVisible()
    expect([world.count, townNames.count]).toEqual([1, 1])
  })
})

test('the map says that it has no streets from the zoom level at which they are expected', async ({
  browserOf,
  person,
}) => {
  const page = await browserOf(await person('ann'), direct)
  await useConfig(page, { ...bare, online: false })
  await open(page)
  await expect(page.getByRole('link', { name: 'GeoNames' })).toBeVisible()
  await expect(page.getByText(noStreets)).toBeHidden()
  await comeCloser(page)
  await expect(page.getByText(noStreets)).toBeVisible()
})

test('an installed street map is shown with its attribution, and an error is shown after its removal', async ({
  browserOf,
  expectConsole,
}) => {
  test.slow()
  // The page requests it once more with the cached configuration.
  expectConsole(/status of 404/)
  const server = await startOwnServer({})
  try {
    await mkdir(join(server.folder, 'maps'), { recursive: true })
    const file = join(server.folder, 'maps', 'town.pmtiles')
    await writeFile(file, pmtilesOf({ tiles: [{ z: 13, x: 2411, y: 3079, data: '' }] }))
    const baseURL = server.base
    const storageState = storageOf(baseURL, await signUp(baseURL, 'ann'))
    const page = await browserOf(null, { ...direct, baseURL, storageState })
    const tile = page.waitForResponse((response) => response.url().includes('/api/maps/town/13/'))
    await open(page)
    await comeCloser(page)
    expect((await tile).ok()).toBe(true)
    await expect(page.getByText('© OpenStreetMap contributors')).toBeVisible()
    await expect(page.getByText(noStreets)).toBeHidden()

    await rm(file)
    await page.reload()
    await expect(toolOf(page, 'Satellite imagery')).toBeVisible({ timeout: 30_000 })
    await comeCloser(page)
    await expect(page.getByText(noStreets)).toBeVisible()
    await expect(page.getByText('© OpenStreetMap contributors')).toBeHidden()
    await page.context().close()
  } finally {
    await server.stop()
  }
})

test('a complete style is shown with all its resources, and a broken one is not', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  test.slow()
  expectConsole(/status of 404/)
  const page = await browserOf(await person('ann'), direct)
  const asked: string[] = []
  let type = 'line'
  const asStyle = (route: Route) =>
    route.fulfill({
      json: {
        version: 8,
        sprite: '/style/sprite',
        sources: {
          streets: { type: 'vector', url: 'tiles.json' },
          hills: { type: 'raster', tiles: ['/hills/{z}/{x}/{y}'], tileSize: 256, attribution: 'Hills &copy; Above' },
        },
        layers: [
          { id: 'hills', type: 'raster', source: 'hills' },
          { id: 'road', type, source: 'streets', 'source-layer': 'roads', paint: {} },
        ],
      },
    })
  await page.route(/\/(style|hills|tiles\.json)/, (route) => {
    const { pathname } = new URL(route.request().url())
    asked.push(pathname)
    if (pathname === '/tiles.json')
      return route.fulfill({ json: { tiles: ['/tiles/{z}/{x}/{y}'], attribution: 'Roads &copy; Below' } })
    return answer(pathname.startsWith('/hills') ? 204 : 404)(route)
  })
  const tiles = await withService(page, { tileJson: asStyle })
  await open(page)
  await expect(page.getByText('Hills © Above')).toBeVisible()
  await expect(page.getByText('Roads © Below')).toBeVisible()
  await expect.poll(() => asked.some((path) => path.startsWith('/hills/'))).toBe(true)
  await expect.poll(() => tiles.tiles.length).toBeGreaterThan(0)
  expect(asked).toEqual(expect.arrayContaining(['/style/sprite.json']))
  await comeCloser(page)
  await expect(page.getByText(noStreets)).toBeHidden()

  type = 'nonsense'
  await page.reload()
  await expect(page.getByRole('alert')).toContainText(finalError, { timeout: 30_000 })
  await expect(page.getByText('Natural Earth')).toBeVisible()
})

for (const { failure, service, console } of [
  { failure: 'answers 500', service: { tileJson: answer(500) }, console: /status of 500/ },
  { failure: 'cannot be reached', service: { tileJson: (route: Route) => route.abort() }, console: /ERR_FAILED/ },
  { failure: 'has no tiles', service: { tile: answer(503) }, console: /status of 503/ },
])
  test(`a map service that ${failure} is requested four times, then the embedded world stays and a retry is offered`, async ({
    browserOf,
    expectConsole,
    person,
  }) => {
    expectConsole(console)
    const page = await browserOf(await person('ann'), direct)
    await withService(page, service)
    const announced = await recordTexts(page, streetAttempts)
    await page.goto('/', { waitUntil: 'commit' })
    await expect(page.getByRole('alert')).toContainText(finalError, { timeout: 30_000 })
    expect(await announced()).toEqual([2, 3, 4].map((attempt) => `Loading street map... (Attempt ${attempt}/4)`))
    await expect(mapOf(page)).toBeVisible()
    await expect(page.getByText('Natural Earth')).toBeVisible()

    for (const address of ['**/service.json', '**/tiles/**']) await page.unroute(address)
    const asked = await withService(page, {})
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText(finalError)).toBeHidden()
    await expect(page.getByRole('link', { name: 'Maps ©' })).toBeVisible()
    await expect.poll(() => asked.tiles.length).toBeGreaterThan(0)
  })

test('a map service that fails is not reported where an installed map covers the view, and not requested offline', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 500/, /ERR_INTERNET_DISCONNECTED/, /WebSocket/)
  const page = await browserOf(await person('ann'), direct)
  const bounds = [-75, 40, -73, 41.5]
  const attribution = 'Town map by the people of this town, its neighbors and everyone who walked here'
  const own = { name: 'town', tilejson_path: '/maps/town', bounds, min_zoom: 0, max_zoom: 14, attribution }
  await page.route('**/api/maps/town', (route) =>
    route.fulfill({ json: { tiles: ['/tiles/{z}/{x}/{y}'], bounds, attribution } }),
  )
  const isOffline = Promise.withResolvers<void>()
  let answers = 0
  const tileJson = async (route: Route) => {
    if (++answers === 2) await isOffline.promise
    return answer(500)(route)
  }
  const asked = await withService(page, { tileJson }, { own_streets: [own] })
  const announced = await recordTexts(page, streetAttempts)
  await open(page)
  await expect(page.getByText(attribution)).toBeVisible()
  // A long attribution wraps next to the buttons.
  const [credit, add] = [page.getByText(attribution), toolOf(page, 'Drop a pin')]
  expect(await rightOf(credit)).toBeLessThan((await add.boundingBox())?.x ?? 0)
  await expect.poll(() => asked.tileJson).toBe(2)
  await page.context().setOffline(true)
  isOffline.resolve()
  await expect(page.getByText(/^You're offline/)).toBeVisible()
  // The next attempt would be due after two seconds. Nothing shows that it does not come.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 2500)))
  expect(asked.tileJson).toBe(2)
  await page.context().setOffline(false)
  await expect.poll(() => asked.tileJson, { timeout: 15_000 }).toBe(4)
  expect(await announced()).toEqual([])
  await expect(page.getByRole('alert')).toHaveCount(0)
})

for (const { part, service } of [
  { part: 'the description', service: { tileJson: answer(403) } },
  { part: 'every tile', service: { tile: answer(401) } },
])
  test(`a service that refuses the key for ${part} is not requested again, and the map names the key`, async ({
    browserOf,
    expectConsole,
    person,
  }) => {
    expectConsole(/status of 40[13]/)
    const page = await browserOf(await person('ann'), direct)
    const asked = await withService(page, service, { key: 'abc' })
    await open(page)
    await expect(page.getByRole('alert')).toContainText(
      'Map authentication failed: the map service refused the map key (MAP_KEY).',
    )
    await expect(page.getByRole('button', { name: 'Retry' })).toBeHidden()
    await expect(mapOf(page)).toBeVisible()
    expect(asked.tileJson).toBe(1)
    await page.getByRole('button', { name: 'Hide this message' }).click()
    await expect(page.getByRole('alert')).toBeHidden()
  })

test('a failed tile is requested again, and a missing tile shows no error', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of (500|404)/)
  const page = await browserOf(await person('ann'), direct)
  const seen = new Set<string>()
  let isMissing = true
  const asked = await withService(page, {
    tile: (route) => {
      const url = route.request().url()
      if (isMissing && seen.size > 0) return answer(404)(route)
      const isFirst = !seen.has(url)
      seen.add(url)
      return isFirst ? answer(500)(route) : emptyTile(route)
    },
  })
  const announced = await recordTexts(page, streetAttempts)
  await open(page)
  await expect.poll(announced).toEqual(['Loading street map... (Attempt 2/4)'])
  isMissing = false
  await expect.poll(() => asked.tileJson).toBe(2)
  await expect(page.getByText(/Loading street map/)).toBeHidden()
  await expect(page.getByRole('alert')).toBeHidden()
})

test('the lists replace the map without WebGL, and a row opens the page of its pin', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/WebGL/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', bob)
  const page = await browserOf(ann)
  await page.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
      return kind.startsWith('webgl') ? null : Reflect.apply(original, this, [kind, ...rest])
    } as typeof original
  })
  await page.goto('/')
  // The click fails if something covers the text.
  await page.getByText("This browser can't display maps (WebGL is missing). The lists still work.").click()
  const row = page.getByRole('listitem').getByRole('button', { name: /Coffee at Nero/ })
  await expect(row).toBeInViewport()
  await row.click()
  await expect(page).toHaveURL(`/pins/${ping.id}`)
})

test('a map whose graphics context is lost for good is drawn again, and then offers a retry', async ({
  browserOf,
  person,
}) => {
  const page = await browserOf(await person('ann'), direct)
  await useConfig(page, { ...bare, online: false })
  await open(page)
  const fresh = page.locator('canvas.maplibregl-canvas:not([data-lost])')
  for (let losses = 1; losses <= 4; losses++) {
    await expect(toolOf(page, 'Satellite imagery')).toBeVisible({ timeout: 30_000 })
    await fresh.evaluate((canvas: HTMLCanvasElement) => {
      canvas.dataset['lost'] = 'true'
      canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext()
    })
    if (losses < 4) await expect(fresh).toBeVisible({ timeout: 30_000 })
  }
  await expect(page.getByRole('alert').getByRole('button', { name: 'Retry' })).toBeVisible()
  await expect(page.getByText('My Pins')).toBeVisible()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(fresh).toBeVisible({ timeout: 30_000 })
})

test('an error of the map leaves the lists', async ({ baseURL, browserOf, expectConsole, friends, person }) => {
  expectConsole(/Invalid LngLat/, /error occurred|Error/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  await dropPing(baseURL ?? '', ann, { name: 'Soup' })
  const page = await browserOf(bob, direct)
  await useConfig(page, { ...bare, online: false })
  await page.route(/\/api\/pings\/(\?|$)/, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/"latitude":[\d.]+/g, '"latitude":100')
    await route.fulfill({ response, body })
  })
  await open(page)
  await page.getByRole('listitem').getByRole('button', { name: /^Soup/ }).click()
  await expect(page.getByRole('alert').getByRole('button', { name: 'Retry' })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('Soup').first()).toBeVisible()
})

test('close pins form a cluster with a count that expands on zoom, also with the keyboard', async ({
  baseURL,
  browserOf,
  person,
}) => {
  const ann = await person('ann')
  for (const [name, latitude] of [
    ['North', 40.7605],
    ['Middle', 40.759],
    ['South', 40.7575],
  ] as const)
    await dropPing(baseURL ?? '', ann, { name, latitude, is_public: true })
  await dropPing(baseURL ?? '', ann, { name: 'Paris', latitude: 48.8566, longitude: 2.3522, is_public: true })
  const page = await browserOf(ann)
  await open(page)
  const three = page.getByRole('button', { name: '3 pins here, zoom in' })
  const pins = page.getByRole('button', { name: /^You, (North|Middle|South),/ })
  await expect(three).toBeVisible()
  await expect(pins).toHaveCount(0)
  await three.press('Enter')
  await expect(three).toBeHidden()
  await expect(page.locator('.pin:focus, .cluster:focus')).toHaveCount(1)

  await toolOf(page, 'Show all pins').click()
  await expect(three).toBeVisible()
  await expect(page.getByRole('button', { name: /^You, Paris/ })).toBeVisible()
})

test('a place is found by name and by coordinates with the keyboard, and a new pin opens there', async ({
  browserOf,
  person,
}) => {
  const page = await browserOf(await person('ann'), direct)
  const asked: { q: string; lat: number }[] = []
  await page.route('**/api/geo/search*', (route) => {
    asked.push(route.request().postDataJSON())
    const hoboken = { name: 'Hoboken', address: 'New Jersey, US', latitude: 40.744, longitude: -74.0324 }
    return route.fulfill({ json: [{ ...hoboken, name: 'Hobart', latitude: -42.88, longitude: 147.33 }, hoboken] })
  })
  await open(page)
  await toolOf(page, 'Search for a place').press('Enter')
  const field = page.getByRole('combobox', { name: 'Search for a place' })
  await expect(field).toBeFocused()
  await field.fill('hobo')
  await expect(page.getByRole('option')).toHaveCount(2)
  await expectAccessible(page)
  expect(asked.at(-1)?.q).toBe('hobo')
  // The center of the map is sent with a precision of a tenth of a degree.
  expect(asked.at(-1)?.lat).toBe(40.8)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const start = page.getByRole('button', { name: 'Drop a pin at Hoboken' })
  await expect(start).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'New pin' })).toBeVisible()
  await page.getByRole('dialog', { name: 'New pin' }).getByRole('button', { name: 'Close' }).click()
  // The dialog keeps the focus until it is removed.
  await expect(page.getByRole('dialog', { name: 'New pin' })).toBeHidden()

  const before = asked.length
  await toolOf(page, 'Search for a place').press('Enter')
  await expect(field).toBeFocused()
  await field.fill('48.8566, 2.3522')
  await page.getByRole('option', { name: /48\.8566, 2\.3522/ }).click()
  await expect(page.getByRole('button', { name: 'Drop a pin at 48.8566, 2.3522' })).toBeFocused()
  expect(asked.length).toBe(before)
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
  await expect(toolOf(page, 'Search for a place')).toBeFocused()
})

test('without the permission the position is not requested on load, and is shown with distances after a tap', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  await dropPing(baseURL ?? '', bob, { latitude: 40.7083 })
  const page = await browserOf(ann, {
    viewport: { width: 1280, height: 800 },
    geolocation: { latitude: 40.7033, longitude: -74.017 },
  })
  await page.addInitScript(() => {
    const original = navigator.geolocation.getCurrentPosition.bind(navigator.geolocation)
    navigator.geolocation.getCurrentPosition = (...given) => {
      document.documentElement.dataset['asked'] = 'true'
      original(...given)
    }
  })
  await open(page)
  await expect(toolOf(page, 'Search for a place')).toBeVisible()
  await expect(page.locator('html')).not.toHaveAttribute('data-asked')
  await page.context().grantPermissions(['geolocation'])
  await toolOf(page, 'Refresh and recenter map').click()
  await expect(page.getByRole('button', { name: 'You are here. Only you can see this.' })).toBeInViewport()
  const row = page.getByRole('listitem').filter({ hasText: 'Coffee at Nero' })
  await expect(row.getByText(/^1\.7 mi(les?)? away, 43 min walk$/)).toBeVisible()
})

test('the satellite view without internet shows the embedded picture, and a note when zoomed in', async ({
  browserOf,
  person,
}) => {
  const page = await browserOf(await person('ann'), direct)
  await useConfig(page, { ...bare, online: false })
  await open(page)
  await toolOf(page, 'Satellite imagery').click()
  await expect(page.getByText('Satellite imagery needs the internet', { exact: true })).toBeVisible()
  const picture = page.waitForResponse((response) => /\/imagery\/3\/\d+\/\d+\.webp$/.test(response.url()))
  for (let zoom = 11; zoom > 5; zoom--) await mapOf(page).press('-')
  await expect(page.getByText('Closer satellite imagery needs the internet')).toBeVisible()
  expect((await picture).ok()).toBe(true)
  await expect(page.getByText('NASA Blue Marble')).toBeVisible()
  await mapOf(page).press('-')
  await expect(page.getByText(/imagery needs the internet/)).toBeHidden()
})

test('the satellite view is remembered and shows an error when the imagery is unavailable', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 404|ERR_FAILED/)
  const page = await browserOf(await person('ann'), direct)
  const url = new URL('/imagery/{z}/{x}/{y}.png', test.info().project.use.baseURL).href
    .replaceAll('%7B', '{')
    .replaceAll('%7D', '}')
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+M8AAAMBAQDJ/pLvAAAAAElFTkSuQmCC'
  let isThere = true
  await page.route('**/imagery/**', (route) =>
    isThere ? route.fulfill({ body: Buffer.from(pixel, 'base64'), contentType: 'image/png' }) : route.abort(),
  )
  await useConfig(page, {
    ...bare,
    satellite: [{ kind: 'tiles', url, bounds: null, max_zoom: 16, attribution: 'Imagery © Sky' }],
  })
  await open(page)
  const toggle = toolOf(page, 'Satellite imagery')
  await expect(toggle).toHaveAttribute('aria-pressed', 'false')
  await toggle.click()
  await expect(page.getByText('Imagery © Sky')).toBeVisible()
  isThere = false
  await page.reload()
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText('Satellite imagery needs the internet')).toBeVisible()
  await toggle.click()
  await expect(page.getByText('Satellite imagery needs the internet')).toBeHidden()
})
