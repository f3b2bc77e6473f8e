import { changePing, createPing } from '@hither/contract/pings.ts'
import type { Locator, Page } from '@playwright/test'
import { taggedPicture } from '../../server/test/pictures.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { withoutLiveChannel } from '../live-frames.ts'
import { mapOf, tapMap } from '../map.ts'
import { dropPing } from '../people.ts'
import { recordTexts } from '../recorded-texts.ts'

test.use({ pages: 'map' })

const refusedLocation = 'Could not get your location. Location access was denied. Please enable location permissions.'
const battery = { latitude: 40.7033, longitude: -74.017 }

const addButtonOf = (page: Page) => page.getByRole('button', { name: 'Drop a pin' })
const newPinOf = (page: Page) => page.getByRole('dialog', { name: 'New pin' })
const noticeOf = (page: Page) => page.getByRole('dialog', { name: 'Location services are off' })
const myPinsOf = (page: Page) => page.getByRole('button', { name: 'My Pins' })

/** Opens the dialog of a new pin by clicking the map. */
async function beginPin(page: Page): Promise<Locator> {
  await page.goto('/')
  await tapMap(page)
  await expect(newPinOf(page)).toBeVisible()
  return newPinOf(page)
}

/** The value of a date and time field this many minutes from now, in the time zone of the browser. */
function localTimeIn(minutes: number): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'America/New_York',
    dateStyle: 'short',
    timeStyle: 'short',
  })
  return format.format(Date.now() + minutes * 60_000).replace(' ', 'T')
}

/** Occupies the database of the outbox until the window gets the event `release-outbox`. */
async function blockOutbox(): Promise<void> {
  const opening = indexedDB.open('hither-outbox')
  await new Promise((resolve) => opening.addEventListener('success', resolve))
  const store = opening.result.transaction('waiting', 'readwrite').objectStore('waiting')
  let isBlocked = true
  addEventListener('release-outbox', () => {
    isBlocked = false
  })
  await new Promise<void>((resolve) => {
    function block() {
      resolve()
      if (isBlocked) store.count().addEventListener('success', block)
    }
    store.count().addEventListener('success', block)
  })
}

test('both lists show that they are empty for a user without pins and friends', async ({ browserOf, person }) => {
  const page = await browserOf(await person('ann'))
  await page.goto('/')
  await expect(page.getByText('No current pins')).toBeVisible()
  await expect(page.getByText('No friends are sharing any pins nearby')).toBeAttached()
  await expect(page.getByText("You haven't created any pings yet")).toBeHidden()
  await myPinsOf(page).click()
  await expect(page.getByText("You haven't created any pings yet")).toBeVisible()
  await expect(myPinsOf(page)).toHaveAttribute('aria-expanded', 'true')
})

test('a failed load of the pins shows an error in each list, and a retry works', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 400/)
  const page = await browserOf(await person('ann'))
  // Without live changes the page does not refetch by itself.
  await withoutLiveChannel(page)
  const addresses = [/\/api\/pings\/\?/, '**/api/pings/my-pings']
  for (const address of addresses)
    await page.route(address, (route) => route.fulfill({ status: 400, json: { detail: 'Bad request' } }))
  await page.goto('/')
  await myPinsOf(page).click()
  await expect(page.getByText('Failed to load pings')).toBeVisible()
  await expect(page.getByText('Failed to load your pings')).toBeVisible()
  for (const address of addresses) await page.unroute(address)
  // In this order: the first steps, shown with an empty list of friends' pins, would load the person's own pins again by themselves.
  await page.getByRole('button', { name: 'Retry' }).first().click()
  await expect(page.getByText("You haven't created any pings yet")).toBeVisible()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('No friends are sharing any pins nearby')).toBeVisible()
})

test('a failed refresh says so, and the pins stay', async ({ baseURL, browserOf, expectConsole, friends, person }) => {
  expectConsole(/status of 400/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  await dropPing(baseURL ?? '', ann)
  const page = await browserOf(bob)
  await page.goto('/')
  const row = page.getByRole('region', { name: 'Friends Nearby' }).getByText('Coffee at Nero')
  await expect(row).toBeVisible()
  await page.route(/\/api\/pings\/\?/, (route) => route.fulfill({ status: 400, json: { detail: 'Bad request' } }))
  await page.getByRole('button', { name: 'Refresh locations' }).click()
  await expect(page.getByText('Failed to load pings')).toBeVisible()
  await expect(row).toBeVisible()
})

test('a denied geolocation permission shows a dismissible explanation, and the map can still be used', async ({
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann)
  await page.goto('/')
  await addButtonOf(page).click()
  await expect(noticeOf(page).getByText(refusedLocation)).toBeVisible()
  await expect(noticeOf(page).getByText(/is not stored and is not required/)).toBeVisible()
  await noticeOf(page).getByRole('button', { name: 'Got it' }).click()
  await expect(noticeOf(page)).toBeHidden()
  await expect(newPinOf(page).getByText(refusedLocation)).toBeVisible()
  await newPinOf(page).getByLabel('Name').fill('Somewhere')
  await expect(newPinOf(page).getByRole('button', { name: 'Pin Location' })).toBeDisabled()
  await newPinOf(page).getByRole('button', { name: 'Choose on the map' }).click()
  await expect(newPinOf(page)).toBeHidden()
  await tapMap(page)
  await expect(newPinOf(page).getByText('The place you tapped')).toBeVisible()
  await expect(newPinOf(page).getByLabel('Name')).toHaveValue('Somewhere')
  await expect(newPinOf(page).getByRole('button', { name: 'Pin Location' })).toBeEnabled()
  await newPinOf(page).getByRole('button', { name: 'Close' }).click()

  await addButtonOf(page).click()
  await noticeOf(page).getByRole('button', { name: "Don't show again" }).click()
  await expect(noticeOf(page)).toBeHidden()
  await page.reload()
  await addButtonOf(page).click()
  await expect(newPinOf(page).getByText(refusedLocation)).toBeVisible()
  await expect(noticeOf(page)).toBeHidden()
})

test('a browser that never answers where it is stops nothing: another place can be chosen, and it is asked again', async ({
  browserOf,
  person,
}) => {
  const page = await browserOf(await person('ann'))
  await page.clock.install()
  await page.addInitScript(() => {
    navigator.geolocation.getCurrentPosition = () => {
      const { dataset } = document.documentElement
      dataset['asked'] = String(Number(dataset['asked'] ?? 0) + 1)
    }
  })
  const root = page.locator('html')
  await page.goto('/')
  await page.getByRole('button', { name: 'Drop a pin' }).click()
  const dialog = page.getByRole('dialog', { name: 'New pin' })
  await expect(dialog.getByText('Getting your location...')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Choose on the map' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Search or add an address' }).click()
  await expect(dialog.getByRole('button', { name: 'Search for a place' })).toBeVisible()
  await page.clock.runFor(20_000)
  await expect(dialog.getByText('Location request timed out.')).toBeVisible()
  await expect(root).toHaveAttribute('data-asked', '1')
  await dialog.getByRole('button', { name: 'Use my location' }).click()
  await expect(root).toHaveAttribute('data-asked', '2')
  await expect(dialog.getByText('Getting your location...')).toBeVisible()
})

test('an inexact position says so, and needs the form of a pin', async ({ browserOf, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const geolocation = { latitude: 40.4, longitude: -74, accuracy: 50_000 }
  const page = await browserOf(ann, { permissions: ['geolocation'], geolocation })
  await page.goto('/')
  await page.getByRole('button', { name: /^Quick pin/ }).click()
  const dialog = page.getByRole('dialog', { name: 'New pin' })
  const warning = 'Your location is only known to within 31 mi. Move the pin to the right place.'
  await expect(dialog.getByText(warning)).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText('No current pins')).toBeVisible()
})

test('shown times follow the device into another time zone', async ({ api, browserOf, person }) => {
  const ann = await person('ann')
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const body = { name: 'Soup', latitude: 40.7, longitude: -74, is_public: true, activates_at: `${tomorrow}T20:00:00Z` }
  await api(createPing, { body }, ann)
  // The emulation of Playwright would exclude another one.
  const page = await browserOf(ann, { timezoneId: undefined as never })
  const device = await page.context().newCDPSession(page)
  const moveTo = (timezoneId: string) => device.send('Emulation.setTimezoneOverride', { timezoneId })
  await moveTo('UTC')
  await page.goto('/')
  await page.getByRole('button', { name: /^My Pins/ }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Soup' })).toContainText('20:00')
  await moveTo('America/Los_Angeles')
  await expect(page.getByRole('listitem').filter({ hasText: 'Soup' })).toContainText('12:00')
})

test('recentering shows the own position, only to the user, and the add button opens a new pin there', async ({
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann, { permissions: ['geolocation'], geolocation: battery })
  await page.goto('/')
  await page.getByRole('button', { name: 'Refresh and recenter map' }).click()
  await expect(page.getByRole('button', { name: 'You are here. Only you can see this.' })).toBeVisible()
  await addButtonOf(page).click()
  await expect(newPinOf(page).getByText('Where you are now')).toBeVisible()
  await newPinOf(page).getByRole('button', { name: 'Search or add an address' }).click()
  await newPinOf(page).getByRole('button', { name: 'Find address' }).click()
  await expect(newPinOf(page).getByText(/^near .*US$/)).toBeVisible()
  await newPinOf(page).getByLabel('Name').fill('Ferry at noon')
  await newPinOf(page).getByRole('button', { name: 'Pin Location' }).click()
  await expect(page.getByText(/^Shared with /)).toBeVisible()
  await expect(page.getByRole('button', { name: /^You, Ferry at noon, 30 minutes left/ })).toBeVisible()
})

test('a new pin requires a name of at most 50 characters and, for selected friends, at least one friend', async ({
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
  const page = await browserOf(ann)
  const dialog = await beginPin(page)
  const [name, submit] = [dialog.getByLabel('Name'), dialog.getByRole('button', { name: 'Pin Location' })]
  await expect(name).toBeFocused()
  await expect(dialog.getByText('0/50')).toBeVisible()
  await expect(submit).toBeDisabled()
  // A field that was only visited has no error.
  await name.blur()
  await expect(dialog.getByText('Please enter a name for your ping.')).toBeHidden()
  await name.fill('   ')
  await expect(submit).toBeDisabled()
  await expect(dialog.getByText('Please enter a name for your ping.')).toBeVisible()
  await name.fill('x'.repeat(51))
  await expect(dialog.getByText('51/50')).toBeVisible()
  await expect(dialog.getByText('Ping name must be 50 characters or less.')).toBeVisible()
  await expect(submit).toBeDisabled()
  await name.fill('Coffee at Nero')
  await expect(dialog.getByText('14/50')).toBeVisible()
  await expect(submit).toBeEnabled()

  await expect(dialog.getByText(/^2 friends, until/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Selected friends' }).click()
  await expect(submit).toBeDisabled()
  await dialog.getByLabel('Search friends').fill('bob')
  await expect(dialog.getByRole('checkbox', { name: cat.username })).toBeHidden()
  await dialog.getByRole('checkbox', { name: bob.username }).check()
  await expect(dialog.getByText(/^1 friend, until/)).toBeVisible()
  await expect(submit).toBeEnabled()
  await dialog.getByRole('button', { name: `Remove ${bob.username}` }).click()
  await expect(dialog.getByText('Please select at least one friend to notify.')).toBeVisible()
  await expect(submit).toBeDisabled()
  await dialog.getByRole('checkbox', { name: bob.username }).check()
  await submit.click()
  await expect(page.getByText(/^Shared with /)).toBeVisible()

  const [bobPage, catPage] = [await browserOf(bob), await browserOf(cat)]
  for (const friendPage of [bobPage, catPage]) await friendPage.goto('/')
  await expect(bobPage.getByRole('heading', { name: /Friends Nearby\s*1/ })).toBeVisible()
  await expect(catPage.getByText('No friends are sharing any pins nearby')).toBeAttached()
})

test('a user without friends can create only a public pin', async ({ browserOf, person }) => {
  const page = await browserOf(await person('ann'))
  const dialog = await beginPin(page)
  const submit = dialog.getByRole('button', { name: 'Pin Location' })
  await dialog.getByLabel('Name').fill('Coffee at Nero')
  await expect(dialog.getByText('No friends available. Please add some friends first!')).toBeVisible()
  await expect(submit).toBeDisabled()
  await dialog.getByRole('button', { name: 'Advanced options' }).click()
  await dialog.getByRole('switch', { name: 'Public link' }).check()
  await expect(dialog.getByText('No friends available. Please add some friends first!')).toBeHidden()
  await expect(dialog.getByText(/^anyone with the link, until/)).toBeVisible()
  await submit.click()
  await expect(page.getByRole('button', { name: /^You, Coffee at Nero/ })).toBeVisible()
})

test('a pin can be scheduled within 30 days and is listed in My Pins until then', async ({
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann)
  const dialog = await beginPin(page)
  await dialog.getByLabel('Name').fill('Tea tomorrow')
  await dialog.getByRole('switch', { name: 'Schedule for later' }).check()
  const [start, submit] = [dialog.getByLabel('Starts at'), dialog.getByRole('button', { name: 'Schedule Ping' })]
  await expect(start).toHaveValue(/:00$/)
  await expect(submit).toBeEnabled()
  await dialog.getByRole('button', { name: 'Tomorrow noon' }).click()
  await expect(start).toHaveValue(/T12:00$/)
  await expect(dialog.getByText('Your time zone: America/New York')).toBeVisible()
  for (const minutes of [-60, 31 * 24 * 60]) {
    await start.fill(localTimeIn(minutes))
    await expect(dialog.getByText('Please enter a valid future date and time (within 30 days).')).toBeVisible()
    await expect(submit).toBeDisabled()
  }
  await start.fill(localTimeIn(24 * 60))
  await expect(dialog.getByText(/^1 friend, .*–/)).toBeVisible()
  await submit.click()
  await expect(page.getByText(/^Scheduled for \w{3} [\d:]+$/)).toBeVisible()
  await expect(page.getByText('0 active, 1 scheduled')).toBeVisible()
  await expect(page.getByRole('button', { name: /^You, Tea tomorrow, starts / })).toBeVisible()
  await myPinsOf(page).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Tea tomorrow' })
  await expect(row.getByText('Scheduled', { exact: true })).toBeVisible()
  await expect(row.getByText(/^Activates: /)).toBeVisible()
})

test('a pin that the server refuses is removed from the map, and the form keeps the input', async ({
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of (422|500)/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann)
  const dialog = await beginPin(page)
  await dialog.getByLabel('Name').fill('Coffee at Nero')
  await dialog.getByLabel('Message (optional)').fill('By the window')
  await dialog.getByRole('radio', { name: '2 h', exact: true }).check()
  const pin = page.getByRole('button', { name: /^You, Coffee at Nero, 2 hours left/ })
  const message = 'You can only send a ping to your friends.'
  for (const { status, detail, reason } of [
    { status: 422, detail: [{ loc: ['body', 'recipient_ids'], msg: message, type: 'value_error' }], reason: message },
    { status: 500, detail: 'Failed to create ping', reason: 'Failed to create ping' },
  ]) {
    const answer = Promise.withResolvers<void>()
    await page.route('**/api/pings/', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await answer.promise
      return route.fulfill({ status, json: { detail } })
    })
    await dialog.getByRole('button', { name: 'Pin Location' }).click()
    await expect(dialog).toBeHidden()
    await expect(pin).toBeVisible()
    await expect(page.getByText('1 active, 0 scheduled')).toBeVisible()

    answer.resolve()
    await expect(dialog).toBeVisible()
    await expect(dialog.getByRole('alert')).toContainText(reason)
    await expect(dialog.getByLabel('Name')).toHaveValue('Coffee at Nero')
    await expect(dialog.getByLabel('Message (optional)')).toHaveValue('By the window')
    await expect(dialog.getByRole('radio', { name: '2 h', exact: true })).toBeChecked()
    await expect(page.getByText('No current pins')).toBeAttached()
    await expect(page.locator('[aria-label^="You, Coffee at Nero"]')).toHaveCount(0)
    await page.unroute('**/api/pings/')
  }

  await dialog.getByRole('button', { name: 'Pin Location' }).click()
  await expect(page.getByText(/^Shared with /)).toBeVisible()
  await expect(pin).toBeVisible()
})

test('a pin that is refused during the input of the next one is listed in My Pins with the reason, and the input stays', async ({
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of 500/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann)
  const dialog = await beginPin(page)
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/pings/', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await answer.promise
    return route.fulfill({ status: 500, json: { detail: 'Failed to create ping' } })
  })
  await dialog.getByLabel('Name').fill('Coffee at Nero')
  await dialog.getByRole('button', { name: 'Pin Location' }).click()
  await expect(dialog).toBeHidden()

  await mapOf(page).click({ position: { x: 120, y: 240 } })
  await expect(dialog.getByLabel('Name')).toHaveValue('')
  await dialog.getByLabel('Name').fill('Chess in the square')
  answer.resolve()
  await expect(page.getByRole('alert').getByText('Failed to create ping')).toBeVisible()
  await expect(dialog.getByLabel('Name')).toHaveValue('Chess in the square')
  await page.unroute('**/api/pings/')
  await dialog.getByRole('button', { name: 'Pin Location' }).click()
  await expect(page.getByText('1 active, 0 scheduled · 1 not sent')).toBeVisible()
})

test('a pin whose refusal arrives when the next one is already submitted is listed in My Pins', async ({
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of 500/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann)
  const dialog = await beginPin(page)
  const answer = Promise.withResolvers<void>()
  let sends = 0
  await page.route('**/api/pings/', async (route) => {
    if (route.request().method() !== 'POST' || ++sends > 1) return route.fallback()
    await answer.promise
    return route.fulfill({ status: 500, json: { detail: 'Failed to create ping' } })
  })
  const submit = dialog.getByRole('button', { name: 'Pin Location' })
  await dialog.getByLabel('Name').fill('Coffee at Nero')
  const sent = page.waitForRequest('**/api/pings/')
  await submit.click()
  await sent
  await mapOf(page).click({ position: { x: 120, y: 240 } })
  await dialog.getByLabel('Name').fill('Chess in the square')

  // As on a slow phone, what is stored is not written yet.
  await page.evaluate(blockOutbox)
  answer.resolve()
  await submit.click()
  await expect(dialog).toBeHidden()
  await page.evaluate(() => dispatchEvent(new Event('release-outbox')))
  await expect(page.getByText('1 active, 0 scheduled · 1 not sent')).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('My Pins shows the newest hundred pins, and older ones on request', async ({ api, browserOf, person }) => {
  const ann = await person('ann')
  for (let number = 1; number <= 101; number++) {
    const body = { name: `Walk ${number}`, latitude: 40.7589, longitude: -73.9851, is_public: true }
    const { id } = await api(createPing, { body }, ann)
    await api(changePing, { params: { id }, body: { end: true } }, ann)
  }
  const page = await browserOf(ann)
  await page.goto('/')
  await myPinsOf(page).click()
  const pins = page.getByRole('button', { name: /^Delete Walk \d+$/ })
  await expect(pins).toHaveCount(100)
  const more = page.getByRole('button', { name: 'Show more' })
  await more.click()
  await expect(pins).toHaveCount(101)
  await expect(page.getByRole('button', { name: 'Delete Walk 1', exact: true })).toBeVisible()
  await expect(more).toBeHidden()
})

test('a pin is deleted after a confirmation and disappears from the screens of friends, and reappears if that fails', async ({
  api,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of 500/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const body = { name: 'Coffee at Nero', message: 'By the window', latitude: 40.7589, longitude: -73.9851 }
  const { id } = await api(createPing, { body }, ann)
  const [page, bobPage] = [await browserOf(ann), await browserOf(bob)]
  await page.goto('/')
  await bobPage.goto('/')
  const seen = bobPage.getByRole('button', { name: new RegExp(`^${ann.username}, Coffee at Nero`) })
  await expect(seen).toBeVisible()
  await myPinsOf(page).click()
  await page.getByRole('button', { name: 'Delete Coffee at Nero' }).click()
  const confirm = page.getByRole('alertdialog', { name: 'Delete Ping?' })
  await expect(
    confirm.getByText('Are you sure you want to delete this ping? This action cannot be undone.'),
  ).toBeVisible()
  for (const text of ['Coffee at Nero', 'Active', 'By the window'])
    await expect(confirm.getByText(text, { exact: true })).toBeVisible()
  await confirm.getByRole('button', { name: 'Cancel' }).click()
  await expect(confirm).toBeHidden()
  await expect(seen).toBeVisible()

  await page.route(`**/api/pings/${id}`, (route) =>
    route.fulfill({ status: 500, json: { detail: 'Failed to delete ping' } }),
  )
  await page.getByRole('button', { name: 'Delete Coffee at Nero' }).click()
  await confirm.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Failed to delete ping')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete Coffee at Nero' })).toBeVisible()
  await expect(seen).toBeVisible()
  await page.unroute(`**/api/pings/${id}`)

  await page.getByRole('button', { name: 'Delete Coffee at Nero' }).click()
  await confirm.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText("You haven't created any pings yet")).toBeVisible()
  await expect(page.getByRole('button', { name: /^You, Coffee at Nero/ })).toBeHidden()
  await expect(seen).toBeHidden()
})

test('the card of a pin opens with the keyboard, closes with Escape, and opens by a click on its row in the list', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  await dropPing(baseURL ?? '', ann)
  await dropPing(baseURL ?? '', ann, { name: 'The Louvre', latitude: 48.8606, longitude: 2.3376 })
  const page = await browserOf(bob)
  await page.goto('/')
  const pin = page.getByRole('button', { name: new RegExp(`^${ann.username}, Coffee at Nero`) })
  const card = page.getByRole('dialog', { name: 'Coffee at Nero' })
  await expect(pin).toBeVisible()
  const isFocused = () => pin.evaluate((element) => element === document.activeElement)
  for (let presses = 0; presses < 50 && !(await isFocused()); presses++) await page.keyboard.press('Tab')
  await expect(pin).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(card).toBeFocused()
  await expect(pin).toHaveAttribute('aria-expanded', 'true')
  await expect(card.getByRole('button', { name: 'Close' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(card.getByRole('button', { name: 'Close' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(card).toBeHidden()
  await expect(pin).toBeFocused()

  await page.getByRole('button', { name: 'Resize the list' }).click()
  await page
    .getByRole('listitem')
    .getByRole('button', { name: /The Louvre/ })
    .click()
  await expect(page.getByRole('dialog', { name: 'The Louvre' })).toBeInViewport()
})

test('a wide screen shows the lists next to the map', async ({ baseURL, browserOf, person }) => {
  const ann = await person('ann')
  await dropPing(baseURL ?? '', ann, { is_public: true })
  const page = await browserOf(ann, { viewport: { width: 1280, height: 800 } })
  await page.goto('/')
  await expect(page.getByText('No friends are sharing any pins nearby')).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Resize the list' })).toBeHidden()
  await myPinsOf(page).click()
  await page
    .getByRole('listitem')
    .getByRole('button', { name: /^Coffee at Nero/ })
    .click()
  await expect(page.getByRole('dialog', { name: 'Coffee at Nero' })).toBeInViewport()
  await expect(page.getByText('No friends are sharing any pins nearby')).toBeInViewport()
})

test('the map is requested four times when it fails to load, and the lists work without it', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/ERR_FAILED/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  await dropPing(baseURL ?? '', bob)
  const page = await browserOf(ann)
  await page.route('**/assets/maplibre*', (route) => route.abort())
  const announced = await recordTexts(page, /Loading map\.\.\. \(Attempt \d\/4\)/)
  await page.goto('/', { waitUntil: 'commit' })
  // There are seconds between the attempts.
  await expect(
    page.getByText('Failed to load map after multiple attempts. Check your connection and try again.'),
  ).toBeVisible({ timeout: 30_000 })
  expect(await announced()).toEqual([2, 3, 4].map((attempt) => `Loading map... (Attempt ${attempt}/4)`))
  await page.getByRole('button', { name: 'Resize the list' }).click()
  await expect(page.getByRole('listitem').getByText('Coffee at Nero')).toBeVisible()
  await page.getByRole('button', { name: 'Resize the list' }).click()

  await page.unroute('**/assets/maplibre*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('button', { name: new RegExp(`^${bob.username}, Coffee at Nero`) })).toBeVisible()
})

test('a map whose worker failed to load is loaded when the device is online again', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/ERR_|WebSocket connection|Worker failed to load/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  await dropPing(baseURL ?? '', bob)
  const page = await browserOf(ann)
  await page.route('**/assets/maplibre-gl-worker*', (route) => route.abort())
  await page.goto('/')
  const failure = page.getByText('Failed to initialise the map. Please try again.')
  await expect(failure).toBeVisible({ timeout: 30_000 })

  await page.context().setOffline(true)
  await expect(page.getByText(/^You're offline/)).toBeVisible()
  await page.unroute('**/assets/maplibre-gl-worker*')
  await page.context().setOffline(false)
  await expect(page.getByRole('button', { name: new RegExp(`^${bob.username}, Coffee at Nero`) })).toBeVisible()
  await expect(failure).toBeHidden()
})

test('Home, the dialogs of a pin and its card are accessible in both schemes', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  // The Content-Security-Policy refuses requests of Playwright's trace recorder for pictures.
  expectConsole(/^Connecting to 'blob:/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  // This pin must not lie where the map is clicked for a new pin.
  await dropPing(baseURL ?? '', ann, { name: 'Tea at Ten', latitude: 40.73 })
  await dropPing(baseURL ?? '', bob, { message: 'By the window', latitude: 40.755 })
  const page = await browserOf(ann)
  const dialog = await beginPin(page)
  await dialog.getByRole('button', { name: 'Selected friends' }).click()
  await dialog.getByRole('switch', { name: 'Schedule for later' }).check()
  await dialog.getByRole('button', { name: 'Advanced options' }).click()
  await expect(dialog.getByRole('switch', { name: 'Public link' })).toBeVisible()
  const choosing = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Add an image' }).click()
  await (await choosing).setFiles({ name: 'here.jpg', mimeType: 'image/jpeg', buffer: await taggedPicture('jpeg') })
  await expect(dialog.getByRole('img', { name: 'The image you chose' })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()

  await myPinsOf(page).click()
  await expect(page.getByRole('button', { name: 'Delete Tea at Ten' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Delete Tea at Ten' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Delete Ping?' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()

  await page
    .getByRole('listitem')
    .getByRole('button', { name: /Coffee at Nero/ })
    .click()
  await expect(page.getByRole('dialog', { name: 'Coffee at Nero' })).toBeVisible()
  await expectAccessible(page)
})
