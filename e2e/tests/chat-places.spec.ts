import { listConversationSummaries, sendMessage } from '@hither/contract/messages/messages.ts'
import type { BrowserContext, Page } from '@playwright/test'
import { makeDirect, messagesOf } from '../conversations.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { mapOf } from '../map.ts'

test.use({ pages: 'map' })

const nero = { latitude: 40.712345, longitude: -74.006789 } as const
const digits = /40\.71|74\.006/
const pickerOf = (page: Page) => page.getByRole('dialog', { name: 'Send a place' })
const cardOf = (page: Page, name: string) => page.getByRole('dialog', { name })

async function openPicker(page: Page) {
  await page.getByRole('button', { name: 'Attach' }).click()
  await page.getByRole('menuitem', { name: 'Place' }).click()
  await expect(pickerOf(page).locator('canvas')).toBeVisible()
}

/** Opens the map at this view, as if the user had left it there. */
async function leaveMapAt(context: BrowserContext, userId: string, view: { latitude: number; longitude: number }) {
  await context.addInitScript(
    (camera) => localStorage.setItem('map_camera', JSON.stringify({ ...camera, zoom: 15, at: Date.now() })),
    { user_id: userId, ...view },
  )
}

test('a found place arrives at the other person, opens on the map, can be saved and starts a pin there', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const { id } = await makeDirect(baseURL, bob, ann)
  const [page, bobPage] = [await browserOf(ann), await browserOf(bob)]
  await page
    .context()
    .route('**/api/geo/search**', (route) =>
      route.fulfill({ json: [{ name: 'Coffee at Nero', address: '1 Main Street', ...nero }] }),
    )
  await page.goto(`/chat/${id}`)
  await bobPage.goto(`/chat/${id}`)
  await openPicker(page)
  await pickerOf(page).getByRole('combobox', { name: 'Search for a place' }).fill('Nero')
  await page.getByRole('option', { name: /Coffee at Nero/ }).click()
  await expect(pickerOf(page).getByText('1 Main Street')).toBeVisible()
  await pickerOf(page).getByRole('button', { name: 'Send this place' }).click()
  await expect(pickerOf(page)).toBeHidden()
  await expect(messagesOf(page).getByRole('group', { name: 'Your place: Coffee at Nero' })).toBeVisible()

  const place = messagesOf(bobPage).getByRole('group', { name: `Place from ${ann.username}: Coffee at Nero` })
  await expect(place.getByText('1 Main Street')).toBeVisible()
  await place.getByRole('button', { name: 'Open on map' }).click()
  const card = cardOf(bobPage, 'Coffee at Nero')
  await expect(card.getByText('1 Main Street')).toBeVisible()
  await expect(card.getByRole('link', { name: 'Directions' })).toHaveAttribute('href', /40\.712345,-74\.006789/)
  await expect.poll(() => distanceOfMarker(bobPage)).toBeLessThan(10)

  await card.getByRole('button', { name: 'Save this place' }).click()
  const saving = bobPage.getByRole('dialog', { name: 'Save this place' })
  await expect(saving.getByRole('textbox', { name: /^Name/ })).toHaveValue('Coffee at Nero')
  await saving.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(bobPage.getByText('Place saved')).toBeVisible()

  await card.getByRole('button', { name: 'Drop a pin here' }).click()
  const form = bobPage.getByRole('dialog', { name: 'New pin' })
  await expect(form.getByText('40.7123, -74.0068')).toBeVisible()
  await expect(form.getByRole('textbox', { name: /^Name/ })).toHaveValue('Coffee at Nero')
})

test('opening a place on the map leaves no coordinates in the address, the history or the storage', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const { id } = await makeDirect(baseURL, bob, ann)
  await api(sendMessage, { body: { conversation_id: id, place: nero } }, bob)
  const page = await browserOf(ann)
  await page.goto('/')
  await expect(page.getByText('Loading map...')).toBeHidden()
  await page.goto(`/chat/${id}`)
  await page.getByRole('button', { name: 'Open on map' }).click()
  const card = cardOf(page, 'Place')
  await expect(card.getByText('40.7123, -74.0068')).toBeVisible()
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => JSON.stringify([history.state, location.href, sessionStorage]))).not.toMatch(digits)
  expect(await page.evaluate(() => localStorage.getItem('map_camera') ?? '')).not.toMatch(digits)
  await expect(card).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(card).toBeHidden()
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Open on map' })).toBeVisible()
  await page.goForward()
  await expect(page).toHaveURL('/')
  await expect(card).toBeHidden()
})

test('the picker opens on the last view of the map, moves by keyboard and asks for no position', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const { id } = await makeDirect(baseURL, bob, ann)
  const page = await browserOf(ann, { permissions: ['geolocation'], geolocation: { latitude: 1, longitude: 1 } })
  await leaveMapAt(page.context(), ann.session.user.id, nero)
  await page.goto(`/chat/${id}`)
  await expect(page.getByRole('button', { name: 'Attach' })).toBeVisible()
  // Home may have requested the position before, so only later requests count.
  await page.evaluate(() => {
    const counter = globalThis as unknown as { positions: number }
    counter.positions = 0
    for (const name of ['getCurrentPosition', 'watchPosition'] as const)
      navigator.geolocation[name] = (() => counter.positions++) as never
  })
  const requests: string[] = []
  page.on('request', (request) => void requests.push(request.url()))
  await openPicker(page)
  await expect(pickerOf(page).getByText('40.7123, -74.0068')).toBeVisible()
  await pickerOf(page).locator('canvas').press('ArrowUp')
  await expect(pickerOf(page).getByText('40.7123, -74.0068')).toBeHidden()
  await pickerOf(page).getByRole('button', { name: 'Send this place' }).click()
  await expect(messagesOf(page).getByRole('group', { name: 'Your place: Place' })).toBeVisible()
  await expect(messagesOf(page).getByRole('img', { name: /^(Sent|Read)$/ })).toBeAttached()
  expect(await page.evaluate(() => (globalThis as unknown as { positions: number }).positions)).toBe(0)
  // The place goes to the server only as a message.
  expect(requests.filter((url) => url.includes('/geo/'))).toEqual([])
})

test('a place that is sent offline arrives once after reconnecting, also after a restart', async ({
  api,
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/ERR_FAILED/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const { id } = await makeDirect(baseURL, bob, ann)
  const page = await browserOf(ann)
  await leaveMapAt(page.context(), ann.session.user.id, nero)
  await page.goto(`/chat/${id}`)
  await openPicker(page)
  await page.route('**/messages/send', (route) => route.abort())
  await pickerOf(page).getByRole('button', { name: 'Send this place' }).click()
  await expect(messagesOf(page).getByRole('img', { name: 'Waiting to be sent' })).toBeAttached()
  await page.reload()
  await expect(messagesOf(page).getByRole('group', { name: 'Your place: Place' })).toBeVisible()
  await page.unroute('**/messages/send')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(messagesOf(page).getByRole('img', { name: 'Waiting to be sent' })).toBeHidden()
  await expect(messagesOf(page).getByRole('group', { name: 'Your place: Place' })).toHaveCount(1)
  const [summary] = await api(listConversationSummaries, {}, bob)
  expect(summary).toMatchObject({ unread_count: 1, last_message: { content: '📍 Place', seq: 1 } })
})

test('without a map a place can still be searched by its coordinates', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/ERR_FAILED|Failed to fetch dynamically/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const { id } = await makeDirect(baseURL, bob, ann)
  const page = await browserOf(ann)
  await page.route('**/assets/maplibre-gl-*', (route) => route.abort())
  await page.goto(`/chat/${id}`)
  await page.getByRole('button', { name: 'Attach' }).click()
  await page.getByRole('menuitem', { name: 'Place' }).click()
  await expect(pickerOf(page).getByText(/^The map couldn't be loaded/)).toBeVisible()
  const send = pickerOf(page).getByRole('button', { name: 'Send this place' })
  await expect(send).toBeDisabled()
  await pickerOf(page).getByRole('combobox').fill('40.7589, -73.9851')
  await page.getByRole('option', { name: /40\.7589/ }).click()
  await send.click()
  await expect(messagesOf(page).getByRole('group', { name: 'Your place: Place' })).toBeVisible()
})

for (const { label, width, height } of [
  { label: '320 px', width: 320, height: 640 },
  { label: '1280 px', width: 1280, height: 800 },
]) {
  test(`the picker, the bubble and the card of a place are accessible at ${label}`, async ({
    api,
    baseURL,
    browserOf,
    friends,
    person,
  }) => {
    const [ann, bob] = [await person('ann'), await person('bob')]
    await friends(ann, bob)
    const { id } = await makeDirect(baseURL, bob, ann)
    const place = { ...nero, name: 'قهوة نيرو', address: '1 Main Street, New York' }
    await api(sendMessage, { body: { conversation_id: id, place, content: 'See you there' } }, bob)
    const page = await browserOf(ann, { viewport: { width, height } })
    await page.goto(`/chat/${id}`)
    await expect(page.getByRole('button', { name: 'Open on map' })).toBeVisible()
    await expectAccessible(page)
    await openPicker(page)
    await expectAccessible(page)
    for (let tab = 0; tab < 8; tab++) {
      await page.keyboard.press('Tab')
      await expect(pickerOf(page).locator(':focus')).toHaveCount(1)
    }
    await page.keyboard.press('Escape')
    await expect(pickerOf(page)).toBeHidden()
    await expect(page.getByRole('button', { name: 'Attach' })).toBeFocused()
    await page.getByRole('button', { name: 'Open on map' }).press('Enter')
    await expect(cardOf(page, place.name).getByText(place.address)).toBeVisible()
    await expect(cardOf(page, place.name)).toBeFocused()
    await expectAccessible(page)
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return { scrollWidth, clientWidth }
    })
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  })
}

/** The distance in meters between the center of the visible part of the map and the tip of the gray marker. */
async function distanceOfMarker(page: Page): Promise<number> {
  const marker = await page.locator('.shown-place').boundingBox()
  const map = await mapOf(page).boundingBox()
  const coveredPx = await page.evaluate(() => {
    const map = document.querySelector<HTMLElement>('.hither-map')
    return Number.parseFloat(map?.style.getPropertyValue('--map-inset-bottom') ?? '0')
  })
  if (marker === null || map === null) return Number.POSITIVE_INFINITY
  const dx = marker.x + marker.width / 2 - (map.x + map.width / 2)
  const dy = marker.y + marker.height - (map.y + (map.height - coveredPx) / 2)
  // Meters for one pixel at the zoom of a focused pin, whose card may then move the map to be visible.
  const metersPerPx = (40_075_016.7 * Math.cos((nero.latitude * Math.PI) / 180)) / 2 ** (16 + 9)
  return Math.hypot(dx, dy) * metersPerPx
}
