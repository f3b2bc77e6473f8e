import { login } from '@hither/contract/auth/auth.ts'
import { changePing } from '@hither/contract/pings.ts'
import { stopTrip, type Trip } from '@hither/contract/trips.ts'
import type { Page } from '@playwright/test'
import { installClock, pauseClock } from '../fixed-clock.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { call, type Person, password, storageOf } from '../people.ts'
import { startOwnServer } from '../servers.ts'
import { barOf, dropPingFor, share, startMeeting, tripAt } from '../trips.ts'

const offline = /ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket connection|Failed to load resource/
const noticeOf = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
const stopped = 'You stopped sharing your arrival time.'

/** The text with the arrival time as the page shows it. */
function barText(page: Page, name: string, { arrives_at }: Trip): Promise<string> {
  return page.evaluate(
    ([name, at]) =>
      `On your way to ${name} · arriving ${new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format(new Date(at))}`,
    [name, arrives_at] as const,
  )
}

test('the trip bar is on every signed-in screen above the navigation, and its text opens the pin', async ({
  baseURL,
  browserOf,
}) => {
  const base = baseURL ?? ''
  // Axe checks the bar three times in two schemes.
  test.slow()
  const { ann, bob, ping } = await startMeeting(base)
  const later = await dropPingFor(base, ann, bob, { name: 'Chess in the square' })
  const trip = await share(base, bob, ping)
  const page = await browserOf(bob)
  await page.goto('/friends')
  const text = await barText(page, 'Coffee at Nero', trip)
  await expect(barOf(page).getByRole('link')).toHaveText(text)
  await expect(page.getByRole('status').filter({ hasText: text })).toBeAttached()
  await share(base, bob, later, 90)
  await expect(barOf(page).getByRole('link')).toHaveText(`${text} and 1 more`)
  await expectAccessible(page)

  for (const path of ['/', '/chat', '/profile', '/friends']) {
    await page.goto(path)
    await expect(barOf(page)).toBeVisible()
    await expectFreeBar(page)
  }
  await page.setViewportSize({ width: 320, height: 640 })
  await expectFreeBar(page)
  await expectAccessible(page)

  await barOf(page).getByRole('link').press('Enter')
  await expect(page).toHaveURL(`/pins/${ping.id}`)
  await expect(page.getByRole('heading', { name: 'Coffee at Nero' })).toBeVisible()
  await expect(barOf(page)).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  const last = await page.getByRole('main').getByRole('button', { name: 'Report' }).boundingBox()
  const bar = await barOf(page).boundingBox()
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
  await expectAccessible(page)
})

/** Expects the bar directly above the navigation and below the content, with controls of at least 44 pixels. */
async function expectFreeBar(page: Page): Promise<void> {
  const boxes = async () => {
    const [main, bar, navigation] = await Promise.all([
      page.locator('#content').boundingBox(),
      barOf(page).boundingBox(),
      page.getByRole('navigation', { name: 'Main' }).boundingBox(),
    ])
    if (!main || !bar || !navigation) return null
    return [Math.round(main.y + main.height - bar.y), Math.round(bar.y + bar.height - navigation.y)]
  }
  await expect.poll(boxes).toEqual([0, 0])
  for (const control of await barOf(page).locator('a, button').all()) {
    const { width, height } = (await control.boundingBox()) ?? { width: 0, height: 0 }
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
  }
}

test('"I\'m here" marks the traveler as arrived, and Undo stops the trip within five seconds', async ({
  baseURL,
  browserOf,
}) => {
  const base = baseURL ?? ''
  const all = await startMeeting(base)
  await share(base, all.bob, all.ping)
  const page = await browserOf(all.bob)
  await installClock(page)
  await page.goto('/friends')
  await barOf(page).getByRole('button', { name: "I'm here" }).press('Enter')
  const notice = noticeOf(page, "You're marked as here.")
  await expect(notice).toBeVisible()
  await pauseClock(page)
  await expect(barOf(page)).toBeHidden()
  expect(await tripAt(base, all)).toMatchObject({ state: 'arrived' })
  await notice.getByRole('button', { name: 'Undo' }).click()
  await page.clock.resume()
  await expect(noticeOf(page, stopped)).toBeVisible()
  await expect(notice).toBeHidden()
  await expect.poll(() => tripAt(base, all)).toBeUndefined()

  await share(base, all.bob, all.ping)
  await barOf(page).getByRole('button', { name: "I'm here" }).click()
  await expect(notice).toBeVisible()
  await pauseClock(page)
  await page.clock.runFor(5000)
  await expect(notice).toBeHidden()
  expect(await tripAt(base, all)).toMatchObject({ state: 'arrived' })
})

test('Stop ends the trip without a question, here and in the profile', async ({ baseURL, browserOf }) => {
  const base = baseURL ?? ''
  const all = await startMeeting(base)
  const trip = await share(base, all.bob, all.ping)
  const page = await browserOf(all.bob)
  await page.goto('/profile')
  const list = page.getByRole('region', { name: 'Shared arrival times' })
  const text = (await barText(page, 'Coffee at Nero', trip)).replace('On your way to ', '')
  await expect(list.getByRole('listitem')).toContainText(text)
  await list.getByRole('button', { name: 'Stop sharing your arrival time at Coffee at Nero' }).click()
  await expect(noticeOf(page, stopped)).toBeVisible()
  await expect(list).toContainText("You aren't sharing an arrival time.")
  await expect(barOf(page)).toBeHidden()
  await expect.poll(() => tripAt(base, all)).toBeUndefined()

  await share(base, all.bob, all.ping)
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await barOf(page).getByRole('button', { name: 'Stop' }).click()
  await expect(list).toContainText("You aren't sharing an arrival time.")
  await expect.poll(() => tripAt(base, all)).toBeUndefined()
  // The trip was ended on this page, so its end is not reported.
  await expect(page.getByText('Your trip to Coffee at Nero has ended.')).toBeHidden()
})

test('two devices of one person show one trip, and a trip that ended otherwise is reported', async ({
  baseURL,
  browserOf,
}) => {
  const base = baseURL ?? ''
  const all = await startMeeting(base)
  const { ann, bob, ping } = all
  const session = await call(base, login, { body: { email: bob.email, password } })
  const [page, second] = [await browserOf(bob), await browserOf({ ...bob, session })]
  for (const device of [page, second]) await device.goto('/friends')
  const trip = await share(base, bob, ping)
  for (const device of [page, second])
    await expect(barOf(device).getByRole('link')).toHaveText(await barText(page, 'Coffee at Nero', trip))
  const changed = await share(base, { session }, ping, 45)
  for (const device of [page, second])
    await expect(barOf(device).getByRole('link')).toHaveText(await barText(page, 'Coffee at Nero', changed))

  await barOf(second).getByRole('button', { name: 'Stop' }).click()
  await expect(noticeOf(page, 'Your trip to Coffee at Nero has ended.')).toBeVisible()
  await expect(barOf(page)).toBeHidden()
  await expect(second.getByText('Your trip to Coffee at Nero has ended.')).toBeHidden()

  await share(base, bob, ping)
  await expect(barOf(page)).toBeVisible()
  await call(base, changePing, { params: { id: ping.id }, body: { end: true } }, ann)
  await expect(noticeOf(page, 'Your trip to Coffee at Nero has ended.')).toBeVisible()
  await expect(barOf(page)).toBeHidden()
})

test('a stop without a network is sent as soon as there is one, also after a long time', async ({
  baseURL,
  browserOf,
  expectConsole,
}) => {
  const base = baseURL ?? ''
  expectConsole(offline)
  const all = await startMeeting(base, { duration_minutes: 240 })
  await share(base, all.bob, all.ping, 60)
  const page = await browserOf(all.bob)
  await installClock(page)
  await page.goto('/friends')
  await expect(barOf(page)).toBeVisible()
  await page.context().setOffline(true)
  await barOf(page).getByRole('button', { name: 'Stop' }).click()
  await expect(noticeOf(page, stopped)).toBeVisible()
  await expect(barOf(page)).toBeHidden()
  expect(await tripAt(base, all)).toMatchObject({ state: 'en_route' })
  await page.clock.fastForward('10:00')
  expect(await tripAt(base, all)).toMatchObject({ state: 'en_route' })
  await page.context().setOffline(false)
  await expect.poll(() => tripAt(base, all)).toBeUndefined()
  await expect(page.getByText('Your trip to Coffee at Nero has ended.')).toBeHidden()
  await expect(barOf(page)).toBeHidden()
})

test('a stop during a start that gets no response is sent after the page was opened again', async ({
  baseURL,
  browserOf,
}) => {
  const base = baseURL ?? ''
  const all = await startMeeting(base)
  const page = await browserOf(all.bob)
  // The server stores the start, and the phone never learns it.
  const starts = '**/api/pings/*/trip'
  await page.route(starts, async (route) => void (await route.fetch()))
  await page.goto(`/pins/${all.ping.id}`)
  await page.getByRole('button', { name: 'On my way' }).click()
  await page.getByRole('button', { name: '10 min', exact: true }).click()
  await expect.poll(() => tripAt(base, all)).toMatchObject({ state: 'en_route' })
  await barOf(page).getByRole('button', { name: 'Stop' }).click()
  await expect(barOf(page)).toBeHidden()
  await expect.poll(() => waitingTrips(page, all.bob)).toMatchObject([{ kind: 'stop' }])

  await page.unroute(starts)
  await page.reload()
  await expect.poll(() => tripAt(base, all)).toBeUndefined()
  await expect.poll(() => waitingTrips(page, all.bob)).toEqual([])
})

/** What waits in the outbox of the trips. */
function waitingTrips(page: Page, { session }: Pick<Person, 'session'>): Promise<unknown> {
  return page.evaluate(async (key) => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('hither-outbox')
      opening.onsuccess = () => resolve(opening.result)
    })
    const found = await new Promise<unknown>((resolve) => {
      const reading = database.transaction('waiting').objectStore('waiting').get(key)
      reading.onsuccess = () => resolve(reading.result)
    })
    database.close()
    return found ?? []
  }, `${session.user.id}:trips`)
}

test.describe('with all code loaded', () => {
  test.use({ pages: 'complete' })

  test('a start without a network is sent with the remaining minutes, and dropped after two minutes', async ({
    baseURL,
    browserOf,
    expectConsole,
  }) => {
    const base = baseURL ?? ''
    expectConsole(offline)
    const all = await startMeeting(base)
    const page = await browserOf(all.bob)
    const bodies: unknown[] = []
    page.on('request', (request) => {
      if (request.method() === 'PUT' && request.url().endsWith('/trip')) bodies.push(request.postDataJSON())
    })
    await installClock(page)
    const loaded = ['TripSheet', 'TripBar'].map((name) => page.waitForResponse(new RegExp(`/assets/${name}-`)))
    await page.goto(`/pins/${all.ping.id}`)
    await Promise.all(loaded)
    await page.waitForLoadState('networkidle')
    const choose = async (minutes: string) => {
      await page.getByRole('button', { name: 'On my way', exact: true }).click()
      await page.getByRole('button', { name: minutes, exact: true }).click()
    }
    await page.context().setOffline(true)
    await choose('10 min')
    await expect(barOf(page)).toBeVisible()
    await page.clock.fastForward('01:00')
    bodies.length = 0
    await page.context().setOffline(false)
    await expect.poll(() => tripAt(base, all)).toMatchObject({ state: 'en_route' })
    // An attempt may fail just before the network is there.
    expect(new Set(bodies.map((body) => JSON.stringify(body)))).toEqual(new Set(['{"eta_minutes":9}']))

    await barOf(page).getByRole('button', { name: 'Stop' }).click()
    await expect.poll(() => tripAt(base, all)).toBeUndefined()
    await page.context().setOffline(true)
    await choose('20 min')
    await expect(barOf(page)).toBeVisible()
    await page.clock.fastForward('03:00')
    await expect(page.getByText("Your arrival time wasn't shared because you're offline.")).toBeVisible()
    await expect(barOf(page)).toBeHidden()
    bodies.length = 0
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'On my way', exact: true }).click()
    await expect(page.getByText('When will you get there?')).toBeVisible()
    expect(bodies).toEqual([])
    expect(await tripAt(base, all)).toBeUndefined()
  })
})

test('the bar returns after a reload and after the server was killed and started again', async ({
  browserOf,
  expectConsole,
}) => {
  // The server starts twice.
  test.slow()
  expectConsole(/ERR_(CONNECTION|SOCKET|EMPTY_RESPONSE|INCOMPLETE|CONTENT_LENGTH)|WebSocket connection|status of 503/)
  const server = await startOwnServer({})
  try {
    const all = await startMeeting(server.base)
    const page = await browserOf(null, { baseURL: server.base, storageState: storageOf(server.base, all.bob) })
    await page.goto('/friends')
    await share(server.base, all.bob, all.ping)
    await expect(barOf(page)).toBeVisible()
    await server.restart()
    await page.reload()
    await expect(barOf(page)).toBeVisible()
    expect(await tripAt(server.base, all)).toMatchObject({ state: 'en_route' })
    await call(server.base, stopTrip, { params: { id: all.ping.id } }, all.bob)
    await expect(barOf(page)).toBeHidden({ timeout: 30_000 })
  } finally {
    await server.stop()
  }
})
