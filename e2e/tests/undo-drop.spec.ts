import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listMyPings } from '@hither/contract/pings.ts'
import { chromium, type Page } from '@playwright/test'
import { chromiumPath, drawingArgs } from '../chromium.ts'
import { advanceUntil, installClock, pauseClock } from '../fixed-clock.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { withoutLiveChannel } from '../live-frames.ts'
import { call, type Person, storageOf } from '../people.ts'
import { recordRequests } from '../recorded-requests.ts'

test.use({ pages: 'map' })

const here = { permissions: ['geolocation'], geolocation: { latitude: 40.7033, longitude: -74.017 } }
const offline = /ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket connection|Failed to load resource/

const quickPinOf = (page: Page) => page.getByRole('button', { name: 'Quick pin: here, 30 minutes, all friends' })
const undoOf = (page: Page) => page.getByRole('button', { name: 'Undo' })
const sendingOf = (page: Page) => page.getByRole('button', { name: 'You, My Pin, sending…' })
const dropping = /^Dropping My Pin for (1 friend|all friends), until (\d\d:\d\d|midnight)$/
const shared = /^Shared with 1 friend until (\d\d:\d\d|midnight)$/

async function openHome(page: Page) {
  await page.goto('/')
  await expect(page.getByText('My Pins')).toBeVisible()
}

/** Drops a quick pin and stops the clock of the page at the start of its undo period. */
async function dropWithStoppedClock(page: Page) {
  await installClock(page)
  await openHome(page)
  await pauseClock(page)
  await quickPinOf(page).click()
  // The code of the button is loaded, and the pin is stored, in real time.
  await advanceUntil(page, undoOf(page), 'visible', 900, 5)
  await expect(page.getByText(dropping)).toBeVisible()
}

/** As when the user switches to another tab or app. */
async function hide(page: Page) {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
}

function pingsOf(base: string, person: Person) {
  return call(base, listMyPings, { query: {} }, person)
}

test('a quick pin makes no request for five seconds and then one, and a second tap before does nothing', async ({
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann, here)
  await withoutLiveChannel(page)
  const requests = recordRequests(page)
  await dropWithStoppedClock(page)
  await expect(sendingOf(page)).toBeVisible()
  const before = requests.others().length
  await quickPinOf(page).click()
  await page.clock.runFor(4000)
  await expect(page.getByText(dropping)).toHaveCount(1)
  expect(requests.others().slice(before)).toEqual([])
  await page.clock.resume()
  await expect(page.getByText(shared)).toBeVisible()
  expect(requests.pings()).toHaveLength(1)
  await expect(page.getByText('1 active, 0 scheduled', { exact: true })).toBeVisible()
})

test('a quick pin that is undone is never sent', async ({ baseURL, browserOf, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann, here)
  const requests = recordRequests(page)
  await dropWithStoppedClock(page)
  await page.clock.runFor(4000)
  await undoOf(page).click()
  await advanceUntil(page, page.getByText('Pin not sent'), 'visible', 5000)
  await expect(sendingOf(page)).toHaveCount(0)
  await page.clock.runFor(60_000)
  await page.reload()
  await expect(page.getByText('No current pins', { exact: true })).toBeVisible()
  expect(requests.pings()).toEqual([])
  expect(await pingsOf(baseURL ?? '', ann)).toEqual([])
})

test('a quick pin is not sent while Undo has the keyboard focus, and is sent after that', async ({
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann, here)
  const requests = recordRequests(page)
  await dropWithStoppedClock(page)
  // The focus is not moved to the message, and Tab reaches it.
  await expect(undoOf(page)).not.toBeFocused()
  await tabTo(page, 'Undo')
  for (let passedMs = 0; passedMs < 10_000; passedMs += 500) {
    await page.clock.runFor(500)
    await waitForStorage(page)
  }
  await expect(undoOf(page)).toBeFocused()
  expect(requests.pings()).toEqual([])
  await undoOf(page).blur()
  await page.clock.resume()
  await expect(page.getByText(shared)).toBeVisible()
  expect(requests.pings()).toHaveLength(1)
})

test('a quick pin is sent at once when its page is hidden', async ({ browserOf, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann, here)
  const requests = recordRequests(page)
  await dropWithStoppedClock(page)
  expect(requests.pings()).toEqual([])
  const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/pings/'))
  await hide(page)
  // The clock of the page stands still, so the undo period has not ended.
  await asked
  await page.clock.resume()
  await expect(undoOf(page)).toBeHidden()
  await expect(page.getByText(shared)).toBeVisible()
  expect(requests.pings()).toHaveLength(1)
})

test('two tabs send a quick pin once', async ({ baseURL, browserOf, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann, here)
  const other = await page.context().newPage()
  const requests = [recordRequests(page), recordRequests(other)]
  await installClock(other)
  await openHome(other)
  await pauseClock(other)
  await dropWithStoppedClock(page)
  await advanceUntil(other, sendingOf(other), 'visible', 900, 5)
  // Both tabs are due to send the pin at about the same moment.
  await Promise.all([page.clock.resume(), other.clock.resume()])
  for (const tab of [page, other])
    await expect(tab.getByText('1 active, 0 scheduled', { exact: true })).toBeVisible({ timeout: 20_000 })
  expect(requests.flatMap((recorded) => recorded.pings())).toHaveLength(1)
  expect(await pingsOf(baseURL ?? '', ann)).toHaveLength(1)
})

test('a quick pin that is dropped offline waits for the network', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(offline)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann, here)
  // The code of the quick pin loads with its first tap.
  await dropWithStoppedClock(page)
  await undoOf(page).click()
  await advanceUntil(page, page.getByText('Pin not sent'), 'visible', 5000)
  await page.clock.resume()
  await page.context().setOffline(true)
  await quickPinOf(page).click()
  await expect(page.getByText("We'll send your pin when you're back online.")).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('No current pins · 1 waiting to be sent')).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByText('1 active, 0 scheduled', { exact: true })).toBeVisible({ timeout: 20_000 })
  expect(await pingsOf(baseURL ?? '', ann)).toHaveLength(1)
})

test('a quick pin is sent once at the next start if the browser was killed within its undo period', async ({
  baseURL,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const folder = await mkdtemp(join(tmpdir(), 'hither-browser-'))
  const start = () =>
    chromium.launchPersistentContext(folder, {
      executablePath: chromiumPath() ?? '/usr/bin/chromium',
      args: drawingArgs,
      baseURL: baseURL ?? '',
      serviceWorkers: 'block',
      ...here,
    })
  try {
    const before = await start()
    const page = await before.newPage()
    await page.goto('/login')
    await page.evaluate(
      (entries) => {
        for (const { name, value } of entries) localStorage.setItem(name, value)
      },
      storageOf(baseURL ?? '', ann).origins[0]?.localStorage ?? [],
    )
    await dropWithStoppedClock(page)
    // A crash and not a close, because a page that is closed sends the pin.
    await page.goto('chrome://crash').catch(() => undefined)
    await before.close()
    expect(await pingsOf(baseURL ?? '', ann)).toEqual([])

    const after = await start()
    const next = await after.newPage()
    await openHome(next)
    await expect(next.getByText('1 active, 0 scheduled', { exact: true })).toBeVisible({ timeout: 20_000 })
    await next.reload()
    await expect(next.getByText('1 active, 0 scheduled', { exact: true })).toBeVisible()
    expect(await pingsOf(baseURL ?? '', ann)).toHaveLength(1)
    await after.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('the message with Undo is accessible, also at 320 px', async ({ browserOf, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann, { ...here, viewport: { width: 320, height: 640 } })
  await dropWithStoppedClock(page)
  await expect(page.getByRole('status').filter({ has: page.getByText(dropping) })).toBeVisible()
  // The undo period does not end while Undo has the keyboard focus.
  await page.keyboard.press('Tab')
  await undoOf(page).focus()
  await page.clock.runFor(500)
  await page.clock.resume()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('the dialog sends a pin at once', async ({ browserOf, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann, here)
  await installClock(page)
  await openHome(page)
  await page.getByRole('button', { name: 'Drop a pin', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'New pin' })
  await dialog.getByLabel('Name', { exact: true }).fill('Soup')
  await expect(dialog.getByRole('button', { name: 'Pin Location' })).toBeEnabled()
  await pauseClock(page)
  const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/pings/'))
  await dialog.getByRole('button', { name: 'Pin Location' }).click()
  expect((await asked).postDataJSON()).toMatchObject({ name: 'Soup' })
})

/** Resolves when everything is stored that the page has begun to store. That takes real time, which its clock does not show. */
async function waitForStorage(page: Page) {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('hither-outbox')
        opening.onsuccess = () => {
          // This waits for earlier transactions of the store.
          const counting = opening.result.transaction('waiting').objectStore('waiting').count()
          counting.onsuccess = () => {
            opening.result.close()
            resolve()
          }
        }
      }),
  )
}

/** Presses Tab until the button has the focus. */
async function tabTo(page: Page, name: string) {
  const button = page.getByRole('button', { name, exact: true })
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    if (await button.evaluate((element) => element === document.activeElement)) return
  }
  await expect(button).toBeFocused()
}
