import { fileLimits } from '@hither/contract/files.ts'
import { createConversation } from '@hither/contract/messages.ts'
import { updateUser } from '@hither/contract/users.ts'
import { type Locator, type Page } from '@playwright/test'
import { taggedPicture } from '../../server/test/pictures.ts'
import { expect, test } from '../fixtures.ts'
import { dropPing, type Person } from '../people.ts'
import { bringClock, expectShownFor, stopClock } from '../standing-clock.ts'

// The recorder of traces asks for pictures in ways that the page's policy refuses it.
const recorder = /^Connecting to 'blob:/
const battery = { latitude: 40.7033, longitude: -74.017 }
const here = { permissions: ['geolocation'], geolocation: battery }

const mapOf = (page: Page) => page.getByRole('region', { name: 'Map of pins' })
const quickPinOf = (page: Page) => page.getByRole('button', { name: 'Quick pin: here, 30 minutes, all friends' })
const chatSwitchOf = (dialog: Locator) => dialog.getByRole('switch', { name: 'Start a group chat' })

async function beginPin(page: Page): Promise<Locator> {
  await page.goto('/')
  await mapOf(page).click({ position: { x: 200, y: 160 } })
  const dialog = page.getByRole('dialog', { name: 'New pin' })
  await expect(dialog).toBeVisible()
  return dialog
}

async function choose(page: Page, button: Locator, file: { name: string; mimeType: string; buffer: Buffer }) {
  const choosing = page.waitForEvent('filechooser')
  await button.click()
  await (await choosing).setFiles(file)
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

test('a pin takes a picture along, which its guests see', async ({ browserOf, expectConsole, friends, person }) => {
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
  const preview = dialog.getByRole('img', { name: 'The chosen image' })
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
  await expect(page.getByText(/^Sending the picture…/)).toBeVisible()
  await page.getByRole('button', { name: /^You, Coffee at Nero/ }).click()
  const card = page.getByRole('dialog', { name: 'Coffee at Nero' })
  await expect(card.getByRole('img', { name: 'Picture of Coffee at Nero' })).toBeVisible()
  await expect(card.getByRole('progressbar', { name: 'Sending the picture…' })).toBeVisible()
  gate.resolve()
  await expect(card.getByRole('progressbar')).toBeHidden()
  await expect(page.getByText(/^Sending the picture…/)).toBeHidden()

  await bobPage.getByRole('button', { name: new RegExp(`^${ann.username}, Coffee at Nero`) }).click()
  const bobCard = bobPage.getByRole('dialog', { name: 'Coffee at Nero' })
  await expect(bobCard.getByRole('img', { name: 'Picture of Coffee at Nero' })).toBeVisible()
  await bobCard.getByRole('link', { name: 'See more' }).click()
  const large = bobPage.getByRole('article').getByRole('img', { name: 'Picture of Coffee at Nero' })
  await expect.poll(async () => (await large.boundingBox())?.height).toBe(300)
})

test('a pin whose picture cannot be sent stands, and says for 5 seconds that one can be added later', async ({
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(recorder, /ERR_FAILED/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann)
  await bringClock(page)
  await page.route('**/api/files/pin-image/*', (route) => route.abort())
  const dialog = await beginPin(page)
  await dialog.getByLabel('Name').fill('Coffee at Nero')
  await choose(page, dialog.getByRole('button', { name: 'Add an image' }), await picture())
  await stopClock(page)
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

test('a pin with two guests starts their chat unless told otherwise, and the notice names it for 3 seconds', async ({
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, cat] = await befriendTwo(person, friends)
  const page = await browserOf(ann)
  await bringClock(page)
  const dialog = await beginPin(page)
  await dialog.getByLabel('Name').fill('Coffee at Nero')
  await expect(chatSwitchOf(dialog)).toBeChecked()
  await dialog.getByRole('radio', { name: 'Selected friends' }).check()
  await expect(chatSwitchOf(dialog)).toBeHidden()
  await dialog.getByRole('checkbox', { name: bob.username }).check()
  await expect(chatSwitchOf(dialog)).toBeHidden()
  await dialog.getByRole('checkbox', { name: cat.username }).check()
  await expect(chatSwitchOf(dialog)).toBeChecked()
  const asked = page.waitForRequest((request) => request.method() === 'POST' && /conversations/.test(request.url()))
  await stopClock(page)
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
  test(`where starting the chat ${what}, the pin stands and the notice says so for 3 seconds`, async ({
    browserOf,
    expectConsole,
    friends,
    person,
  }) => {
    expectConsole(/status of 500/)
    const [ann] = await befriendTwo(person, friends)
    const page = await browserOf(ann)
    await bringClock(page)
    await page.route('**/api/messages/conversations/', (route) => route.fulfill(answer))
    const dialog = await beginPin(page)
    await dialog.getByLabel('Name').fill('Coffee at Nero')
    await stopClock(page)
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

test('a pin without its chat is made where that is switched off, and the form is empty after', async ({
  browserOf,
  friends,
  person,
}) => {
  const [ann] = await befriendTwo(person, friends)
  const page = await browserOf(ann)
  let chats = 0
  page.on('request', (request) => void (request.method() === 'POST' && /conversations/.test(request.url()) && chats++))
  const dialog = await beginPin(page)
  await dialog.getByLabel('Name').fill('Coffee at Nero')
  await chatSwitchOf(dialog).uncheck()
  await dialog.getByRole('button', { name: 'Advanced options' }).click()
  await dialog.getByRole('switch', { name: 'Show responses to all guests' }).uncheck()
  await dialog.getByRole('switch', { name: 'Public link' }).check()
  const said = dialog.getByText(/^2 friends and anyone with the link, until \d\d:\d\d$/)
  await expect(said).toBeVisible()
  const before = (await said.textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Pin Location' }).click()
  await expect(page.getByText('Ping created successfully', { exact: true })).toBeVisible()
  expect(chats).toBe(0)

  await page.getByRole('button', { name: /^You, Coffee at Nero/ }).click()
  const card = page.getByRole('dialog', { name: 'Coffee at Nero' })
  // A minute may have passed between the two.
  await expect(card.getByText(before.replace(/\d\d:\d\d$/, ''))).toBeVisible()
  await card.getByRole('button', { name: 'Close' }).click()

  await mapOf(page).click({ position: { x: 120, y: 300 } })
  await expect(dialog.getByLabel('Name')).toHaveValue('')
  await expect(chatSwitchOf(dialog)).toBeChecked()
  await expect(dialog.getByText(/^2 friends, until/)).toBeVisible()
})

test('a quick pin takes one tap, is there before the server answers, and says who sees it', async ({
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const [page, bobPage] = [await browserOf(ann, here), await browserOf(bob)]
  await bobPage.goto('/')
  await page.goto('/')
  await expect(mapOf(page)).toBeVisible()
  const gate = Promise.withResolvers<void>()
  await page.route('**/api/pings/', async (route) => {
    if (route.request().method() === 'POST') await gate.promise
    return route.continue()
  })
  const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/pings/'))
  await quickPinOf(page).click()
  await expect(page.getByRole('button', { name: /^You, My Pin, 30 minutes left/ })).toBeVisible()
  gate.resolve()
  await expect(page.getByText(/^Ping created successfully: 1 friend, until \d\d:\d\d$/)).toBeVisible()
  const defaults = { name: 'My Pin', duration_minutes: 30, is_public: false, responses_visible: true }
  expect((await asked).postDataJSON()).toEqual({ ...defaults, ...battery, client_id: expect.any(String) })
  await expect(bobPage.getByText('My Pin', { exact: true })).toBeAttached()
})

test('a quick pin that cannot be made is taken back with the reason', async ({
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
  await expect(page.getByText(detail)).toBeVisible()
  await expect(page.locator('[aria-label^="You, My Pin"]')).toHaveCount(0)

  // Nobody to see it.
  const evePage = await browserOf(eve, here)
  await evePage.goto('/friends')
  await expect(evePage.getByText('No friends yet. Start by adding some friends!')).toBeVisible()
  await evePage.getByRole('link', { name: 'Home' }).click()
  await quickPinOf(evePage).click()
  await expect(evePage.getByText('No friends available. Please add some friends first!')).toBeVisible()
})

test('a quick pin asks on where the device does not say where it is', async ({ browserOf, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann)
  await page.goto('/')
  await quickPinOf(page).click()
  await page.getByRole('button', { name: 'Got it' }).click()
  const dialog = page.getByRole('dialog', { name: 'New pin' })
  await expect(dialog.getByText('Location not available. Please enable location services.')).toBeVisible()
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
  test(`a server that answers ${what} is said to`, async ({ browserOf, expectConsole, friends, person }) => {
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

test('an invitee who is not in the chat of a pin joins it by opening it', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
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
