import { changePing, createPing } from '@hither/contract/pings.ts'
import { type Locator, type Page } from '@playwright/test'
import { taggedPicture } from '../../server/test/pictures.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { dropPing } from '../people.ts'
import { recordTexts } from '../recorded-texts.ts'

const refusedLocation = 'Could not get your location. Location access was denied. Please enable location permissions.'
const battery = { latitude: 40.7033, longitude: -74.017 }

const mapOf = (page: Page) => page.getByRole('region', { name: 'Map of pins' })
const addButtonOf = (page: Page) => page.getByRole('button', { name: 'Drop a pin' })
const newPinOf = (page: Page) => page.getByRole('dialog', { name: 'New pin' })
const noticeOf = (page: Page) => page.getByRole('dialog', { name: 'Location services are off' })
const myPinsOf = (page: Page) => page.getByRole('button', { name: 'My Pins' })

/** The dialog of a new pin at a place on the map. */
async function beginPin(page: Page): Promise<Locator> {
  await page.goto('/')
  await mapOf(page).click({ position: { x: 200, y: 160 } })
  await expect(newPinOf(page)).toBeVisible()
  return newPinOf(page)
}

/** What a field of date and time holds for this long from now, where the browser of these tests is. */
function localTimeIn(minutes: number): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'America/New_York',
    dateStyle: 'short',
    timeStyle: 'short',
  })
  return format.format(Date.now() + minutes * 60_000).replace(' ', 'T')
}

test('someone without pins and friends is told that both lists are empty', async ({ browserOf, person }) => {
  const page = await browserOf(await person('ann'))
  await page.goto('/')
  await expect(page.getByText('No current pins')).toBeVisible()
  await expect(page.getByText('No friends are sharing any pins nearby')).toBeAttached()
  await expect(page.getByText("You haven't created any pings yet")).toBeHidden()
  await myPinsOf(page).click()
  await expect(page.getByText("You haven't created any pings yet")).toBeVisible()
  await expect(myPinsOf(page)).toHaveAttribute('aria-expanded', 'true')
})

test('when pins cannot be loaded, each list says so and a retry mends it', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 400/)
  const page = await browserOf(await person('ann'))
  // Without news the page has no reason of its own to read again.
  await page.routeWebSocket(/./, () => undefined)
  const addresses = ['**/api/pings/', '**/api/pings/my-pings']
  for (const address of addresses)
    await page.route(address, (route) => route.fulfill({ status: 400, json: { detail: 'Bad request' } }))
  await page.goto('/')
  await myPinsOf(page).click()
  await expect(page.getByText('Failed to load pings')).toBeVisible()
  await expect(page.getByText('Failed to load your pings')).toBeVisible()
  for (const address of addresses) await page.unroute(address)
  await page.getByRole('button', { name: 'Retry' }).last().click()
  await expect(page.getByText('No friends are sharing any pins nearby')).toBeVisible()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText("You haven't created any pings yet")).toBeVisible()
})

test('a refused location is explained until that is no longer wanted, and the map stays a way to choose', async ({
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
  await mapOf(page).click({ position: { x: 200, y: 160 } })
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

test('the add button begins a pin where the device is', async ({ browserOf, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann, { permissions: ['geolocation'], geolocation: battery })
  await page.goto('/')
  await addButtonOf(page).click()
  await expect(newPinOf(page).getByText('Where you are now')).toBeVisible()
  await newPinOf(page).getByRole('button', { name: 'Find address' }).click()
  await expect(newPinOf(page).getByText(/^near .*US$/)).toBeVisible()
  await newPinOf(page).getByLabel('Name').fill('Ferry at noon')
  await newPinOf(page).getByRole('button', { name: 'Pin Location' }).click()
  await expect(page.getByText('Ping created successfully')).toBeVisible()
  await expect(page.getByRole('button', { name: /^You, Ferry at noon, 30 minutes left/ })).toBeVisible()
})

test('recentering shows where one is, to oneself alone', async ({ browserOf, person }) => {
  const page = await browserOf(await person('ann'), { permissions: ['geolocation'], geolocation: battery })
  await page.goto('/')
  await page.getByRole('button', { name: 'Refresh and recenter map' }).click()
  await expect(page.getByRole('img', { name: 'You are here. Only you can see this.' })).toBeVisible()
})

test('a new pin needs a name of 50 characters at most, which are counted', async ({ browserOf, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann)
  const dialog = await beginPin(page)
  const [name, submit] = [dialog.getByLabel('Name'), dialog.getByRole('button', { name: 'Pin Location' })]
  await expect(name).toBeFocused()
  await expect(dialog.getByText('0/50')).toBeVisible()
  await expect(submit).toBeDisabled()
  await name.fill('   ')
  await expect(submit).toBeDisabled()
  await name.blur()
  await expect(dialog.getByText('Please enter a name for your ping.')).toBeVisible()
  await name.fill('x'.repeat(51))
  await expect(dialog.getByText('51/50')).toBeVisible()
  await expect(dialog.getByText('Ping name must be 50 characters or less.')).toBeVisible()
  await expect(submit).toBeDisabled()
  await name.fill('Coffee at Nero')
  await expect(dialog.getByText('14/50')).toBeVisible()
  await expect(submit).toBeEnabled()
})

test('a pin for selected friends needs one of them', async ({ browserOf, friends, person }) => {
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
  const page = await browserOf(ann)
  const dialog = await beginPin(page)
  const submit = dialog.getByRole('button', { name: 'Pin Location' })
  await dialog.getByLabel('Name').fill('Coffee at Nero')
  await expect(dialog.getByText(/^2 friends, until/)).toBeVisible()
  await dialog.getByRole('radio', { name: 'Selected friends' }).check()
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
  await expect(page.getByText('Ping created successfully')).toBeVisible()

  const [bobPage, catPage] = [await browserOf(bob), await browserOf(cat)]
  for (const friendPage of [bobPage, catPage]) await friendPage.goto('/')
  await expect(bobPage.getByRole('heading', { name: /Friends Nearby\s*1/ })).toBeVisible()
  await expect(catPage.getByText('No friends are sharing any pins nearby')).toBeAttached()
})

test('someone without friends can make a public pin only', async ({ browserOf, person }) => {
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

test('a pin can be scheduled for a time within 30 days, and waits in My Pins until then', async ({
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
  await expect(submit).toBeDisabled()
  await expect(dialog.getByText('Your time zone: America/New York')).toBeVisible()
  for (const minutes of [-60, 31 * 24 * 60]) {
    await start.fill(localTimeIn(minutes))
    await expect(dialog.getByText('Please enter a valid future date and time (within 30 days).')).toBeVisible()
    await expect(submit).toBeDisabled()
  }
  await start.fill(localTimeIn(24 * 60))
  await expect(dialog.getByText(/^1 friend, .* to /)).toBeVisible()
  await submit.click()
  await expect(page.getByText('0 active, 1 scheduled')).toBeVisible()
  await expect(page.getByRole('button', { name: /^You, Tea tomorrow, starts / })).toBeVisible()
  await myPinsOf(page).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Tea tomorrow' })
  await expect(row.getByText('Scheduled', { exact: true })).toBeVisible()
  await expect(row.getByText(/^Activates: /)).toBeVisible()
})

for (const { status, detail, message } of [
  {
    status: 422,
    detail: [{ loc: ['body', 'recipient_ids'], msg: 'You can only send a ping to your friends.', type: 'value_error' }],
    message: 'You can only send a ping to your friends.',
  },
  { status: 500, detail: 'Failed to create ping', message: 'Failed to create ping' },
])
  test(`a pin that the server refuses with ${status} leaves the map, and what was typed is kept`, async ({
    browserOf,
    expectConsole,
    friends,
    person,
  }) => {
    expectConsole(new RegExp(`status of ${status}`))
    const [ann, bob] = [await person('ann'), await person('bob')]
    await friends(ann, bob)
    const page = await browserOf(ann)
    const dialog = await beginPin(page)
    const answer = Promise.withResolvers<void>()
    await page.route('**/api/pings/', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await answer.promise
      return route.fulfill({ status, json: { detail } })
    })
    await dialog.getByLabel('Name').fill('Coffee at Nero')
    await dialog.getByLabel('Message (optional)').fill('By the window')
    await dialog.getByRole('radio', { name: '2 h', exact: true }).check()
    await dialog.getByRole('button', { name: 'Pin Location' }).click()
    const pin = page.getByRole('button', { name: /^You, Coffee at Nero, 2 hours left/ })
    await expect(dialog).toBeHidden()
    await expect(pin).toBeVisible()
    await expect(page.getByText('1 active, 0 scheduled')).toBeVisible()

    answer.resolve()
    await expect(dialog).toBeVisible()
    await expect(dialog.getByRole('alert')).toContainText(message)
    await expect(dialog.getByLabel('Name')).toHaveValue('Coffee at Nero')
    await expect(dialog.getByLabel('Message (optional)')).toHaveValue('By the window')
    await expect(dialog.getByRole('radio', { name: '2 h', exact: true })).toBeChecked()
    await expect(page.getByText('No current pins')).toBeAttached()
    await expect(page.locator('[aria-label^="You, Coffee at Nero"]')).toHaveCount(0)

    await page.unroute('**/api/pings/')
    await dialog.getByRole('button', { name: 'Pin Location' }).click()
    await expect(page.getByText('Ping created successfully')).toBeVisible()
    await expect(pin).toBeVisible()
  })

test('a pin that is refused while the next one is written stands in My Pins with the reason, and takes nothing from it', async ({
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

test('My Pins shows the newest hundred own pins, and older ones on request', async ({ api, browserOf, person }) => {
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

test('an own pin is deleted after a question, and leaves the screens of friends', async ({
  api,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const body = { name: 'Coffee at Nero', message: 'By the window', latitude: 40.7589, longitude: -73.9851 }
  await api(createPing, { body }, ann)
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

  await page.getByRole('button', { name: 'Delete Coffee at Nero' }).click()
  await confirm.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText("You haven't created any pings yet")).toBeVisible()
  await expect(page.getByRole('button', { name: /^You, Coffee at Nero/ })).toBeHidden()
  await expect(seen).toBeHidden()
})

test('a pin whose deletion fails comes back', async ({ baseURL, browserOf, expectConsole, person }) => {
  expectConsole(/status of 500/)
  const ann = await person('ann')
  const ping = await dropPing(baseURL ?? '', ann, { is_public: true })
  const page = await browserOf(ann)
  await page.route(`**/api/pings/${ping.id}`, (route) =>
    route.fulfill({ status: 500, json: { detail: 'Failed to delete ping' } }),
  )
  await page.goto('/')
  await myPinsOf(page).click()
  await page.getByRole('button', { name: 'Delete Coffee at Nero' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Failed to delete ping')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete Coffee at Nero' })).toBeVisible()
})

test('with the keyboard, Tab leads to a pin, Enter opens its card, and Escape leads back', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  await dropPing(baseURL ?? '', ann)
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
})

test('a row of a list opens the card of its pin on the map', async ({ baseURL, browserOf, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  await dropPing(baseURL ?? '', ann, { latitude: 48.8566, longitude: 2.3522 })
  const page = await browserOf(bob)
  await page.goto('/')
  await page.getByRole('button', { name: 'Resize the list' }).click()
  await page
    .getByRole('listitem')
    .getByRole('button', { name: /Coffee at Nero/ })
    .click()
  await expect(page.getByRole('dialog', { name: 'Coffee at Nero' })).toBeInViewport()
})

test('on a wide screen the lists stand beside the map', async ({ baseURL, browserOf, person }) => {
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

test('when the map cannot be loaded, it is tried four times, and the lists work all the same', async ({
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
  // The attempts are seconds apart.
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

test('home, the dialogs of a pin and its card are accessible in both schemes', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  // The recorder of traces asks for pictures in ways that the page's policy refuses it.
  expectConsole(/^Connecting to 'blob:/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  // Not where the map is tapped for a new one.
  await dropPing(baseURL ?? '', ann, { name: 'Tea at Ten', latitude: 40.73 })
  await dropPing(baseURL ?? '', bob, { message: 'By the window', latitude: 40.78 })
  const page = await browserOf(ann)
  const dialog = await beginPin(page)
  await dialog.getByRole('radio', { name: 'Selected friends' }).check()
  await dialog.getByRole('switch', { name: 'Schedule for later' }).check()
  await dialog.getByRole('button', { name: 'Advanced options' }).click()
  await expect(dialog.getByRole('switch', { name: 'Public link' })).toBeVisible()
  const choosing = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Add an image' }).click()
  await (await choosing).setFiles({ name: 'here.jpg', mimeType: 'image/jpeg', buffer: await taggedPicture('jpeg') })
  await expect(dialog.getByRole('img', { name: 'The chosen image' })).toBeVisible()
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
