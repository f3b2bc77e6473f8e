import { type CreatePing, type Ping, respondToPing } from '@hither/contract/pings.ts'
import { arriveAtPing, shareTrip, type Trip } from '@hither/contract/trips.ts'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { call, dropPing, type Person } from '../people.ts'
import { type Meeting, startMeeting } from '../trips.ts'

const title = 'When will you get there?'
const buttonOf = (page: Page) => page.getByRole('main').getByRole('button', { name: 'On my way', exact: true })
const sheetOf = (page: Page) => page.getByRole('dialog', { name: title })
const chip = (page: Page, name: string) => sheetOf(page).getByRole('button', { name, exact: true })
const rowsOf = (page: Page, text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text })
const hourMs = 3_600_000

const setting = (base: string, fields: Partial<CreatePing> = {}) =>
  startMeeting(base, { duration_minutes: 120, ...fields })

function answer(base: string, who: Person, ping: Ping, response_type: 'accepted' | 'tentative') {
  return call(base, respondToPing, { body: { ping_id: ping.id, response_type } }, who)
}

const pathOf = ({ ping }: Meeting) => `/pins/${ping.id}`

/** The bodies of the requests by which this page starts or changes trips. */
function sharedBodies(page: Page): unknown[] {
  const bodies: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().endsWith('/trip')) bodies.push(request.postDataJSON())
  })
  return bodies
}

/** Gives the page this position. The browser itself would repeat an earlier one for a minute. */
function locateAt(page: Page, coords: { latitude: number; longitude: number; accuracy: number }): Promise<void> {
  return page.evaluate((coords) => {
    navigator.geolocation.getCurrentPosition = (found) =>
      found({ coords, timestamp: Date.now() } as GeolocationPosition)
  }, coords)
}

/** The time of day as the page shows it. */
function clockOn(page: Page, at: string): Promise<string> {
  return page.evaluate((at) => new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format(new Date(at)), at)
}

/** Expects every button of the sheet to be at least 44 pixels in both directions, and within the window. */
async function expectLargeButtons(page: Page): Promise<void> {
  const widthPx = page.viewportSize()?.width ?? 0
  for (const button of await sheetOf(page).getByRole('button').all()) {
    const { x, width, height } = (await button.boundingBox()) ?? { x: 0, width: 0, height: 0 }
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    expect(x + width).toBeLessThanOrEqual(widthPx)
  }
}

test('a friend who is going shares minutes with two taps, and the owner sees the arrival on the open page', {
  tag: '@quick',
}, async ({ baseURL, browserOf }) => {
  const all = await setting(baseURL ?? '')
  const [annPage, page] = [await browserOf(all.ann), await browserOf(all.bob)]
  for (const either of [annPage, page]) await either.goto(pathOf(all))
  const bodies = sharedBodies(page)

  await buttonOf(page).click()
  await expect(sheetOf(page)).toContainText(`Only ${all.ann.username} will see when you arrive.`)
  await expect(sheetOf(page)).toContainText('Your location stays on this device. Only the minutes are shared.')
  const names = ['5 min', '10 min', '20 min', '30 min', '45 min', 'More']
  await expect(sheetOf(page).getByRole('group', { name: title }).getByRole('button')).toHaveText(names)
  await expect(annPage.getByText("Who's coming")).toBeVisible()
  const beganMs = Date.now()
  await chip(page, '10 min').click()
  await expect(rowsOf(annPage, new RegExp(`^${all.bob.username}, arrives in 1[01] minutes, at`))).toBeVisible()
  process.stdout.write(`  the owner's page showed the trip ${Date.now() - beganMs} ms after the tap\n`)
  await expect(sheetOf(page)).toBeHidden()
  await expect(buttonOf(page)).toBeFocused()
  expect(bodies).toEqual([{ eta_minutes: 10 }])

  const own = page.getByRole('button', { name: new RegExp(`^${all.bob.username}, arrives in`) })
  await own.click()
  await chip(page, 'More').click()
  await expect(chip(page, '1 h')).toBeFocused()
  await expect(sheetOf(page).getByRole('group', { name: title }).getByRole('button')).toHaveText([
    ...names.slice(0, 5),
    ...['1 h', '1 h 30 min', '2 h', '3 h'],
  ])
  await chip(page, '1 h').click()
  await expect(rowsOf(annPage, /^.*, arrives in 1 hour( 1 minute)?, at/)).toBeVisible()
  await expect(sheetOf(page)).toBeHidden()
  await expect(own).toBeFocused()

  await call(baseURL ?? '', arriveAtPing, { params: { id: all.ping.id }, body: {} }, all.bob)
  await expect(annPage.getByRole('status').filter({ hasText: `${all.bob.username}, here since` })).toBeAttached()
  await expect(rowsOf(annPage, /here since/)).toContainText(/Here.*Since \d/)
})

test('sheet and rows have no accessibility violations, also at 320 pixels, and work by keyboard', async ({
  baseURL,
  browserOf,
}) => {
  // Axe checks two screens in two schemes.
  test.slow()
  const all = await setting(baseURL ?? '')
  const page = await browserOf(all.bob, { viewport: { width: 320, height: 640 } })
  await page.goto(pathOf(all))
  await buttonOf(page).press('Enter')
  await expect(sheetOf(page)).toBeVisible()
  await chip(page, 'More').press('Enter')
  await chip(page, 'Use my location').press('Enter')
  await expect(chip(page, 'Walk')).toBeFocused()
  await expectLargeButtons(page)
  await expectAccessible(page)

  // The sheet keeps the focus.
  for (let presses = 0; presses < 16; presses++) {
    await page.keyboard.press('Tab')
    expect(await sheetOf(page).evaluate((sheet) => sheet.contains(document.activeElement))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(sheetOf(page)).toBeHidden()
  await expect(buttonOf(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await chip(page, '20 min').press('Space')
  await expect(page.getByRole('button', { name: new RegExp(`^${all.bob.username}, arrives in`) })).toBeVisible()
  await call(baseURL ?? '', arriveAtPing, { params: { id: all.ping.id }, body: {} }, all.ann)
  await expect(rowsOf(page, /here since/)).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await expectAccessible(page)
})

test('an estimate by location looks like typed minutes, and its errors are in the sheet', async ({
  baseURL,
  browserOf,
}) => {
  const all = await setting(baseURL ?? '')
  const page = await browserOf(all.bob)
  const bodies = sharedBodies(page)
  await page.goto(pathOf(all))
  await buttonOf(page).click()
  await chip(page, 'Use my location').click()
  const problem = sheetOf(page).getByRole('alert')
  await chip(page, 'Bike').click()
  await expect(problem).toHaveText(
    'Could not get your location. Location access was denied. Please enable location permissions.',
  )
  await expect(chip(page, '10 min')).toBeEnabled()

  const { latitude, longitude } = all.ping
  const away = { latitude: latitude + 0.0072, longitude }
  await locateAt(page, { ...away, accuracy: 501 })
  await chip(page, 'Walk').click()
  await expect(problem).toHaveText("Your location isn't precise enough. Choose the minutes instead.")
  await locateAt(page, { latitude: latitude + 1, longitude, accuracy: 20 })
  await chip(page, 'Walk').click()
  await expect(problem).toHaveText("You're more than 3 hours away. You can share your arrival time later.")
  expect(bodies).toEqual([])

  // 800 m by the great circle.
  await locateAt(page, { ...away, accuracy: 20 })
  await chip(page, 'Walk').click()
  await expect(sheetOf(page)).toBeHidden()
  await expect(
    page.getByRole('button', { name: new RegExp(`^${all.bob.username}, arrives in 1[34] min`) }),
  ).toBeVisible()
  await expect.poll(() => bodies).toEqual([{ eta_minutes: 13 }])

  await page.reload()
  await buttonOf(page).click()
  await chip(page, 'Use my location').click()
  await expect(chip(page, 'Walk')).toBeFocused()
})

for (const offsetMs of [hourMs, -hourMs])
  test(`minutes and texts follow the server if the clock of the device is ${offsetMs > 0 ? 'ahead' : 'behind'} by one hour`, async ({
    baseURL,
    browserOf,
  }) => {
    const all = await setting(baseURL ?? '', { duration_minutes: 30 })
    const page = await browserOf(all.bob)
    await page.clock.install({ time: Date.now() + offsetMs })
    await page.goto(pathOf(all))
    const end = await clockOn(page, all.ping.expires_at)
    await buttonOf(page).click()
    const response = page.waitForResponse((answer) => answer.request().method() === 'PUT')
    await chip(page, '45 min').click()
    await expect(sheetOf(page).getByRole('status').first()).toHaveText(`This pin ends at ${end}, before you get there.`)
    const sent = (await (await response).json()) as Trip
    await page.keyboard.press('Escape')
    const row = page.getByRole('button', { name: new RegExp(`^${all.bob.username}, arrives in 4[56] minutes, at `) })
    await expect(row).toContainText(`Arrives ${await clockOn(page, sent.arrives_at)}`)
    expect(Math.abs(Date.parse(sent.arrives_at) - Date.now() - 45 * 60_000)).toBeLessThan(10 * 60_000)
    await row.click()
    await chip(page, '5 min').click()
    await expect(sheetOf(page)).toBeHidden()
  })

test('a refused start is undone, with its reason as a message', async ({ baseURL, browserOf, expectConsole }) => {
  expectConsole(/403/)
  const all = await setting(baseURL ?? '')
  const page = await browserOf(all.bob)
  await page.goto(pathOf(all))
  // The answer changes while the request is on its way.
  await page.route('**/api/pings/*/trip', async (route) => {
    await answer(baseURL ?? '', all.bob, all.ping, 'tentative')
    await route.continue()
  })
  await buttonOf(page).click()
  await chip(page, '10 min').click()
  await expect(page.getByRole('alert')).toContainText('Only people who are going can share their arrival time.')
  await expect(rowsOf(page, /arrives in/)).toHaveCount(0)
  await expect(buttonOf(page)).toBeHidden()
})

test('the button is offered to people who are going and to owners, unless nobody else would see it', async ({
  baseURL,
  browserOf,
}) => {
  const all = await setting(baseURL ?? '')
  const hidden = await dropPing(baseURL ?? '', all.ann, { name: 'Picnic', responses_visible: false })
  await answer(baseURL ?? '', all.bob, hidden, 'tentative')
  const [annPage, page] = [await browserOf(all.ann), await browserOf(all.bob)]
  await annPage.goto(pathOf(all))
  await buttonOf(annPage).click()
  await expect(sheetOf(annPage)).toContainText(`Only ${all.bob.username} will see when you arrive.`)
  await annPage.goto(`/pins/${hidden.id}`)
  await expect(annPage.getByText('1 Maybe')).toBeVisible()
  await expect(buttonOf(annPage)).toBeHidden()

  await page.goto(`/pins/${hidden.id}`)
  await expect(page.getByRole('button', { name: 'Maybe' })).toHaveAttribute('aria-pressed', 'true')
  await expect(buttonOf(page)).toBeHidden()
  await page.getByRole('button', { name: 'Going', exact: true }).click()
  await buttonOf(page).click()
  await chip(page, '10 min').click()
  await expect(page.getByRole('button', { name: new RegExp(`^${all.bob.username}, arrives in`) })).toBeVisible()
})

test.describe('with a map', () => {
  test.use({ pages: 'map' })

  test('the card on the map has the button, and counts who is on the way and who is here', async ({
    baseURL,
    browserOf,
  }) => {
    const all = await setting(baseURL ?? '')
    await call(baseURL ?? '', shareTrip, { params: { id: all.ping.id }, body: { eta_minutes: 12 } }, all.ann)
    const page = await browserOf(all.bob)
    await page.goto('/')
    await page.getByRole('button', { name: new RegExp(`^${all.ann.username}, Coffee at Nero`) }).click()
    const card = page.getByRole('dialog', { name: 'Coffee at Nero' })
    await expect(card.getByText('1 on the way', { exact: true })).toBeVisible()
    await card.getByRole('button', { name: 'On my way', exact: true }).click()
    await chip(page, '10 min').click()
    await expect(sheetOf(page)).toBeHidden()
    await expect(card.getByText('2 on the way', { exact: true })).toBeVisible()
    await expect(card.getByRole('button', { name: 'On my way', exact: true })).toBeFocused()
    await call(baseURL ?? '', arriveAtPing, { params: { id: all.ping.id }, body: {} }, all.ann)
    await expect(card.getByText('1 on the way, 1 here', { exact: true })).toBeVisible()
  })
})
