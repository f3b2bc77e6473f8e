import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'

const friendsScreen = '**/assets/FriendsRoute-*'

test('code that arrives before its texts waits for them, without a reload', async ({ browserOf, person }) => {
  const page = await browserOf(await person('ann'))
  const code = page.waitForResponse('**/assets/home-*.js')
  await page.route('**/assets/texts/*-home-*', async (route) => {
    await (await code).finished()
    // By then the page would have run the code that it has.
    await page.evaluate(async () => {
      for (let frame = 0; frame < 30; frame++) await new Promise(requestAnimationFrame)
    })
    await route.fallback()
  })
  const loads = await openHome(page)
  expect(loads()).toBe(1)
})

test('a screen whose code fails to load once is shown without a reload', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/ERR_FAILED/)
  const page = await browserOf(await person('ann'))
  let requests = 0
  await page.route(friendsScreen, (route) => (++requests === 1 ? route.abort() : route.fallback()))
  const loads = await openHome(page)

  await page.getByRole('link', { name: 'Friends' }).click()
  await expect(page.getByRole('tab', { name: 'Received' })).toBeVisible()
  expect(requests).toBe(2)
  expect(loads()).toBe(1)
})

test('a screen whose code cannot be loaded reloads the page once, and then shows an error', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/ERR_FAILED/, /Failed to fetch dynamically imported module/)
  const page = await browserOf(await person('ann'))
  await page.route(friendsScreen, (route) => route.abort())
  const loads = await openHome(page)

  await page.getByRole('link', { name: 'Friends' }).click()
  await expect(page.getByRole('button', { name: 'Reload Page' })).toBeVisible()
  expect(loads()).toBe(2)

  await page.unroute(friendsScreen)
  await page.getByRole('button', { name: 'Reload Page' }).click()
  await expect(page.getByRole('tab', { name: 'Received' })).toBeVisible()
  expect(loads()).toBe(3)
})

/** Returns a function that counts how often the page has been loaded. */
async function openHome(page: Page): Promise<() => number> {
  let loads = 0
  page.on('load', () => loads++)
  await page.goto('/')
  await expect(page.getByText('My Pins')).toBeVisible()
  return () => loads
}
