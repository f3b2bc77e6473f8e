import { createPing } from '@hither/contract/pings.ts'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { subscriptionTo, watchChanges } from '../live-frames.ts'
import { mapOf } from '../map.ts'
import { dropPing } from '../people.ts'

test.use({ pages: 'map' })

const battery = { latitude: 40.7033, longitude: -74.017 }
const monaco = { latitude: 43.7384, longitude: 7.4246 }

const tabOf = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
const ownPositionOf = (page: Page) => page.getByRole('button', { name: 'You are here. Only you can see this.' })

/** Counts what the map draws. */
async function countDrawing(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const { prototype } = WebGL2RenderingContext
    const { clear } = prototype
    prototype.clear = function (mask: number) {
      const { dataset } = document.documentElement
      dataset['drawn'] = String(Number(dataset['drawn'] ?? 0) + 1)
      clear.call(this, mask)
    }
  })
  return async () => Number(await page.locator('html').getAttribute('data-drawn'))
}

/** Waits until the map has drawn nothing for half a second. */
async function expectStill(drawn: () => Promise<number>) {
  let before = -1
  await expect
    .poll(
      async () => {
        const isStill = before === (await drawn())
        before = await drawn()
        return isStill
      },
      { intervals: [500] },
    )
    .toBe(true)
}

test('the map opens at an allowed position, stays as it is behind the other tabs and is restored after a reload', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann, locatedIn(monaco))
  const drawn = await countDrawing(page)
  const nextChange = watchChanges(page)
  const engine: string[] = []
  page.on('request', (request) => /maplibre-gl/.test(request.url()) && engine.push(request.url()))
  await page.goto('/friends')
  await expect(page.getByRole('tab', { name: 'Received' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(engine).toEqual([])

  await tabOf(page, 'Home').click()
  await expect(ownPositionOf(page)).toBeInViewport()
  await expect(page.getByText('Only you see this')).toBeVisible()
  await mapOf(page).focus()
  await expect(async () => {
    await mapOf(page).press('ArrowDown')
    await expect(ownPositionOf(page)).not.toBeInViewport({ timeout: 300 })
  }).toPass()
  await expect.poll(() => storedZoom(page)).toBe(15)
  await expectStill(drawn)

  await page.locator('canvas').evaluate((canvas) => canvas.setAttribute('data-kept', ''))
  const before = await drawn()
  await tabOf(page, 'Friends').click()
  await expect(page).toHaveTitle(/^Friends/)
  await expect(mapOf(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Drop a pin' })).toBeHidden()
  const received = nextChange('location_pins')
  await dropPing(baseURL ?? '', bob, { latitude: monaco.latitude - 0.012, longitude: monaco.longitude })
  await received
  expect(before).toBeGreaterThan(0)
  expect(await drawn()).toBe(before)
  await page.goBack()
  await expect(page).toHaveTitle(/^Home/)
  await expect(page.getByRole('button', { name: new RegExp(`^${bob.username}, Coffee at Nero`) })).toBeInViewport()
  await expect(ownPositionOf(page)).not.toBeInViewport()
  await expect(page.locator('canvas[data-kept]')).toHaveCount(1)

  await page.reload()
  await expect(page.getByRole('button', { name: new RegExp(`^${bob.username}, Coffee at Nero`) })).toBeInViewport()
  await expect(ownPositionOf(page)).not.toBeInViewport()
  // The explanation of the position appears once, and then after a tap.
  await expect(page.getByText('Only you see this')).toHaveCount(0)
  await page.getByRole('button', { name: 'Refresh and recenter map' }).click()
  await ownPositionOf(page).click()
  await expect(page.getByText('Only you see this')).toBeVisible()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  expect(await storedZoom(page)).toBeNull()
})

test('on a phone the lowest stop of the sheet answers the first pin, the owner is notified, and a row zooms to its pin', async ({
  api,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const message = 'Upstairs, by the window. '.repeat(19)
  await api(createPing, { body: { name: 'Coffee at Nero', message, ...battery } }, ann)
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  await api(createPing, { body: { name: 'Tea', ...battery, latitude: 40.76, activates_at: tomorrow } }, ann)
  await api(
    createPing,
    { body: { name: 'My Pin', is_unnamed: true, latitude: 48.8566, longitude: 2.3522, message } },
    ann,
  )
  const [page, annPage] = [await browserOf(bob, locatedIn(battery)), await browserOf(ann)]
  const subscribed = subscriptionTo(annPage, 'ping_responses')
  await annPage.goto('/friends')
  await subscribed
  await page.goto('/')

  const first = page.getByRole('group', { name: 'Are you going? Coffee at Nero' })
  await expect(first.getByRole('button', { name: 'Going' })).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('group', { name: /^Are you going\? Tea/ })).toBeHidden()
  await first.getByRole('button', { name: 'Going' }).click()
  await expect(annPage.getByText(`${bob.username} is going`, { exact: true })).toBeVisible()
  const chosen = first.getByRole('button')
  await expect(chosen).toHaveCount(1)
  await expect(chosen).toHaveAccessibleName(/^Going/)
  await expect(chosen).toBeFocused()
  await tabOf(annPage, 'Home').click()
  await expect(annPage.getByText('2 active, 1 scheduled · 1 going')).toBeVisible()
  await expect(annPage.getByRole('button', { name: /^You, Coffee at Nero, .* left, 1 going$/ })).toBeAttached()

  await page.getByRole('button', { name: 'Resize the list' }).press('ArrowUp')
  const rows = page.getByRole('listitem')
  await expect(rows).toContainText(['Coffee at Nero', 'Tea', `${ann.username}'s pin`])
  await expect(rows.nth(1).getByText(ann.username, { exact: true })).toBeVisible()
  await expect(rows.nth(1).getByText('Scheduled', { exact: true })).toBeVisible()
  await expect(page.getByText('Active', { exact: true })).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Elsewhere' }).getByRole('listitem')).toHaveCount(1)
  await expectAccessible(page)
  await chosen.click()
  await first.getByRole('button', { name: "Can't" }).click()
  await expect(annPage.getByText(`${bob.username} can't make it`, { exact: true })).toBeVisible()
  await expect(annPage.getByText('2 active, 1 scheduled', { exact: true })).toBeVisible()

  await rows
    .nth(2)
    .getByRole('button', { name: /'s pin/ })
    .click()
  await expect(page.getByRole('dialog', { name: `${ann.username}'s pin` })).toBeInViewport({ ratio: 1 })
  const marker = page.getByRole('button', { name: new RegExp(`^${ann.username}, ${ann.username}'s pin`) })
  // Fails if the attribution or the sheet covers the marker.
  await marker.click({ trial: true })
  // The device does not store where the pin is.
  expect(await storedZoom(page)).toBeNull()
})

test('without a pin nearby, the lowest stop shows the first pin elsewhere below one heading', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  await dropPing(baseURL ?? '', ann, { name: 'Croissants', latitude: 48.8566, longitude: 2.3522 })
  const page = await browserOf(bob, locatedIn(battery))
  await page.goto('/')
  await expect(page.getByRole('list', { name: 'Elsewhere' }).getByRole('listitem')).toHaveCount(1)
  const response = page.getByRole('group', { name: 'Are you going? Croissants' })
  await expect(response.getByRole('button', { name: 'Going' })).toBeInViewport({ ratio: 1 })
  await expect(page.getByText('No friends are sharing any pins nearby')).toHaveCount(0)
})

test('a newcomer gets three steps, a failed position is explained, and a low screen folds the sheet and the tools', async ({
  browserOf,
  person,
}) => {
  const page = await browserOf(await person('ann'), { permissions: ['geolocation'] })
  await page.addInitScript(() => {
    navigator.geolocation.getCurrentPosition = (_found, fail) =>
      fail?.({ code: 2, message: '' } as GeolocationPositionError)
  })
  await page.goto('/')
  const steps = page.getByRole('list', { name: 'First steps' })
  await expect(steps.getByRole('button', { name: /^1?\s*Add a friend/ })).toBeInViewport({ ratio: 1 })
  await expect(page.getByText('No friends are sharing any pins nearby')).toBeInViewport()
  await page.getByRole('button', { name: 'Resize the list' }).click()
  await expect(steps.getByRole('button')).toHaveCount(3)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Refresh and recenter map' }).click()
  await expect(page.getByText('Could not get your location. Location information is unavailable.')).toBeVisible()
  await steps.getByRole('button', { name: /Drop your first pin/ }).click()
  await expect(page.getByRole('dialog', { name: 'New pin' })).toBeVisible()
  await page.getByRole('dialog', { name: 'New pin' }).getByRole('button', { name: 'Close' }).click()
  await steps.getByRole('button', { name: /Add a friend/ }).click()
  await expect(page).toHaveURL('/friends')

  await page.setViewportSize({ width: 320, height: 420 })
  await tabOf(page, 'Home').click()
  await page.getByRole('button', { name: 'Resize the list' }).press('ArrowDown')
  await expect(page.getByRole('button', { name: 'My Pins' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Satellite imagery' })).toBeHidden()
  await page.getByRole('button', { name: 'Map tools' }).click()
  await page.getByRole('button', { name: 'Satellite imagery' }).click()
  await expect(page.getByRole('button', { name: 'Satellite imagery' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Drop a pin' }).click({ trial: true })
  await page.getByRole('button', { name: /^Quick pin/ }).click({ trial: true })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Resize the list' }).click()
  await expect(page.getByRole('button', { name: 'My Pins' })).toBeVisible()
})

function locatedIn(geolocation: { latitude: number; longitude: number }) {
  return { permissions: ['geolocation'], geolocation }
}

/** The zoom of the camera that the device stores. */
function storedZoom(page: Page): Promise<number | null> {
  return page.evaluate(() => JSON.parse(localStorage.getItem('map_camera') ?? 'null')?.zoom ?? null)
}

test('a card that grows while the camera moves to its pin moves the map once more, also if it does not fit', async ({
  baseURL,
  browserOf,
  person,
}) => {
  const ann = await person('ann')
  const message = 'Upstairs, by the window. '.repeat(19)
  for (const name of ['Soup', 'Tea']) await dropPing(baseURL ?? '', ann, { name, message, ...battery, is_public: true })
  const page = await browserOf(ann, { ...locatedIn(battery), reducedMotion: 'no-preference' })
  await page.clock.install()
  await page.goto('/')
  await expect(ownPositionOf(page)).toBeVisible({ timeout: 30_000 })
  const rowOf = (name: string) => page.getByRole('listitem').getByRole('button', { name: new RegExp(`^${name}`) })
  await page.getByRole('button', { name: /^My Pins/ }).click()
  // The code of the card loads with the first one.
  await rowOf('Soup').click()
  await page.getByRole('dialog', { name: 'Soup' }).getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: /^My Pins/ }).click()
  // The camera stops in the middle of its movement.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
  await rowOf('Tea').click()
  const card = page.getByRole('dialog', { name: 'Tea' })
  await expect(card).toBeAttached()
  await page.clock.runFor(3000)
  await expect(card.getByRole('heading', { name: 'Tea' })).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 390, height: 500 })
  await page.clock.runFor(3000)
  await expect(card).toBeVisible()
})
