import { login } from '@hither/contract/auth/auth.ts'
import { listMyPings } from '@hither/contract/pings.ts'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { withoutLiveChannel } from '../live-frames.ts'
import { call, dropPing, entriesOf, type Person, password } from '../people.ts'
import { recordRequests } from '../recorded-requests.ts'

test.use({ pages: 'map' })

const home = { latitude: 40.7033, longitude: -74.017 }
const here = { permissions: ['geolocation'], geolocation: home }
/** A degree of latitude has 111,195 m on the sphere that the app measures with. */
const northOf = (meters: number) => ({ ...home, latitude: home.latitude + meters / 111_194.93 })
const warning = 'This is near Home, one of your private places. The people you choose will see exactly where it is.'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'New pin' })
const savingOf = (page: Page) => page.getByRole('dialog', { name: 'Save this place' })
const quickPinOf = (page: Page) => page.getByRole('button', { name: 'Quick pin: here, 30 minutes, all friends' })

/** Starts a new pin where the device is. */
async function startPin(page: Page) {
  await page.getByRole('button', { name: 'Drop a pin', exact: true }).click()
  await expect(dialogOf(page).getByText('Where you are now')).toBeVisible()
}

async function closePin(page: Page) {
  await dialogOf(page).getByRole('button', { name: 'Close', exact: true }).click()
  await expect(dialogOf(page)).toBeHidden()
}

/** Saves the place of the open dialog. */
async function savePlace(page: Page, name: string, { isPrivate = false } = {}) {
  await page.getByRole('button', { name: 'Save this place' }).click()
  await savingOf(page).getByLabel('Name').fill(name)
  if (isPrivate) await savingOf(page).getByRole('switch', { name: 'Private place' }).check()
  await savingOf(page).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Place saved')).toBeVisible()
  await expect(savingOf(page)).toBeHidden()
}

/** Opens Home with the place of the device saved as "Home". */
async function openWithHome(page: Page, options: { isPrivate?: boolean } = {}) {
  await page.goto('/')
  await startPin(page)
  await savePlace(page, 'Home', options)
  await closePin(page)
}

/** Moves the new pin by its coordinates, which are parsed without a request. */
async function searchFor(page: Page, { latitude, longitude }: { latitude: number; longitude: number }) {
  await dialogOf(page).getByRole('button', { name: 'Search or add an address' }).click()
  await dialogOf(page).getByRole('button', { name: 'Search for a place' }).click()
  await dialogOf(page)
    .getByRole('combobox')
    .fill(`${latitude.toFixed(7)}, ${longitude}`)
  await page.getByRole('option').click()
  await expect(dialogOf(page).getByText('The place you tapped')).toBeVisible()
}

const savedOf = (page: Page) => dialogOf(page).getByRole('list', { name: 'Saved' }).getByRole('listitem')

test('a place is saved, chosen, renamed and checked without a request, and a pin has its place without its name', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann, here)
  await withoutLiveChannel(page)
  await page.goto('/')
  await startPin(page)
  await page.waitForLoadState('networkidle')
  const requests = recordRequests(page)

  await dialogOf(page).getByRole('button', { name: 'Search or add an address' }).click()
  await dialogOf(page).getByLabel('Address (optional)').fill('12 Battery Place, door 3')
  await page.getByRole('button', { name: 'Save this place' }).click()
  await expect(savingOf(page).getByText('Saved on this device only.')).toBeVisible()
  await expect(savingOf(page).getByText('Get a warning before you share a pin near here.')).toBeVisible()
  await expect(savingOf(page).getByText('0/40')).toBeVisible()
  await expectAccessible(page)
  await savingOf(page).getByLabel('Name').fill('x'.repeat(41))
  await expect(savingOf(page).getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  await savingOf(page).getByLabel('Name').fill('My secret den')
  await savingOf(page).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Place saved')).toBeVisible()

  await dialogOf(page).getByRole('button', { name: 'Options for My secret den' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  const renaming = page.getByRole('dialog', { name: 'Rename' })
  await renaming.getByLabel('Name').fill('My hidden den')
  await renaming.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(savedOf(page)).toHaveText(['My hidden den12 Battery Place, door 3'])

  // Making it private checks the place of the pin.
  await dialogOf(page).getByRole('button', { name: 'Options for My hidden den' }).click()
  const isPrivate = page.getByRole('menuitemcheckbox', { name: 'Private place' })
  await isPrivate.click()
  await expect(isPrivate).toHaveAttribute('aria-checked', 'true')
  await page.keyboard.press('Escape')
  await expect(dialogOf(page).getByText(warning.replace('Home', 'My hidden den'))).toBeVisible()
  await expect(dialogOf(page).getByRole('radio', { name: 'Only people who are going' })).toBeChecked()
  await expectAccessible(page)

  await closePin(page)
  await startPin(page)
  await searchFor(page, { latitude: 40.75, longitude: -73.99 })
  await savedOf(page)
    .getByRole('button', { name: /^My hidden den/ })
    .click()
  await expect(dialogOf(page).getByText('The place you chose')).toBeVisible()
  await expect(dialogOf(page).getByLabel('Address (optional)')).toHaveValue('12 Battery Place, door 3')
  // The dialog reads the friends and the circles, as it always does.
  expect(requests.others()).toEqual([])

  await dialogOf(page).getByLabel('Name', { exact: true }).fill('Tea')
  await dialogOf(page).getByRole('button', { name: 'Pin Location' }).click()
  await expect(page.getByText(/^Shared with 1 friend/)).toBeVisible()
  const body = requests.pings()[0]
  expect(body).toMatchObject({ name: 'Tea', ...home, address: '12 Battery Place, door 3', exact_place_for: 'going' })
  expect(JSON.stringify(body)).not.toContain('hidden den')
  const [ping] = await call(baseURL ?? '', listMyPings, { query: {} }, ann)
  expect(ping).toMatchObject({ ...home, address: '12 Battery Place, door 3' })
})

test('a private place warns at 199 m and not at 201 m', async ({ browserOf, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann, here)
  await openWithHome(page, { isPrivate: true })
  for (const { meters, isNear } of [
    { meters: 201, isNear: false },
    { meters: 199, isNear: true },
    { meters: -201, isNear: false },
    { meters: -199, isNear: true },
  ]) {
    await startPin(page)
    await searchFor(page, northOf(meters))
    await expect(dialogOf(page).getByRole('radio', { name: 'Only people who are going' })).toBeChecked({
      checked: isNear,
    })
    await expect(dialogOf(page).getByText(warning)).toHaveCount(isNear ? 1 : 0)
    await closePin(page)
  }
})

test('submitting a private place with the public link and the exact place for everyone asks first', async ({
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann, here)
  await openWithHome(page, { isPrivate: true })
  const requests = recordRequests(page)
  await startPin(page)
  await dialogOf(page).getByLabel('Name', { exact: true }).fill('Supper')
  await dialogOf(page).getByRole('button', { name: 'Advanced options' }).click()
  await dialogOf(page).getByRole('switch', { name: 'Public link' }).check()
  await dialogOf(page).getByRole('radio', { name: 'Anyone with the link' }).check()
  await dialogOf(page).getByRole('button', { name: 'Pin Location' }).click()
  const question = page.getByRole('alertdialog', { name: 'Share this place with anyone?' })
  await expect(question.getByText('Anyone with the link can see exactly where this is.')).toBeVisible()
  await expect(question.getByRole('button', { name: 'Turn off public link' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(dialogOf(page).getByRole('switch', { name: 'Public link' })).not.toBeChecked()
  expect(requests.pings()).toEqual([])

  await dialogOf(page).getByRole('switch', { name: 'Public link' }).check()
  await dialogOf(page).getByRole('radio', { name: 'Anyone with the link' }).check()
  await dialogOf(page).getByRole('button', { name: 'Pin Location' }).click()
  await question.getByRole('button', { name: 'Share anyway' }).click()
  await expect(page.getByText(/^Shared with 1 friend and anyone with the link/)).toBeVisible()
  expect(requests.pings()).toMatchObject([{ is_public: true, exact_place_for: 'everyone' }])
})

test('a quick pin near a private place opens the dialog with the warning and sends nothing', async ({
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann, here)
  await openWithHome(page, { isPrivate: true })
  const requests = recordRequests(page)
  await quickPinOf(page).click()
  await expect(dialogOf(page).getByText(warning)).toBeVisible()
  await expect(dialogOf(page).getByText('Where you are now')).toBeVisible()
  await expect(page.getByText(/^Dropping /)).toHaveCount(0)
  expect(requests.pings()).toEqual([])
})

test('saved places are listed by their distance from the map, up to 50, and can be removed', async ({
  browserOf,
  person,
}) => {
  const page = await browserOf(await person('ann'), here)
  await openWithHome(page)
  await page.context().setGeolocation(northOf(5000))
  await startPin(page)
  await savePlace(page, 'Office')
  await dialogOf(page).getByRole('button', { name: 'Search or add an address' }).click()
  await expect(savedOf(page)).toHaveCount(2)

  await dialogOf(page).getByRole('button', { name: 'Options for Office' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect(savedOf(page)).toHaveCount(1)
  await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('hither-outbox')
      opening.onsuccess = () => resolve(opening.result)
    })
    const store = database.transaction('waiting', 'readwrite').objectStore('waiting')
    const keys = await new Promise<IDBValidKey[]>((resolve) => {
      const reading = store.getAllKeys()
      reading.onsuccess = () => resolve(reading.result)
    })
    const key = keys.find((name) => String(name).endsWith(':places')) ?? ''
    const [place] = await new Promise<object[]>((resolve) => {
      const reading = store.get(key)
      reading.onsuccess = () => resolve(reading.result)
    })
    const places = Array.from({ length: 50 }, (_, n) => ({ ...place, id: String(n), name: `Place ${n}` }))
    await new Promise((resolve) => {
      store.put(places, key).onsuccess = resolve
    })
  })
  await page.reload()
  await startPin(page)
  await page.getByRole('button', { name: 'Save this place' }).click()
  await expect(savingOf(page).getByText('You can save up to 50 places. Remove one to save another.')).toBeVisible()
  await savingOf(page).getByLabel('Name').fill('Another')
  await expect(savingOf(page).getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
})

test('without a database the dialog says that saved places are lost, and the own page of a pin saves its place', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/The operation is insecure/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann, { recipient_ids: [bob.session.user.id] })
  const page = await browserOf(ann)
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }
  })
  await page.goto(`/pins/${ping.id}`)
  await page.getByRole('button', { name: 'Save this place' }).click()
  await expect(savingOf(page).getByText("This browser can't keep saved places after you close it.")).toBeVisible()
  await savingOf(page).getByLabel('Name').fill('Nero')
  await savingOf(page).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Place saved')).toBeVisible()

  const bobPage = await browserOf(bob)
  await bobPage.goto(`/pins/${ping.id}`)
  await expect(bobPage.getByRole('heading', { name: 'Coffee at Nero' })).toBeVisible()
  await expect(bobPage.getByRole('button', { name: 'Save this place' })).toHaveCount(0)
})

test('signing out asks and erases saved places, and another account on the device sees none', async ({
  baseURL,
  browserOf,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  const page = await browserOf(ann, here)
  await openWithHome(page)
  await signOut(page)
  const question = page.getByRole('alertdialog', { name: 'Sign out?' })
  await expect(question.getByText('1 saved place is kept on this device only. Signing out removes it.')).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await startPin(page)
  await savePlace(page, 'Office')
  await savePlace(page, 'Gym')
  await closePin(page)
  await signOut(page)
  await expect(
    question.getByText('3 saved places are kept on this device only. Signing out removes them.'),
  ).toBeVisible()
  await question.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)

  for (const next of [bob, ann]) {
    await signIn(page, baseURL ?? '', next)
    await startPin(page)
    await dialogOf(page).getByRole('button', { name: 'Search or add an address' }).click()
    await expect(dialogOf(page).getByRole('button', { name: 'Search for a place' })).toBeVisible()
    await expect(savedOf(page)).toHaveCount(0)
    await closePin(page)
  }
})

test('an expired session keeps the saved places for the same account, and another account erases them', async ({
  baseURL,
  browserOf,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  const page = await browserOf(ann, here)
  await openWithHome(page)
  for (const { next, count } of [
    { next: ann, count: 1 },
    { next: bob, count: 0 },
    { next: ann, count: 0 },
  ]) {
    // The session is gone without a sign-out.
    await page.evaluate(() => localStorage.clear())
    await signIn(page, baseURL ?? '', next)
    await startPin(page)
    await dialogOf(page).getByRole('button', { name: 'Search or add an address' }).click()
    await expect(dialogOf(page).getByRole('button', { name: 'Search for a place' })).toBeVisible()
    await expect(savedOf(page)).toHaveCount(count)
    await closePin(page)
  }
})

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
}

/** Signs in with a new session, because the first one may have ended. */
async function signIn(page: Page, base: string, { email }: Person) {
  const session = await call(base, login, { body: { email, password } })
  await page.evaluate((entries) => {
    for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value)
  }, entriesOf(session))
  await page.goto('/')
}
