import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { type Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'

/** What a first visit may load, in bytes as gzip sends them. Raised only on purpose, with what for in the commit. */
const budgets = { login: 170_000, home: 258_000 } as const
const requestsMax = { login: 8, home: 22 } as const

const build = fileURLToPath(new URL('../../web/dist', import.meta.url))
const engine = /\/assets\/maplibre-gl-/

// As on a device: what comes later is then kept by the service worker, and no concern of the page.
test.use({ serviceWorkers: 'allow' })

test('the sign-in screen loads little script', async ({ browserOf }) => {
  const page = await browserOf(null)
  const scripts = scriptsOf(page)
  await page.goto('/login', { waitUntil: 'networkidle' })
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  expect(await bytesOf(scripts)).toBeLessThanOrEqual(budgets.login)
  expect(scripts.size).toBeLessThanOrEqual(requestsMax.login)
})

test('Home loads little script but for the engine of the map, and that after the first picture', async ({
  browserOf,
  person,
}) => {
  const page = await browserOf(await person('ann'))
  const scripts = scriptsOf(page)
  const asked = page.waitForRequest((request) => engine.test(request.url()))
  await page.goto('/')
  await asked
  await page.waitForLoadState('networkidle')
  expect(await bytesOf([...scripts].filter((path) => !engine.test(path)))).toBeLessThanOrEqual(budgets.home)
  expect(scripts.size).toBeLessThanOrEqual(requestsMax.home)

  const { paintedMs, engineMs } = await page.evaluate(() => ({
    paintedMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    engineMs: performance.getEntriesByType('resource').find(({ name }) => name.includes('/assets/maplibre-gl-'))
      ?.startTime,
  }))
  expect(paintedMs).toBeDefined()
  expect(engineMs).toBeGreaterThan(paintedMs ?? 0)
})

/** All that the page itself asks for, by path. */
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
