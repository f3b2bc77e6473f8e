import { approveGuest } from '@hither/contract/guests.ts'
import type { PingId } from '@hither/contract/ids.ts'
import { type CreatePing, changePing, getPing, listMyPings, respondToPing } from '@hither/contract/pings.ts'
import type { Page } from '@playwright/test'
import { databasesOn } from '../device-databases.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { dropPing, type Person } from '../people.ts'

test.use({ pages: 'map' })

/** The area of this place has the center 40.755, -73.986799. */
const exact = { latitude: 40.758912, longitude: -73.985123, address: '1564 Broadway' } as const
const exactDigits = /758912|985123|1564 Broadway/
const somewhere = /^Somewhere near .+, New York, US$/
const showsWhenGoing = 'The exact place shows when you answer Going.'

const mapOf = (page: Page) => page.getByRole('img', { name: /^Map: / })
const activateOf = (page: Page) => page.getByRole('button', { name: 'Tap to move the map' })
const goingOf = (page: Page) => page.getByRole('button', { name: 'Going', exact: true })
const maybeOf = (page: Page) => page.getByRole('button', { name: 'Maybe', exact: true })
const directionsOf = (page: Page) => page.getByRole('link', { name: 'Directions' })
const newPinOf = (page: Page) => page.getByRole('dialog', { name: 'New pin' })

async function expectArea(page: Page) {
  await expect(page.getByText(somewhere)).toBeVisible()
  await expect(page.getByText(/^Within about 1 km$/)).toBeVisible()
  await expect(directionsOf(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Add to calendar' })).toBeHidden()
  expect(await page.content()).not.toMatch(exactDigits)
}

async function expectExact(page: Page) {
  await expect(page.getByText(exact.address)).toBeVisible()
  await expect(page.getByText(somewhere)).toBeHidden()
  await expect(directionsOf(page)).toHaveAttribute('href', /40\.758912,-73\.985123/)
}

/** Records the bodies of all responses of the server, and the addresses of all requests. */
function recordTraffic(page: Page): string[] {
  const seen: string[] = []
  page.on('request', (request) => void seen.push(request.url()))
  page.on('response', async (response) => {
    if (response.url().includes('/api/')) seen.push(await response.text().catch(() => ''))
  })
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => void seen.push(String(payload))))
  return seen
}

/** Everything that the page has stored on the device, as text. */
async function storedOn(page: Page): Promise<string> {
  const storages = await page.evaluate(() => [JSON.stringify(localStorage), JSON.stringify(sessionStorage)])
  return [...storages, await databasesOn(page)].join('\n')
}

/** Waits for the first frame of the map, which takes long without a graphics card. */
async function expectMap(page: Page) {
  await expect(mapOf(page)).toBeVisible({ timeout: 30_000 })
}

const kilometers = { locale: 'en-AU' } as const

test('the exact place shows on all devices of an invitee who is going, and the area after the answer is changed', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  test.slow()
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const activates_at = new Date(Date.now() + 3_600_000).toISOString()
  const ping = await dropPing(baseURL ?? '', ann, { ...exact, activates_at, exact_place_for: 'going' })
  const [page, other] = [await browserOf(bob, kilometers), await browserOf(bob, kilometers)]
  const seen = recordTraffic(page)
  for (const one of [page, other]) {
    await one.goto(`/pins/${ping.id}`)
    await expectArea(one)
    await expect(one.getByText(showsWhenGoing)).toBeVisible()
  }
  await expect(mapOf(page)).toHaveAccessibleName(/^Map: somewhere near [^,]+, within about 1 km$/)
  expect(seen.join('\n')).not.toMatch(exactDigits)

  await goingOf(page).click()
  for (const one of [page, other]) await expectExact(one)
  const status = page.getByRole('status').filter({ hasText: 'You can see the exact place now.' })
  await expect(status).toBeVisible()
  await expect(mapOf(page)).toHaveAccessibleName('Map: 1564 Broadway')
  await expect(page.getByRole('button', { name: 'Add to calendar' })).toBeVisible()
  await expect.poll(() => storedOn(other)).toMatch(exactDigits)

  await maybeOf(page).click()
  for (const one of [page, other]) {
    await expectArea(one)
    await expect.poll(() => storedOn(one)).not.toMatch(exactDigits)
  }
  await expect(page.getByText('You can see the exact place now.')).toBeHidden()
  const calendar = await fetch(`${baseURL}/api/pings/${ping.id}/calendar.ics`, {
    headers: { authorization: `Bearer ${bob.session.access_token}` },
  })
  expect(calendar.status).toBe(403)

  // The owner always sees the exact place.
  const own = await api(getPing, { params: { id: ping.id } }, ann)
  expect(own).toMatchObject({ ...exact, place_radius_m: null })
})

test('when a pin ends, the area replaces the exact place on the page of an invitee, and stays exact for the owner', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann, { ...exact, exact_place_for: 'invited' })
  const [annPage, page] = [await browserOf(ann, kilometers), await browserOf(bob, kilometers)]
  for (const one of [annPage, page]) {
    await one.goto(`/pins/${ping.id}`)
    await expectExact(one)
  }
  await api(respondToPing, { body: { ping_id: ping.id, response_type: 'accepted' } }, bob)
  await api(changePing, { params: { id: ping.id }, body: { end: true } }, ann)
  for (const one of [annPage, page]) {
    await expect(one.getByText('This ping has expired.')).toBeVisible()
    await expect(mapOf(one)).toBeHidden()
    await expect(one.getByRole('link', { name: 'Open on the map' })).toBeHidden()
  }
  await expect(page.getByText(somewhere)).toBeVisible()
  await expect.poll(() => storedOn(page)).not.toMatch(exactDigits)
  await expect(annPage.getByText(exact.address)).toBeVisible()
})

test('a visitor sees the exact place only after the answer Going, and no request before contains it', async ({
  baseURL,
  browserOf,
  person,
}) => {
  const ann = await person('ann')
  const ping = await dropPing(baseURL ?? '', ann, {
    ...exact,
    ...{ is_public: true, guest_policy: 'open', exact_place_for: 'going' },
  })
  const ownPage = await browserOf(ann, kilometers)
  await ownPage.goto(`/pins/${ping.id}`)
  const known = ownPage.getByRole('region', { name: 'Who has seen the exact place' })
  await expectExact(ownPage)
  const page = await browserOf(null, kilometers)
  const seen = recordTraffic(page)
  await page.goto(`/pins/${ping.id}`)
  await expectArea(page)
  await expect(page.getByText(showsWhenGoing)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open on the map' })).toBeHidden()
  await expect(activateOf(page)).toBeVisible()
  await expectAccessible(page)
  await maybeOf(page).click()
  await page.getByLabel('Your name').fill('Mia')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('heading', { name: 'Maybe' })).toBeVisible()
  await expectArea(page)
  expect(seen.join('\n')).not.toMatch(exactDigits)

  await page.getByRole('button', { name: 'Change' }).click()
  await goingOf(page).click()
  await page.getByRole('button', { name: 'Send' }).click()
  await expectExact(page)
  await expect(page.getByText('You can see the exact place now.')).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expectExact(page)
  // It was visible before.
  await expect(page.getByText('You can see the exact place now.')).toBeHidden()
  await expect(known).toContainText('Mia (guest)')
  await page.getByRole('button', { name: 'Remove response' }).click()
  await expectArea(page)
  await expect(ownPage.getByText('No guests yet')).toBeVisible()
  await expect(known).toContainText('Mia (guest)')
  await expectAccessible(ownPage)
})

test('a guest who waits for approval sees the area, and the exact place after the approval', async ({
  api,
  baseURL,
  browserOf,
  person,
}) => {
  const [ann, eve] = [await person('ann'), await person('eve')]
  const ping = await dropPing(baseURL ?? '', ann, {
    ...exact,
    ...{ is_public: true, guest_policy: 'approval', exact_place_for: 'going' },
  })
  const [page, evePage] = [await browserOf(null, kilometers), await browserOf(eve, kilometers)]
  for (const one of [page, evePage]) {
    await one.goto(`/pins/${ping.id}`)
    await goingOf(one).click()
  }
  await page.getByLabel('Your name').fill('Mia')
  await page.getByRole('button', { name: 'Send' }).click()
  for (const one of [page, evePage]) {
    await expect(one.getByText(`${ann.username} shares the exact place after approving your response.`)).toBeVisible()
    await expectArea(one)
  }
  for (const guest of await guestsOf(ping.id, ann))
    await api(approveGuest, { params: { id: ping.id, guestId: guest.id } }, ann)
  // The page reads the response every 10 seconds.
  for (const one of [page, evePage]) {
    await expect(one.getByText('You can see the exact place now.')).toBeVisible()
    await expectExact(one)
  }

  async function guestsOf(id: PingId, owner: Person) {
    const own = await api(getPing, { params: { id } }, owner)
    return own.access === 'owner' ? own.guests : []
  }
})

test('a pin for invited friends shows visitors and strangers the area and why, and an invitee the exact place', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, eve] = [await person('ann'), await person('bob'), await person('eve')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann, {
    ...exact,
    ...{ is_public: true, guest_policy: 'off', exact_place_for: 'invited', area_km: 5 },
  })
  const [visitor, stranger] = [await browserOf(null, kilometers), await browserOf(eve, kilometers)]
  for (const one of [visitor, stranger]) {
    await one.goto(`/pins/${ping.id}`)
    await expect(one.getByText(`Only people ${ann.username} invited can see the exact place.`)).toBeVisible()
    await expect(one.getByText('Within about 5 km', { exact: true })).toBeVisible()
    await expect(directionsOf(one)).toBeHidden()
  }
  const page = await browserOf(bob, { locale: 'en-US' })
  await page.goto(`/pins/${ping.id}`)
  await expectExact(page)
})

test('the map moves only after a tap, until Escape or a tap outside of it, and leads to the pin on Home', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  test.slow()
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann, { ...exact, exact_place_for: 'going' })
  const page = await browserOf(bob, kilometers)
  await page.goto(`/pins/${ping.id}`)
  await expectMap(page)
  const canvas = page.locator('.maplibregl-canvas')
  const zoomIn = page.getByRole('button', { name: 'Zoom in' })
  await activateOf(page).focus()
  await page.keyboard.press('Tab')
  await expect(canvas).not.toBeFocused()
  await expect(page.getByText('Natural Earth')).toBeVisible()

  await activateOf(page).press('Enter')
  await expect(canvas).toBeFocused()
  await expect(canvas).toHaveAccessibleName(/^Map: somewhere near /)
  await expect(zoomIn).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(activateOf(page)).toBeFocused()
  await expect(zoomIn).toBeHidden()
  await activateOf(page).click()
  await expect(zoomIn).toBeVisible()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(zoomIn).toBeHidden()

  await page.getByRole('link', { name: 'Open on the map' }).click()
  await expect(page).toHaveURL('/')
  const card = page.getByRole('dialog', { name: 'Coffee at Nero' })
  await expect(card.getByText(somewhere)).toBeVisible({ timeout: 30_000 })
  await expect(card.getByText('Within about 1 km')).toBeVisible()
  await expect(card.getByText(showsWhenGoing)).toBeVisible()
  await expect(card.getByRole('link', { name: 'Directions' })).toBeHidden()
  const marker = page.getByRole('button', {
    name: new RegExp(`^${ann.username}, Coffee at Nero, near [^,]+, (30|29) minutes left$`),
  })
  await expect(marker).toHaveClass(/pin-area/)
  await expect(page.getByRole('listitem').filter({ hasText: 'Coffee at Nero' }).getByText(somewhere)).toBeAttached()
  await card.getByRole('button', { name: 'Going' }).click()
  await expect(
    page.getByRole('button', { name: new RegExp(`^${ann.username}, Coffee at Nero, [^,]+ left$`) }),
  ).not.toHaveClass(/pin-area/)
  await expect(card.getByText('You can see the exact place now.')).toBeVisible()
  await expect(card.getByRole('link', { name: 'Directions' })).toBeVisible()
  // The camera of the map is at the exact place.
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(exactDigits)
})

for (const [width, height] of [
  [320, 640],
  [390, 844],
  [1280, 800],
] as const)
  test(`at ${width} × ${height} the map has its space below the heading, without layout shifts or scrolling sideways`, async ({
    baseURL,
    browserOf,
    person,
  }) => {
    test.slow()
    const ann = await person('ann')
    const ping = await dropPing(baseURL ?? '', ann, {
      ...exact,
      is_public: true,
      guest_policy: 'open',
      exact_place_for: 'going',
    })
    const page = await browserOf(null, { ...kilometers, viewport: { width, height } })
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
          if (!entry.hadRecentInput) window.name = String(Number(window.name) + entry.value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(`/pins/${ping.id}`)
    await expectMap(page)
    await expect(mapOf(page)).toHaveCSS('height', '240px')
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    expect(await page.evaluate(() => Number(window.name))).toBeLessThanOrEqual(0.02)
    const [engineMs, paintedMs] = await page.evaluate(() => [
      performance.getEntriesByType('resource').find(({ name }) => name.includes('/assets/maplibre-gl-'))?.startTime ??
        0,
      performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    ])
    expect(engineMs).toBeGreaterThan(paintedMs ?? 0)
  })

test('without WebGL, without the map engine or with Save-Data, all texts are there and a button offers the map', async ({
  baseURL,
  browserOf,
  expectConsole,
  person,
}) => {
  // Three maps are drawn, one after another.
  test.slow()
  expectConsole(/WebGL/, /ERR_FAILED/)
  const ann = await person('ann')
  const ping = await dropPing(baseURL ?? '', ann, {
    ...exact,
    is_public: true,
    guest_policy: 'open',
    exact_place_for: 'going',
  })
  const retryOf = (page: Page) => page.getByRole('button', { name: 'Retry' })

  const withoutWebGl = await browserOf(null, kilometers)
  await withoutWebGl.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
      return kind.startsWith('webgl') ? null : Reflect.apply(original, this, [kind, ...rest])
    } as typeof original
  })
  await withoutWebGl.goto(`/pins/${ping.id}`)
  await expect(retryOf(withoutWebGl)).toBeVisible({ timeout: 30_000 })
  await expectArea(withoutWebGl)

  const blocked = await browserOf(null, kilometers)
  await blocked.route('**/assets/maplibre-gl-*', (route) => route.abort())
  await blocked.goto(`/pins/${ping.id}`)
  await expect(blocked.getByText("The map couldn't be loaded.")).toBeVisible({ timeout: 30_000 })
  await expectArea(blocked)
  await expectAccessible(blocked)
  await blocked.unroute('**/assets/maplibre-gl-*')
  await retryOf(blocked).click()
  await expectMap(blocked)

  const saving = await browserOf(null, kilometers)
  await saving.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  const engines: string[] = []
  saving.on(
    'request',
    (request) => void (request.url().includes('/assets/maplibre-gl-') && engines.push(request.url())),
  )
  await saving.goto(`/pins/${ping.id}`)
  await expectArea(saving)
  const show = saving.getByRole('button', { name: 'Show map' })
  await expect(show).toBeVisible()
  expect(engines).toEqual([])
  await show.click()
  await expectMap(saving)
})

test('allowing responses with an exact place for people who are going offers the approval, and warns about anyone', async ({
  api,
  baseURL,
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 409/)
  const ann = await person('ann')
  const ping = await dropPing(baseURL ?? '', ann, { is_public: true, exact_place_for: 'going', guest_policy: 'off' })
  const page = await browserOf(ann)
  await page.goto(`/pins/${ping.id}`)
  await page.getByRole('button', { name: 'Allow responses' }).click()
  const dialog = page.getByRole('dialog', { name: 'Who can respond with the link' })
  await expect(dialog.getByRole('radio', { name: 'Anyone, after I approve' })).toBeChecked()
  const warning = dialog.getByText('Anyone with the link can see the exact place by answering Going.')
  await expect(warning).toBeHidden()
  await dialog.getByRole('radio', { name: 'Anyone', exact: true }).check()
  await expect(warning).toBeVisible()

  // Saving asks again if the pin was changed on another device meanwhile.
  await dialog.getByRole('radio', { name: 'Anyone, after I approve' }).check()
  await api(changePing, { params: { id: ping.id }, body: { name: 'Supper' } }, ann)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/^This pin was changed on another device\./)).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Who can respond with the link: Anyone, after I approve')).toBeVisible()
})

test('an invitee who is offline sees the last place, and a waiting answer does not show the exact place', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/ERR_INTERNET_DISCONNECTED/, /Worker failed to load/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann, { ...exact, exact_place_for: 'going' })
  const page = await browserOf(bob, kilometers)
  await page.goto(`/pins/${ping.id}`)
  await expectArea(page)
  await page.context().setOffline(true)
  await goingOf(page).click()
  await expect(page.getByText('Waiting to be sent')).toBeVisible()
  await expectArea(page)
  await page.context().setOffline(false)
  await expectExact(page)
})

test('a new pin says who sees its exact place and what all others see', async ({ api, browserOf, friends, person }) => {
  test.slow()
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann, { ...kilometers, permissions: ['geolocation'], geolocation: exact })
  const sent: string[] = []
  page.on('request', (request) => void sent.push(`${request.url()} ${request.postData() ?? ''}`))
  await page.goto('/?new=1')
  const dialog = newPinOf(page)
  await expect(dialog.getByText('Where you are now')).toBeVisible()
  const choice = dialog.getByRole('group', { name: 'Who sees the exact place' })
  const size = dialog.getByRole('group', { name: 'Area size' })
  const status = dialog.getByRole('status')
  await expect(choice.getByRole('radio')).toHaveCount(2)
  await expect(choice.getByRole('radio', { name: 'Friends I invite' })).toBeChecked()
  await expect(size).toBeHidden()

  await choice.getByRole('radio', { name: 'Only people who are going' }).check()
  await expect(status.getByText(/^Friends see “near .+, New York, US” until they're going\.$/)).toBeVisible()
  await expect(status.getByText('People who were going may remember the place.')).toBeVisible()
  await expect(size.getByRole('radio', { name: 'Within about 1 km' })).toBeChecked()
  await size.getByRole('radio', { name: 'Within about 5 km' }).check()

  await dialog.getByRole('button', { name: 'Advanced options' }).click()
  await dialog.getByRole('switch', { name: 'Public link' }).check()
  await expect(dialog.getByText('Anyone with the link sees this name.')).toBeVisible()
  await expect(choice.getByRole('radio')).toHaveCount(3)
  await expect(status.getByText(/^People with the link see “near .+, New York, US”\.$/)).toBeVisible()
  const policy = dialog.getByRole('group', { name: 'Who can respond with the link' })
  await expect(policy.getByRole('radio', { name: 'Anyone, after I approve' })).toBeChecked()
  const warning = status.getByText('Anyone with the link can see the exact place by answering Going.')
  await expect(warning).toBeHidden()
  await policy.getByRole('radio', { name: 'Anyone', exact: true }).check()
  await expect(warning).toBeVisible()
  await expectAccessible(page)
  await choice.getByRole('radio', { name: 'Anyone with the link' }).check()
  await expect(size).toBeHidden()
  await expect(warning).toBeHidden()
  // A public link that is switched on again keeps the exact place for invited friends.
  const link = dialog.getByRole('switch', { name: 'Public link' })
  await link.uncheck()
  await link.check()
  await expect(choice.getByRole('radio', { name: 'Friends I invite' })).toBeChecked()
  expect(sent.join('\n')).not.toMatch(exactDigits)

  await dialog.getByLabel('Name').fill('Supper')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Shared with /)).toBeVisible()
  const [ping] = await api(listMyPings, { query: {} }, ann)
  const expected: Partial<CreatePing> = {
    exact_place_for: 'invited',
    area_km: 5,
    is_public: true,
    guest_policy: 'open',
  }
  expect(ping).toMatchObject({ ...expected, latitude: exact.latitude, place_radius_m: null })
})
