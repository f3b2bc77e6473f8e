import { listMyPings } from '@hither/contract/pings.ts'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import {
  empireState,
  type FakeGeocoder,
  json,
  nominatimAnswer,
  photonAnswer,
  photonFeature,
  startGeocoder,
} from '../../server/src/geo/harness.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { mapOf } from '../map.ts'
import { befriend, call, dropPing, type Person, signUp, storageOf } from '../people.ts'
import { type OwnServer, startOwnServer } from '../servers.ts'

test.use({ pages: 'map' })

const toolOf = (page: Page) => page.getByRole('button', { name: 'Search for a place', exact: true })
const fieldOf = (page: Page) => page.getByRole('combobox', { name: 'Search for a place' })

/** Closes the dialog and waits for its removal, because it keeps the focus until then. */
async function closeNewPin(page: Page) {
  await newPinOf(page).getByRole('button', { name: 'Close' }).click()
  await expect(newPinOf(page)).toBeHidden()
}

async function reopenSearch(page: Page) {
  await toolOf(page).press('Enter')
  await expect(fieldOf(page)).toBeFocused()
}
const optionsOf = (page: Page) => page.getByRole('option')

/** Results of the server are highlighted right after they are shown. */
async function chooseFirst(page: Page) {
  await expect(page.getByRole('status').filter({ hasText: /\d places? found/ })).toBeAttached()
  await expect(fieldOf(page)).toHaveAttribute('aria-activedescendant', /-option-0$/)
  await page.keyboard.press('Enter')
}

const newPinOf = (page: Page) => page.getByRole('dialog', { name: 'New pin' })
const recenterOf = (page: Page) => page.getByRole('button', { name: 'Refresh and recenter map' })
const ownPositionOf = (page: Page) => page.getByRole('button', { name: 'You are here. Only you can see this.' })
const notice = 'Could not get your location. Location access was denied. Please enable location permissions.'

type BrowserOf = (person: Person, options: BrowserContextOptions) => Promise<Page>

const empireAddress = 'Empire State Building, 350 5th Avenue, New York, New York 10118, United States'
const empireStreet = photonFeature({
  type: 'street',
  name: 'Empire Street',
  city: 'Providence',
  state: 'Rhode Island',
  country: 'United States',
  countrycode: 'US',
})

/** Shows the search and the address of a new pin, which are folded. */
async function editPlace(page: Page) {
  await newPinOf(page).getByRole('button', { name: 'Search or add an address', expanded: false }).click()
}

async function findAddress(page: Page) {
  const find = newPinOf(page).getByRole('button', { name: 'Find address' })
  await expect(newPinOf(page).getByRole('button', { name: 'Search or add an address' })).toBeVisible()
  if (await find.isHidden()) await editPlace(page)
  await find.click()
}

/** Opens Home and waits for the first frame of the map, which takes long without a graphics card. */
async function open(page: Page) {
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Satellite imagery' })).toBeVisible({ timeout: 30_000 })
}

/** Opens the search with the keyboard. */
async function openSearch(page: Page) {
  await open(page)
  await toolOf(page).press('Enter')
  await expect(fieldOf(page)).toBeFocused()
}

test.describe('with a geocoder', () => {
  // Each test starts a server and renders a map without any cache.
  test.slow()

  let geocoder: FakeGeocoder
  let hither: OwnServer
  let ann: Person
  let page: Page

  async function start(browserOf: BrowserOf, service = '') {
    hither = await startOwnServer({ GEOCODER_URL: geocoder.url + service })
    ann = await signUp(hither.base, 'ann')
    page = await browserOf(ann, { baseURL: hither.base, storageState: storageOf(hither.base, ann) })
  }

  test.beforeEach(async () => {
    geocoder = await startGeocoder()
  })
  test.afterEach(async () => {
    // The page is closed before the server, because it would log errors when the server stops.
    await page.context().close()
    await hither.stop()
    await geocoder.close()
  })

  test('an address is searched, shown and pinned with the keyboard, and saved with the pin', async ({ browserOf }) => {
    await start(browserOf)
    const bob = await signUp(hither.base, 'bob')
    await befriend(hither.base, ann, bob)
    await dropPing(hither.base, bob)
    geocoder.answer = json(photonAnswer(empireStreet, empireState))
    await open(page)
    // The card of a pin is open meanwhile, and closes.
    await page
      .getByRole('region', { name: 'Friends Nearby' })
      .getByRole('button', { name: /Coffee at Nero/ })
      .first()
      .click()
    const card = page.getByRole('dialog', { name: 'Coffee at Nero' })
    await expect(card).toBeVisible()
    await toolOf(page).press('Enter')
    await expect(fieldOf(page)).toBeFocused()
    await page.keyboard.type('empire st')
    await expect(optionsOf(page)).toHaveText([
      'Empire StreetProvidence, Rhode Island, United States',
      'Empire State Building350 5th Avenue, New York, New York 10118, United States',
    ])
    await expect(page.getByRole('status').filter({ hasText: '2 places found' })).toBeAttached()
    await expectAccessible(page)
    const search = geocoder.asked.at(-1)
    expect(`${search?.path}?${search?.query}`).toBe('/api/?q=empire+st&limit=8&lang=en&lat=40.8&lon=-74')

    geocoder.answer = json(photonAnswer(empireState))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Drop a pin at Empire State Building' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(card).toBeHidden()
    await findAddress(page)
    await expect(newPinOf(page).getByText(empireAddress)).toBeVisible()
    const reverse = geocoder.asked.at(-1)
    expect(`${reverse?.path}?${reverse?.query}`).toBe('/reverse?lat=40.7484&lon=-73.9857&limit=1&lang=en')
    for (const { userAgent } of geocoder.asked) expect(userAgent).toMatch(/^Hither\/\S+ \(http:/)

    await newPinOf(page).getByLabel('Name').fill('Up there')
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^Shared with /)).toBeVisible()
    const [ping] = await call(hither.base, listMyPings, { query: {} }, ann)
    expect(ping).toMatchObject({ name: 'Up there', address: empireAddress, latitude: 40.748433 })
  })

  test('the address of a new pin can be edited or left out, and is reset when another place is searched', async ({
    browserOf,
  }) => {
    await start(browserOf)
    await befriend(hither.base, ann, await signUp(hither.base, 'bob'))
    geocoder.answer = json(photonAnswer(empireState))
    await open(page)
    await mapOf(page).press('Enter')
    const field = newPinOf(page).getByLabel('Address (optional)')
    await findAddress(page)
    await expect(field).toHaveValue(/^near Empire State Building/)
    await field.fill('Second table by the window')
    await newPinOf(page).getByLabel('Name', { exact: true }).fill('Up there')
    await newPinOf(page).getByRole('button', { name: 'Search for a place' }).press('Enter')
    await page.keyboard.type('empire')
    await expect(optionsOf(page)).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(fieldOf(page)).toBeHidden()
    await expect(field).toHaveValue('Second table by the window')
    await newPinOf(page).getByRole('button', { name: 'Search for a place' }).press('Enter')
    await page.keyboard.type('empire')
    await expect(optionsOf(page)).toHaveCount(1)
    // Until the results of the new text arrive, Enter neither chooses an old one nor sends the form.
    const asked = Promise.withResolvers<() => void>()
    geocoder.answer = (...call) => asked.resolve(() => json(photonAnswer(empireState))(...call))
    await page.keyboard.type(' st')
    const respond = await asked.promise
    await page.keyboard.press('Enter')
    geocoder.answer = json(photonAnswer(empireState))
    respond()
    await chooseFirst(page)
    await expect(field).toHaveValue('')
    await findAddress(page)
    await expect(field).toHaveValue(empireAddress)
    await expectAccessible(page)
    await newPinOf(page).getByRole('button', { name: 'Remove address' }).click()
    await expect(field).toHaveValue('')
    await newPinOf(page).getByLabel('Name', { exact: true }).press('Enter')
    await expect(page.getByText(/^Shared with /)).toBeVisible()
    const [ping] = await call(hither.base, listMyPings, { query: {} }, ann)
    expect(ping).toMatchObject({ address: null, latitude: 40.748433 })
  })

  test('the position of the device is sent only for an address lookup or with the pin', async ({ browserOf }) => {
    await start(browserOf)
    await befriend(hither.base, ann, await signUp(hither.base, 'bob'))
    await page.context().grantPermissions(['geolocation'])
    await page.context().setGeolocation({ latitude: 40.7033, longitude: -74.017 })
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
    const withPosition = () => sent.filter((text) => /40\.70|-74\.01/.test(text))
    geocoder.answer = json(photonAnswer(empireState))
    await page.goto('/?new=1')
    await expect(newPinOf(page).getByText('Where you are now')).toBeVisible()
    await editPlace(page)
    await newPinOf(page).getByRole('button', { name: 'Search for a place' }).press('Enter')
    // One change of the text is one search, however slow the machine is.
    await page.keyboard.insertText('empire')
    await expect(optionsOf(page)).toHaveCount(1)
    expect(geocoder.asked.map(({ query }) => query.has('lat'))).toEqual([false])
    await page.keyboard.press('Escape')
    await expect(fieldOf(page)).toBeHidden()
    await closeNewPin(page)
    expect(withPosition()).toEqual([])
    expect(geocoder.asked.filter(({ path }) => path === '/reverse')).toEqual([])

    await page.goto('/?new=1')
    await expect(newPinOf(page).getByText('Where you are now')).toBeVisible()
    await findAddress(page)
    await expect(newPinOf(page).getByLabel('Address (optional)')).toHaveValue(/^near Empire State Building/)
    expect(geocoder.asked.filter(({ path }) => path === '/reverse')).toHaveLength(1)
  })

  test('Nominatim finds a place, and is not requested during typing', async ({ browserOf }) => {
    await start(browserOf, '/#nominatim')
    geocoder.answer = json(nominatimAnswer)
    await openSearch(page)
    await page.keyboard.type('52.517, 13.3889')
    await expect(optionsOf(page)).toHaveText(['52.5170, 13.3889Coordinates'])
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Drop a pin at 52.5170, 13.3889' })).toBeFocused()
    await page.keyboard.press('Enter')
    await findAddress(page)
    await expect(newPinOf(page).getByText('Unter den Linden 77, 10117 Berlin, Germany')).toBeVisible()
    await closeNewPin(page)
    await reopenSearch(page)
    await page.keyboard.type('hoboken')
    await expect(optionsOf(page).first()).toHaveText('HobokenNew Jersey, US')
    expect(geocoder.asked.map(({ path }) => path)).toEqual(['/reverse'])
  })

  for (const { failure, answer } of [
    { failure: 'answers 503', answer: json({}, 503) },
    { failure: 'answers with a page', answer: json('<p>Sign in</p>') },
    { failure: 'hangs up', answer: ((_, response) => response.destroy()) as FakeGeocoder['answer'] },
  ])
    test(`a geocoder that ${failure} is replaced by towns`, async ({ browserOf }) => {
      await start(browserOf)
      geocoder.answer = answer
      await openSearch(page)
      await page.keyboard.type('hobok')
      await expect(optionsOf(page).first()).toHaveText('HobokenNew Jersey, US')
      await page.keyboard.press('Escape')
      await mapOf(page).press('Enter')
      await findAddress(page)
      await expect(newPinOf(page).getByText(/^near .*, New York, US$/)).toBeVisible()
      expect(new Set(geocoder.asked.map(({ path }) => path))).toEqual(new Set(['/api/', '/reverse']))
    })
})

test('without a geocoder, towns are found by prefix and by position', async ({ browserOf, person }) => {
  const page = await browserOf(await person('ann'))
  await openSearch(page)
  await page.keyboard.type('paris, tex')
  await expect(optionsOf(page)).toHaveText(['ParisTexas, US'])
  await chooseFirst(page)
  await expect(page.getByRole('button', { name: 'Drop a pin at Paris' })).toBeFocused()
  await page.keyboard.press('Enter')
  await editPlace(page)
  await expect(newPinOf(page).getByText('Find address sends this place to this server only.')).toBeVisible()
  await findAddress(page)
  await expect(newPinOf(page).getByText('near Paris, Texas, US')).toBeVisible()
  await closeNewPin(page)
  await reopenSearch(page)
  await page.keyboard.type('xyzzy')
  await expect(page.getByText('No places found', { exact: true }).first()).toBeVisible()
  // Escape closes the list first and then the search, and restores the focus.
  await page.keyboard.press('Escape')
  await expect(fieldOf(page)).toBeHidden()
  await expect(toolOf(page)).toBeFocused()
})

test('offline, a place shows its coordinates, and a search shows an error', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/ERR_FAILED/)
  const page = await browserOf(await person('ann'))
  await page.route('**/api/geo/**', (route) => route.abort())
  await open(page)
  await mapOf(page).press('Enter')
  await findAddress(page)
  await expect(newPinOf(page).getByText('No address found here')).toBeVisible()
  await expect(newPinOf(page).getByText(/^40\.\d{4}, -73\.\d{4}$/)).toBeVisible()
  await closeNewPin(page)
  await reopenSearch(page)
  await page.keyboard.type('hoboken')
  const failure = "Place search isn't available right now. Coordinates such as 40.7589, -73.9851 still work."
  await expect(page.getByText(failure).first()).toBeVisible()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('48.8566, 2.3522')
  await expect(optionsOf(page)).toHaveText(['48.8566, 2.3522Coordinates'])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Drop a pin at 48.8566, 2.3522' })).toBeFocused()
})

test('Enter chooses exactly the coordinates that were typed right before it', async ({ browserOf, person }) => {
  const page = await browserOf(await person('ann'))
  await openSearch(page)
  for (const typed of ['48.8566, 2.3522', '48.8566, 2.3529', '-33.8568, 151.2153']) {
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: /^Drop a pin at/ })).toHaveText(`Drop a pin at ${typed}`)
    // The button takes the focus in the next frame.
    await expect(page.getByRole('button', { name: /^Drop a pin at/ })).toBeFocused()
    await fieldOf(page).focus()
  }
})

test('a denied geolocation permission leaves the map unchanged, and the position is requested again when it is granted', async ({
  browserOf,
  person,
}) => {
  const page = await browserOf(await person('ann'))
  await open(page)
  await recenterOf(page).press('Enter')
  const dialog = page.getByRole('dialog').filter({ hasText: notice })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(ownPositionOf(page)).toBeHidden()

  await page.context().grantPermissions(['geolocation'])
  await page.context().setGeolocation({ latitude: 40.7033, longitude: -74.017 })
  await recenterOf(page).press('Enter')
  await expect(ownPositionOf(page)).toBeInViewport()
  await mapOf(page).press('Enter')
  await findAddress(page)
  await expect(newPinOf(page).getByText(/^near /)).toBeVisible()
})

test('a page without HTTPS explains why geolocation is unavailable', async ({ browser }) => {
  const hither = await startOwnServer({})
  try {
    const page = await insecurePage(browser, hither.base)
    await open(page)
    await recenterOf(page).click()
    await expect(page.getByRole('dialog').getByText(/only over a secure connection \(https\)/)).toBeVisible()
    await page.context().close()
  } finally {
    await hither.stop()
  }
})

/** Opens the server by a host name that browsers treat as insecure. `127.0.0.1` is a secure context. */
async function insecurePage(browser: Browser, base: string): Promise<Page> {
  const address = base.replace('127.0.0.1', '0.0.0.0')
  const storageState = storageOf(address, await signUp(base, 'ann'))
  const context = await browser.newContext({ baseURL: address, storageState, permissions: ['geolocation'] })
  return context.newPage()
}
