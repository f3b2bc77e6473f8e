import { stopTrip, type Trip } from '@hither/contract/trips.ts'
import type { BrowserContext, Page, Request } from '@playwright/test'
import { installClock } from '../fixed-clock.ts'
import { expect, test } from '../fixtures.ts'
import { call } from '../people.ts'
import { barOf, type Meeting, share, startMeeting, tripAt } from '../trips.ts'

const place = { latitude: 45.52, longitude: -122.68 }
const etaMinutes = 170

/** A position north-east of the pin. Its digits are in nothing else that the app knows. */
function positionAt(meters: number, accuracy = 20) {
  const degrees = meters / 111_195
  return {
    latitude: place.latitude + degrees * 0.8,
    longitude: place.longitude + (degrees * 0.6) / Math.cos((place.latitude * Math.PI) / 180),
    accuracy,
  }
}

/** A pin of ann in a city, and bob on the way to it. */
async function setting(base: string): Promise<Meeting & { readonly trip: Trip }> {
  const meeting = await startMeeting(base, { ...place, duration_minutes: 240 })
  return { ...meeting, trip: await share(base, meeting.bob, meeting.ping, etaMinutes) }
}

/** The page of a device that was estimating the trip by car before it was reloaded. */
async function openEstimating(page: Page, { bob, ping, trip }: Awaited<ReturnType<typeof setting>>): Promise<void> {
  await installClock(page)
  await withholdDates(page)
  await page.goto('/friends')
  await expect(barOf(page)).toBeVisible()
  const estimate = { ping_id: ping.id, started_at: trip.started_at, mode: 'drive' }
  await page.evaluate(
    async ([key, estimate]) => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const opening = indexedDB.open('hither-outbox')
        opening.onsuccess = () => resolve(opening.result)
      })
      const table = database.transaction('waiting', 'readwrite').objectStore('waiting')
      table.put([estimate], key)
      await new Promise((resolve) => {
        table.transaction.oncomplete = resolve
      })
      database.close()
    },
    [`${bob.session.user.id}:estimate`, estimate] as const,
  )
  await page.addInitScript(() => {
    const { geolocation } = navigator
    const watch = geolocation.watchPosition.bind(geolocation)
    geolocation.watchPosition = (handle, ...others) =>
      watch(
        (position) => {
          handle(position)
          Object.assign(window, { hasPosition: true })
        },
        ...others,
      )
  })
  await page.reload()
  await expect(barOf(page)).toBeVisible()
  // The first position must arrive before the test moves the clock.
  await page.waitForFunction(() => 'hasPosition' in window)
}

/**
 * Hides the Date header of responses from the page. The clock of the page is moved ahead of the server's, and any response would move the time
 * that the page takes for the server's back again.
 */
async function withholdDates(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { get } = Headers.prototype
    Headers.prototype.get = function (name) {
      return name.toLowerCase() === 'date' ? null : get.call(this, name)
    }
  })
}

/** Everything that the app has stored in this browser, as text. */
function storedBy(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }]
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const opening = indexedDB.open(name)
        opening.onsuccess = () => resolve(opening.result)
      })
      for (const table of database.objectStoreNames) {
        const objects = database.transaction(table).objectStore(table)
        for (const reading of [objects.getAllKeys(), objects.getAll()]) {
          await new Promise((resolve) => {
            reading.onsuccess = resolve
          })
          found.push(reading.result)
        }
      }
      database.close()
    }
    return JSON.stringify(found)
  })
}

/** Collects the automatic updates that the page sends. */
function updatesOf(page: Page): Request[] {
  const updates: Request[] = []
  page.on('request', (request) => {
    if (['PUT', 'POST'].includes(request.method()) && /\/trip(\/arrived)?$/.test(new URL(request.url()).pathname))
      updates.push(request)
  })
  return updates
}

/** Lets more than a minute pass, so that the next position may be used. */
async function passMinute(page: Page): Promise<void> {
  await page.clock.fastForward('01:01')
}

/** Moves the device and waits for the update that follows. */
async function moveTo(page: Page, context: BrowserContext, meters: number): Promise<Trip> {
  const answered = page.waitForResponse(
    (response) => response.url().includes('/trip') && response.request().method() !== 'GET',
  )
  await context.setGeolocation(positionAt(meters))
  return (await (await answered).json()) as Trip
}

test('a device that estimates sends minutes, and its position is in no request, frame or stored record', async ({
  baseURL,
  browserOf,
}) => {
  const base = baseURL ?? ''
  const all = await setting(base)
  const page = await browserOf(all.bob, { permissions: ['geolocation'], geolocation: positionAt(60_000) })
  const context = page.context()
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => sent.push(String(payload)))
    socket.on('framereceived', ({ payload }) => sent.push(String(payload)))
  })
  const updates = updatesOf(page)
  await openEstimating(page, all)

  const route = [45_000, 30_000, 20_000, 10_000, 4000, 60]
  for (const meters of route) {
    await passMinute(page)
    const { state } = await moveTo(page, context, meters)
    expect(state).toBe(meters > 75 ? 'en_route' : 'arrived')
  }
  await expect(barOf(page)).toBeHidden()
  expect(await tripAt(base, all)).toMatchObject({ state: 'arrived' })
  const bodies = updates.map((request) => request.postDataJSON() as object)
  const { started_at } = all.trip
  expect(bodies.slice(-route.length)).toEqual([
    ...[113, 75, 50, 25, 10].map((eta_minutes) => ({ eta_minutes, started_at })),
    { started_at },
  ])

  for (const path of ['/profile', `/pins/${all.ping.id}`]) {
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeVisible()
  }
  const traces = [...sent, await storedBy(page)].join('\n')
  expect(traces).toContain(all.ping.id)
  for (const meters of [60_000, ...route]) {
    const { latitude, longitude } = positionAt(meters)
    for (const coordinate of [latitude, longitude]) expect(traces).not.toContain(coordinate.toFixed(6).slice(0, -2))
  }
})

test('a device sends at most one update a minute, none while the page is hidden, and arrives within 75 meters', async ({
  baseURL,
  browserOf,
}) => {
  const base = baseURL ?? ''
  const all = await setting(base)
  const page = await browserOf(all.bob, { permissions: ['geolocation'], geolocation: positionAt(60_000) })
  const context = page.context()
  const updates = updatesOf(page)
  await openEstimating(page, all)

  await passMinute(page)
  await moveTo(page, context, 40_000)
  const count = updates.length
  // The next position comes within the minute, the one after it when the page is hidden.
  await context.setGeolocation(positionAt(30_000))
  await setVisibility(page, 'hidden')
  await passMinute(page)
  await context.setGeolocation(positionAt(20_000))
  await page.evaluate(() => new Promise((resolve) => navigator.geolocation.getCurrentPosition(resolve)))
  expect(updates).toHaveLength(count)
  const answered = page.waitForResponse(/\/trip$/)
  await setVisibility(page, 'visible')
  const first = await answered
  expect(first.request().postDataJSON()).toMatchObject({ eta_minutes: 50 })
  // The device ignores positions until it has the response to its last update.
  await first.finished()
  expect(updates).toHaveLength(count + 1)

  await passMinute(page)
  const answeredAgain = page.waitForResponse(/\/trip$/)
  await context.setGeolocation(positionAt(60, 150))
  await (await answeredAgain).finished()
  expect(updates).toHaveLength(count + 2)
  expect(await tripAt(base, all)).toMatchObject({ state: 'en_route' })
  await context.setGeolocation(positionAt(60, 20))
  await expect(page.getByRole('status').filter({ hasText: "You're marked as here." })).toBeVisible()
  await expect(barOf(page)).toBeHidden()
  expect(await tripAt(base, all)).toMatchObject({ state: 'arrived' })
})

async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}

test('an estimate ends when its trip ends on another device, and a later trip is not estimated', async ({
  baseURL,
  browserOf,
}) => {
  const base = baseURL ?? ''
  const all = await setting(base)
  const page = await browserOf(all.bob, { permissions: ['geolocation'], geolocation: positionAt(60_000) })
  const updates = updatesOf(page)
  await openEstimating(page, all)
  await expect.poll(() => storedBy(page)).toContain('"mode":"drive"')
  await call(base, stopTrip, { params: { id: all.ping.id } }, all.bob)
  await expect(page.getByText('Your trip to Coffee at Nero has ended.')).toBeVisible()
  await expect.poll(() => storedBy(page)).not.toContain('"mode":"drive"')

  await share(base, all.bob, all.ping, etaMinutes)
  await expect(barOf(page)).toBeVisible()
  const count = updates.length
  await passMinute(page)
  await page.context().setGeolocation(positionAt(5000))
  await page.evaluate(() => new Promise((resolve) => navigator.geolocation.getCurrentPosition(resolve)))
  expect(updates).toHaveLength(count)
})

test('minutes that the traveler chooses end the estimate, so that they stay', async ({ baseURL, browserOf }) => {
  const base = baseURL ?? ''
  const all = await setting(base)
  const page = await browserOf(all.bob, { permissions: ['geolocation'], geolocation: positionAt(60_000) })
  await openEstimating(page, all)
  await expect.poll(() => storedBy(page)).toContain('"mode":"drive"')
  await page.goto(`/pins/${all.ping.id}`)
  await page.getByRole('main').getByRole('button', { name: 'On my way', exact: true }).click()
  await page.getByRole('button', { name: '10 min', exact: true }).click()
  await expect.poll(() => storedBy(page)).not.toContain('"mode":"drive"')
  await expect.poll(async () => (await tripAt(base, all))?.state).toBe('en_route')
})

test('signing out erases what the device stored to continue its estimate', async ({ baseURL, browserOf }) => {
  const base = baseURL ?? ''
  const all = await setting(base)
  const page = await browserOf(all.bob, { permissions: ['geolocation'], geolocation: positionAt(60_000) })
  await openEstimating(page, all)
  await expect.poll(() => storedBy(page)).toContain('"mode":"drive"')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect.poll(() => storedBy(page)).not.toContain('drive')
  await expect.poll(() => tripAt(base, all)).toBeUndefined()
})
