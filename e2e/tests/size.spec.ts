import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { dropPing } from '../people.ts'

/** Script budgets of a first visit, in bytes after gzip. Raise them only on purpose and give the reason in the commit. */
const budgets = {
  login: 194_200,
  home: 287_900,
  pin: 345_300,
  /** Home needs the texts of a visitor too. */
  texts: { visitor: 3000, home: 6000, all: 37_900 },
} as const
const requestsMax = { login: 8, home: 24 } as const

const build = fileURLToPath(new URL('../../web/dist', import.meta.url))
const engine = /\/assets\/maplibre-gl-/
/** MapLibre and what draws every map with it: its binding to React and the map style. */
const drawing = /\/assets\/(maplibre-gl|drawing)-/

// Without a service worker, every script is a request of the page. What the app loads while it is idle does not count.
test.use({ pages: 'map', serviceWorkers: 'block' })

test('the sign-in page stays within its script budget', async ({ browserOf }) => {
  const page = await browserOf(null)
  const scripts = scriptsOf(page)
  await page.goto('/login', { waitUntil: 'networkidle' })
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  expect(await bytesOf(scripts)).toBeLessThanOrEqual(budgets.login)
  expect(scripts.size).toBeLessThanOrEqual(requestsMax.login)
})

test('Home stays within its script budget, and loads the map engine after the first render', async ({
  browserOf,
  person,
}) => {
  const page = await browserOf(await person('ann'))
  const scripts = scriptsOf(page)
  await page.goto('/')
  // The browser lists a script when it has loaded completely.
  const engineMs = await page.waitForFunction(
    () => performance.getEntriesByType('resource').find(({ name }) => name.includes('/assets/maplibre-gl-'))?.startTime,
  )
  await expect(page.getByText('Loading map...')).toBeHidden()
  await page.waitForLoadState('networkidle')
  expect(await bytesOf([...scripts].filter((path) => !engine.test(path)))).toBeLessThanOrEqual(budgets.home)
  expect(scripts.size).toBeLessThanOrEqual(requestsMax.home)

  const paintedMs = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  )
  expect(await engineMs.jsonValue()).toBeGreaterThan(paintedMs)
})

test('the page of a pin stays within its script budget besides the map engine, which loads after the first paint', async ({
  baseURL,
  browserOf,
  person,
}) => {
  const ping = await dropPing(baseURL ?? '', await person('ann'), { is_public: true, guest_policy: 'open' })
  const page = await browserOf(null)
  const scripts = scriptsOf(page)
  await page.goto(`/pins/${ping.id}`)
  await expect(page.getByRole('img', { name: /^Map: / })).toBeVisible()
  await page.waitForLoadState('networkidle')
  const [engineMs = 0, paintedMs] = await page.evaluate(() => [
    performance.getEntriesByType('resource').find(({ name }) => name.includes('/assets/maplibre-gl-'))?.startTime,
    performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  ])
  expect(engineMs).toBeGreaterThan(paintedMs ?? Number.NaN)
  expect(await bytesOf([...scripts].filter((path) => !drawing.test(path)))).toBeLessThanOrEqual(budgets.pin)
})

test('the sheet of the friend code and its decoder stay within their script budgets', async () => {
  const names = await readdir(join(build, 'assets'))
  const bytesOfChunk = (chunk: RegExp) =>
    bytesOf(names.filter((name) => chunk.test(name)).map((name) => `assets/${name}`))
  const [sheet, decoder] = [await bytesOfChunk(/^CodeSheet-[\w-]+\.js$/), await bytesOfChunk(/^decode-[\w-]+\.js$/)]
  expect(sheet).toBeGreaterThan(0)
  expect(sheet).toBeLessThanOrEqual(12_000)
  expect(decoder).toBeGreaterThan(0)
  expect(decoder).toBeLessThanOrEqual(60_000)
})

test('the emoji picker and its list are a script of their own within its budget', async () => {
  const names = await readdir(join(build, 'assets'))
  const parts = names.filter((name) => /^EmojiPicker-[\w-]+\.js$/.test(name))
  expect(parts).toHaveLength(1)
  expect(await bytesOf(parts.map((name) => `assets/${name}`))).toBeLessThanOrEqual(60_000)
})

test('responding without an account adds at most 8 KB of script to the page of a pin', async () => {
  const names = await readdir(join(build, 'assets'))
  const parts = names.filter((name) => /^(GuestPing|guests\.api|stored-guests)-[\w-]+\.js$/.test(name))
  expect(parts).toHaveLength(3)
  expect(await bytesOf(parts.map((name) => `assets/${name}`))).toBeLessThanOrEqual(8000)
})

test('the sheet of shared arrival times and the estimation stay within 5 KB of script', async () => {
  const names = await readdir(join(build, 'assets'))
  const parts = names.filter((name) => /^(OnMyWay|TripSheet|estimation|estimator)-[\w-]+\.js$/.test(name))
  expect(parts.some((name) => name.startsWith('TripSheet-'))).toBe(true)
  expect(await bytesOf(parts.map((name) => `assets/${name}`))).toBeLessThanOrEqual(5000)
})

test('passkeys, the other ways to sign in and the notices of Home are scripts of their own within their budgets', async () => {
  const names = await readdir(join(build, 'assets'))
  const bytesOfChunk = async (chunk: RegExp) => {
    const parts = names.filter((name) => chunk.test(name))
    expect(parts).toHaveLength(1)
    return bytesOf(parts.map((name) => `assets/${name}`))
  }
  expect(await bytesOfChunk(/^passkey-client-[\w-]+\.js$/)).toBeLessThanOrEqual(5000)
  expect(await bytesOfChunk(/^OtherSignInList-[\w-]+\.js$/)).toBeLessThanOrEqual(1600)
  expect(await bytesOfChunk(/^SecurityNotices-[\w-]+\.js$/)).toBeLessThanOrEqual(2000)
})

test('the texts of each language stay within their budgets', async () => {
  const names = (await readdir(join(build, 'assets/texts'))).filter((name) => /^[a-z]{2}-\w+-.*\.json$/.test(name))
  const tags = [...new Set(names.map((name) => name.slice(0, 2)))]
  expect(tags).toHaveLength(5)
  for (const tag of tags) {
    const bytesIn = (group: string) =>
      bytesOf(names.filter((name) => name.startsWith(`${tag}-${group}-`)).map((name) => `assets/texts/${name}`))
    const [visitor = 0, home = 0, rest = 0] = await Promise.all(['visitor', 'home', 'rest'].map(bytesIn))
    expect(visitor, tag).toBeLessThanOrEqual(budgets.texts.visitor)
    expect(visitor + home, tag).toBeLessThanOrEqual(budgets.texts.home)
    expect(visitor + home + rest, tag).toBeLessThanOrEqual(budgets.texts.all)
  }
})

test('the trip bar and the estimator stay within their script budgets', async () => {
  const names = await readdir(join(build, 'assets'))
  const chunks = { bar: /^TripBar-[\w-]+\.js$/, estimator: /^estimator-[\w-]+\.js$/ }
  const [bar, estimator] = await Promise.all(
    Object.values(chunks).map((chunk) =>
      bytesOf(names.filter((name) => chunk.test(name)).map((name) => `assets/${name}`)),
    ),
  )
  expect(bar).toBeGreaterThan(0)
  expect(bar).toBeLessThanOrEqual(1500)
  expect(estimator).toBeGreaterThan(0)
  expect(estimator).toBeLessThanOrEqual(2000)
})

/** The paths of the scripts that the page requests. */
function scriptsOf(page: Page): Set<string> {
  const paths = new Set<string>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/\.m?js$/.test(pathname)) paths.add(pathname)
  })
  return paths
}

async function bytesOf(paths: Iterable<string>): Promise<number> {
  const contents = await Promise.all([...paths].map((path) => readFile(join(build, path))))
  return contents.reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0)
}
