import { createConversation } from '@hither/contract/messages/messages.ts'
import { fileLimits } from '@hither/contract/runtime/files.ts'
import { updateUser } from '@hither/contract/users.ts'
import type { Locator, Page } from '@playwright/test'
import { taggedPicture } from '../../server/test/pictures.ts'
import { expectShownFor, installClock, pauseClock } from '../fixed-clock.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { mapOf, tapMap } from '../map.ts'
import { dropPing, type Person } from '../people.ts'

test.use({ pages: 'map' })

// The Content-Security-Policy refuses requests of Playwright's trace recorder for pictures.
const recorder = /^Connecting to 'blob:/
const battery = { latitude: 40.7033, longitude: -74.017 }
const here = { permissions: ['geolocation'], geolocation: battery }

const quickPinOf = (page: Page) => page.getByRole('button', { name: 'Quick pin: here, 30 minutes, all friends' })
const chatSwitchOf = (dialog: Locator) => dialog.getByRole('switch', { name: 'Start a group chat' })

async function beginPin(page: Page): Promise<Locator> {
  await page.goto('/')
  await tapMap(page)
  const dialog = page.getByRole('dialog', { name: 'New pin' })
  await expect(dialog).toBeVisible()
  return dialog
}

async function choose(page: Page, button: Locator, file: { name: string; mimeType: string; buffer: Buffer }) {
  const choosing = page.waitForEvent('filechooser')
  await button.click()
  await (await choosing).setFiles(file)
}

async function boxOf(element: Locator) {
  return (await element.boundingBox()) ?? { x: 0, y: 0 }
}

async function picture() {
  return { name: 'here.jpg', mimeType: 'image/jpeg', buffer: await taggedPicture('jpeg') }
}

async function befriendTwo(
  person: (name: string) => Promise<Person>,
  friends: (a: Person, b: Person) => Promise<void>,
): Promise<[Person, Person, Person]> {
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
  return [ann, bob, cat]
}

test('the buttons of the dialog keep their position when the code of its small map arrives', async ({
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann, { ...here, serviceWorkers: 'block' })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/assets\/PlaceMap-/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/')
  await expect(mapOf(page)).toBeVisible()
  await expect(page.getByText('Loading map...')).toBeHidden({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Drop a pin' }).click()
  const dialog = page.getByRole('dialog', { name: 'New pin' })
  await expect(dialog.getByText('40.7033, -74.0170')).toBeVisible()
  const smallMap = dialog.getByRole('region', { name: 'Map of the new pin' })
  await expect(smallMap).toBeHidden()
  // Relative to the dialog, because it moves while it opens.
  const offsetOfButton = async () =>
    Math.round(
      (await boxOf(dialog.getByRole('button', { name: 'Search or add an address' }))).y - (await boxOf(dialog)).y,
    )
  const before = await offsetOfButton()
  release()
  await expect(smallMap).toBeVisible()
  expect(await offsetOfButton()).toBe(before)
})

test('the pin of the small map in the dialog is dragged or moved with the arrow keys, and its place is sent', async ({
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann, here)
  await page.goto('/')
  await expect(mapOf(page)).toBeVisible()
  // The dialog has a small map only if the large one was drawn before.
  await expect(page.getByText('Loading map...')).toBeHidden({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Drop a pin' }).click()
  const dialog = page.getByRole('dialog', { name: 'New pin' })
  await expect(dialog.getByText('40.7033, -74.0170')).toBeVisible()
  await expect(dialog.getByRole('region', { name: 'Map of the new pin' })).toBeInViewport()
  await expect(dialog.getByLabel('Name')).toBeInViewport({ ratio: 1 })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await expect(dialog.getByLabel('Address (optional)')).toBeHidden()

  const pin = dialog.getByRole('button', { name: /^Move the pin/ })
  const box = await boxOf(pin)
  await page.mouse.move(box.x + 24, box.y + 24)
  await page.mouse.down()
  await page.mouse.move(box.x + 74, box.y + 4, { steps: 5 })
  await page.mouse.up()
  await expect(dialog.getByText('40.7033, -74.0170')).toBeHidden()
  // The map follows the pin.
  await expect.poll(async () => Math.round((await boxOf(pin)).x - box.x)).toBe(0)
  await pin.press('ArrowUp')
  await expect.poll(async () => Math.round((await boxOf(pin)).y - box.y)).toBe(0)
  await expectAccessible(page)

  await dialog.getByLabel('Name').fill('On the corner')
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/pings/'))
  await dialog.getByRole('button', { name: 'Pin Location' }).click()
  const { latitude, longitude } = (await sent).postDataJSON()
  // At zoom 15, a pixel is 0.00002146 degrees of longitude wide and 0.00001627 degrees of latitude high here.
  expect(longitude).toBeCloseTo(battery.longitude + 50 * 0.00002146, 4)
  expect(latitude).toBeCloseTo(battery.latitude + (20 + 12) * 0.00001627, 4)
})

test('a new pin can have a picture, which its invitees see', async ({ browserOf, expectConsole, friends, person }) => {
  expectConsole(recorder)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const [page, bobPage] = [await browserOf(ann), await browserOf(bob)]
  await bobPage.goto('/')
  const dialog = await beginPin(page)
  const add = dialog.getByRole('button', { name: 'Add an image' })

  await choose(page, add, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') })
  await expect(dialog.getByText('Please select an image file')).toBeVisible()
  const tooLarge = Buffer.alloc(fileLimits.pingImageBytes + 1)
  await choose(page, add, { name: 'large.jpg', mimeType: 'image/jpeg', buffer: tooLarge })
  await expect(dialog.getByText('Image must be less than 10MB')).toBeVisible()
  await expect(dialog.getByText('Please select an image file')).toBeHidden()

  await choose(page, add, await picture())
  await expect(dialog.getByText('Image must be less than 10MB')).toBeHidden()
  const preview = dialog.getByRole('img', { name: 'The image you chose' })
  await expect(preview).toBeVisible()
  await dialog.getByRole('button', { name: 'Remove image' }).click()
  await expect(preview).toBeHidden()
  await choose(page, add, await picture())
  await expect(preview).toBeVisible()

  await dialog.getByLabel('Name').fill('Coffee at Nero')
  const gate = Promise.withResolvers<void>()
  await page.route('**/api/files/pin-image/*', async (route) => {
    await gate.promise
    return route.continue()
  })
  await dialog.getByRole('button', { name: 'Pin Location' }).click()
  await expect(page.getByText(/^Uploading the picture…/)).toBeVisible()
  await page.getByRole('button', { name: /^You, Coffee at Nero/ }).click()
  const card = page.getByRole('dialog', { name: 'Coffee at Nero' })
  await expect(card.getByRole('img', { name: 'Picture of Coffee at Nero' })).toBeVisible()
  await expect(card.getByRole('progressbar', { name: 'Uploading the picture…' })).toBeVisible()
  gate.resolve()
  await expect(card.getByRole('progressbar')).toBeHidden()
  await expect(page.getByText(/^Uploading the picture…/)).toBeHidden()

  await bobPage.getByRole('button', { name: new RegExp(`^${ann.username}, Coffee at Nero`) }).click()
  const bobCard = bobPage.getByRole('dialog', { name: 'Coffee at Nero' })
  await expect(bobCard.getByRole('img', { name: 'Picture of Coffee at Nero' })).toBeVisible()
  await bobCard.getByRole('link', { name: 'See more' }).click()
  const large = bobPage.getByRole('article').getByRole('img', { name: 'Picture of Coffee at Nero' })
  await expect.poll(async () => (await large.boundingBox())?.height).toBe(300)
})

test('a pin is created without its picture when the upload fails, and a notice for 5 seconds says so', async ({
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(recorder, /ERR_FAILED/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann)
  await installClock(page)
  await page.route('**/api/files/pin-image/*', (route) => route.abort())
  const dialog = await beginPin(page)
  await dialog.getByLabel('Name').fill('Coffee at Nero')
  await choose(page, dialog.getByRole('button', { name: 'Add an image' }), await picture())
  await pauseClock(page)
  await dialog.getByRole('button', { name: 'Pin Location' }).click()
  const failure = 'Ping created but image upload failed. You can try adding an image later.'
  await expectShownFor(page, page.getByText(failure), 5000)
  await page.clock.resume()

  await page.unroute('**/api/files/pin-image/*')
  await page.getByRole('button', { name: /^You, Coffee at Nero/ }).click()
  await page.getByRole('link', { name: 'See more' }).click()
  await choose(page, page.getByRole('button', { name: 'Add a picture' }), await picture())
  await expect(page.getByText('Picture added')).toBeVisible()
  await expect(page.getByRole('img', { name: 'Picture of Coffee at Nero' })).toBeVisible()
})

test('a pin for two friends starts a chat by default, and a notice for 3 seconds names it', async ({
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, cat] = await befriendTwo(person, friends)
  const page = await browserOf(ann)
  await installClock(page)
  const dialog = await beginPin(page)
  await dialog.getByLabel('Name').fill('Coffee at Nero')
  await expect(chatSwitchOf(dialog)).toBeChecked()
  await dialog.getByRole('button', { name: 'Selected friends' }).click()
  await expect(chatSwitchOf(dialog)).toBeHidden()
  await dialog.getByRole('checkbox', { name: bob.username }).check()
  await expect(chatSwitchOf(dialog)).toBeHidden()
  await dialog.getByRole('checkbox', { name: cat.username }).check()
  await expect(chatSwitchOf(dialog)).toBeChecked()
  const asked = page.waitForRequest((request) => request.method() === 'POST' && /conversations/.test(request.url()))
  await pauseClock(page)
  await dialog.getByRole('button', { name: 'Pin Location' }).click()
  const made = 'Ping created successfully with group chat "Coffee at Nero Chat"'
  await expectShownFor(page, page.getByText(made), 3000)
  await page.clock.resume()
  expect((await asked).postDataJSON()).toEqual({
    name: 'Coffee at Nero Chat',
    participant_ids: expect.arrayContaining([bob.session.user.id, cat.session.user.id]),
    ping_id: expect.any(String),
    system_created: true,
  })

  const bobPage = await browserOf(bob)
  await bobPage.goto('/chat')
  await expect(bobPage.getByText('Coffee at Nero Chat')).toBeVisible()
  await page.getByRole('button', { name: /^You, Coffee at Nero/ }).click()
  await page.getByRole('link', { name: 'See more' }).click()
  await page.getByRole('button', { name: 'Open chat' }).click()
  await expect(page).toHaveURL(/\/chat\/[0-9a-f-]{36}$/)
})

for (const { what, answer, message } of [
  { what: 'fails', answer: { status: 500, json: { detail: 'no' } }, message: '(group chat creation failed)' },
  { what: 'brings none', answer: { status: 200, json: null }, message: '(group chat not created)' },
])
  test(`when starting the chat ${what}, the pin is created and a notice for 3 seconds says so`, async ({
    browserOf,
    expectConsole,
    friends,
    person,
  }) => {
    expectConsole(/status of 500/)
    const [ann] = await befriendTwo(person, friends)
    const page = await browserOf(ann)
    await installClock(page)
    await page.route('**/api/messages/conversations/', (route) => route.fulfill(answer))
    const dialog = await beginPin(page)
    await dialog.getByLabel('Name').fill('Coffee at Nero')
    await pauseClock(page)
    await dialog.getByRole('button', { name: 'Pin Location' }).click()
    await expectShownFor(page, page.getByText(`Ping created successfully ${message}`, { exact: true }), 3000)
    await page.clock.resume()
    await expect(page.getByRole('button', { name: /^You, Coffee at Nero/ })).toBeVisible()

    await page.unroute('**/api/messages/conversations/')
    await page.getByRole('button', { name: /^You, Coffee at Nero/ }).click()
    await page.getByRole('link', { name: 'See more' }).click()
    await page.getByRole('button', { name: 'Start group chat' }).click()
    await expect(page).toHaveURL(/\/chat\/[0-9a-f-]{36}$/)
  })

test('a public pin is created without a chat when the switch is off, the share sheet is offered, and the form is reset', async ({
  browserOf,
  friends,
  person,
}) => {
  const [ann] = await befriendTwo(person, friends)
  const page = await browserOf(ann)
  await page.addInitScript(() => {
    navigator.share = async (data) => void Reflect.set(window, 'shared', data)
  })
  let chats = 0
  page.on('request', (request) => void (request.method() === 'POST' && /conversations/.test(request.url()) && chats++))
  const dialog = await beginPin(page)
  await dialog.getByLabel('Name').fill('Coffee at Nero')
  await chatSwitchOf(dialog).uncheck()
  await dialog.getByRole('button', { name: 'Advanced options' }).click()
  await dialog.getByRole('switch', { name: 'Show responses to all guests' }).uncheck()
  await dialog.getByRole('switch', { name: 'Public link' }).check()
  const said = dialog.getByText(/^2 friends and anyone with the link, until (\d\d:\d\d|midnight)$/)
  await expect(said).toBeVisible()
  const before = (await said.textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Pin Location' }).click()
  await expect(
    page.getByText(/^Shared with 2 friends and anyone with the link until (\d\d:\d\d|midnight)$/),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'shared'))).toMatchObject({ title: 'Coffee at Nero' })
  expect(chats).toBe(0)

  await page.getByRole('button', { name: /^You, Coffee at Nero/ }).click()
  const card = page.getByRole('dialog', { name: 'Coffee at Nero' })
  // A minute may have passed between the two texts.
  await expect(card.getByText(before.replace(/\d\d:\d\d$/, ''))).toBeVisible()
  await card.getByRole('button', { name: 'Close' }).click()

  await mapOf(page).click({ position: { x: 120, y: 300 } })
  await expect(dialog.getByLabel('Name')).toHaveValue('')
  await expect(chatSwitchOf(dialog)).toBeChecked()
  await expect(dialog.getByText(/^2 friends, until/)).toBeVisible()
})

test('a quick pin takes one tap, appears at once, is not sent if it is undone within 5 seconds, and a notice leads to it', {
  tag: '@quick',
}, async ({ browserOf, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const [page, bobPage] = [await browserOf(ann, here), await browserOf(bob)]
  await bobPage.goto('/')
  await page.goto('/')
  await expect(mapOf(page)).toBeVisible()
  await expect(page.getByText('Loading map...')).toBeHidden({ timeout: 30_000 })
  const sent: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/pings/')) sent.push(Date.now())
  })
  const sending = page.getByRole('button', { name: 'You, My Pin, sending…' })
  const dropping = page.getByText(/^Dropping My Pin for (1 friend|all friends), until (\d\d:\d\d|midnight)$/)
  await quickPinOf(page).click()
  await expect(sending).toBeVisible()
  await expect(dropping).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Pin not sent')).toBeVisible()
  await expect(sending).toBeHidden()

  const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/pings/'))
  const tappedAt = Date.now()
  await quickPinOf(page).click()
  await expect(dropping).toBeVisible()
  const defaults = { name: 'My Pin', is_unnamed: true, duration_minutes: 30, is_public: false, responses_visible: true }
  expect((await asked).postDataJSON()).toEqual({ ...defaults, ...battery, client_id: expect.any(String) })
  expect(sent).toHaveLength(1)
  expect(sent[0]).toBeGreaterThanOrEqual(tappedAt + 5000)
  const notice = page.getByText(/^Shared with 1 friend until (\d\d:\d\d|midnight)$/)
  await expect(notice).toBeVisible()
  // The notice stays while the pointer is on it.
  await notice.hover()
  await expect(page.getByRole('button', { name: /^You, My Pin, 30 minutes left/ })).toBeVisible()
  await page.getByRole('button', { name: 'View' }).click()
  await expect(page).toHaveURL(/\/pins\/[0-9a-f-]{36}$/)
  await expect(page.getByText(/^near .*New Jersey, US$|^near .*New York, US$/)).toBeVisible()
  // The default name means nothing to others, so they see the name of the owner.
  await expect(bobPage.getByText(`${ann.username}'s pin`, { exact: true })).toBeAttached()
  await expect(bobPage.getByText('My Pin', { exact: true })).toHaveCount(0)
})

test('a refused quick pin is removed and the reason is shown', async ({
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of 409/)
  const [ann, bob, eve] = [await person('ann'), await person('bob'), await person('eve')]
  await friends(ann, bob)
  const detail = 'You have 50 pings that have not expired yet. Delete one to make room.'
  const page = await browserOf(ann, here)
  await page.route('**/api/pings/', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 409, json: { detail } }) : route.fallback(),
  )
  await page.goto('/')
  await quickPinOf(page).click()
  await expect(page.getByText(detail)).toBeVisible({ timeout: 20_000 })
  await expect(page.locator('[aria-label^="You, My Pin"]')).toHaveCount(0)

  // Eve has no friends, so nobody would see the pin.
  const evePage = await browserOf(eve, here)
  await evePage.goto('/friends')
  await expect(evePage.getByText('No friends yet. Start by adding some friends!')).toBeVisible()
  await evePage.getByRole('link', { name: 'Home' }).click()
  await quickPinOf(evePage).click()
  await expect(evePage.getByText('No friends available. Please add some friends first!')).toBeVisible()
})

test('a quick pin opens the dialog when the position of the device is unavailable', async ({
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann)
  await page.goto('/')
  await quickPinOf(page).click()
  await page.getByRole('button', { name: 'Got it' }).click()
  const dialog = page.getByRole('dialog', { name: 'New pin' })
  await expect(dialog.getByText('Location not available. Please enable location services.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Use my location' })).toBeVisible()
})

for (const { what, json, image, message } of [
  { what: 'nothing', json: null, image: false, message: 'Ping creation failed - no ping data returned' },
  {
    what: 'a ping without id',
    json: { name: 'Coffee at Nero' },
    image: true,
    message: 'Ping created but missing ID for image upload',
  },
])
  test(`creating a pin shows an error when the server responds with ${what}`, async ({
    browserOf,
    expectConsole,
    friends,
    person,
  }) => {
    expectConsole(recorder)
    const [ann, bob] = [await person('ann'), await person('bob')]
    await friends(ann, bob)
    const page = await browserOf(ann)
    await page.route('**/api/pings/', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 201, json }) : route.fallback(),
    )
    const dialog = await beginPin(page)
    await dialog.getByLabel('Name').fill('Coffee at Nero')
    if (image) await choose(page, dialog.getByRole('button', { name: 'Add an image' }), await picture())
    await dialog.getByRole('button', { name: 'Pin Location' }).click()
    await expect(page.getByText(message)).toBeVisible()
    await expect(page.locator('[aria-label^="You, Coffee at Nero"]')).toHaveCount(0)
  })

test('an invitee joins the chat of a pin by opening it', async ({ api, baseURL, browserOf, friends, person }) => {
  const [ann, bob, cat] = await befriendTwo(person, friends)
  await api(updateUser, { params: { id: bob.session.user.id }, body: { auto_join_chats: false } }, bob)
  const ping = await dropPing(baseURL ?? '', ann)
  const participant_ids = [bob, cat].map(({ session }) => session.user.id)
  const body = { name: 'Coffee at Nero Chat', participant_ids, ping_id: ping.id, system_created: true }
  const { id } = await api(createConversation, { body }, ann)
  const page = await browserOf(bob)
  await page.goto(`/pins/${ping.id}`)
  await page.getByRole('button', { name: 'Open chat' }).click()
  await expect(page).toHaveURL(`/chat/${id}`)
  await expect(page.getByText('3 members')).toBeVisible()
})

test('with forced colors, what is chosen has the color of the selection', async ({ browserOf, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann, { forcedColors: 'active', permissions: ['geolocation'], geolocation: battery })
  const highlight = () =>
    page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'))
      probe.style.cssText = 'forced-color-adjust: none; background: Highlight'
      const { backgroundColor } = getComputedStyle(probe)
      probe.remove()
      return backgroundColor
    })
  const colorOf = (part: Locator) => part.evaluate((element) => getComputedStyle(element).backgroundColor)
  await page.goto('/')
  await page.getByRole('button', { name: 'Drop a pin' }).click()
  const selected = await highlight()
  const pill = (text: string) => page.locator('label').filter({ hasText: text })
  await page.getByRole('radio', { name: '2 h' }).check()
  await expect.poll(() => colorOf(pill('2 h'))).toBe(selected)
  expect(await colorOf(pill('30 min'))).not.toBe(selected)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  const home = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home', exact: true })
  expect(await colorOf(home)).toBe(selected)
})
