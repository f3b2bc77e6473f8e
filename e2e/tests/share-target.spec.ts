import { listMyPings } from '@hither/contract/pings.ts'
import { fileLimits } from '@hither/contract/runtime/files.ts'
import type { Page } from '@playwright/test'
import { taggedPicture } from '../../server/test/pictures.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { type Person, password, storageOf } from '../people.ts'
import { waitForController } from '../push-device.ts'

test.use({ pages: 'map', serviceWorkers: 'allow' })

const recorder = /^Connecting to 'blob:/
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'New pin' })

interface Share {
  title?: string
  text?: string
  url?: string
  /** `data` is base64. */
  photo?: { name: string; type: string; data: string }
  /** Sends a fake picture of this many bytes instead. */
  bytes?: number
}

type Given = Pick<Parameters<Parameters<typeof test>[2]>[0], 'person' | 'friends' | 'browserOf' | 'expectConsole'>

async function befriendedPage(
  { person, friends, browserOf, expectConsole }: Given,
  path = '/friends',
): Promise<{ page: Page; ann: Person }> {
  // Sharing navigates away from this page while it may still be loading.
  expectConsole(cancelledRequest)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann)
  await page.goto(path)
  await waitForController(page)
  return { page, ann }
}

/** Submits the form that the share sheet of a phone submits, as a navigation. */
async function share(page: Page, shared: Share) {
  const replaced = page.waitForEvent('domcontentloaded')
  await page.evaluate(({ title, text, url, photo, bytes }) => {
    const form = document.createElement('form')
    form.action = '/share-target'
    form.method = 'POST'
    form.enctype = 'multipart/form-data'
    for (const [name, value] of Object.entries({ title, text, url })) {
      if (value === undefined) continue
      const field = document.createElement('textarea')
      field.name = name
      field.value = value
      form.append(field)
    }
    const field = document.createElement('input')
    field.type = 'file'
    field.name = 'photos'
    const files = new DataTransfer()
    if (photo !== undefined) {
      const content = Uint8Array.from(atob(photo.data), (letter) => letter.charCodeAt(0))
      files.items.add(new File([content], photo.name, { type: photo.type }))
    }
    if (bytes !== undefined) files.items.add(new File([new Uint8Array(bytes)], 'large.jpg', { type: 'image/jpeg' }))
    field.files = files.files
    form.append(field)
    document.body.append(form)
    form.submit()
  }, shared)
  await replaced
}

/** A navigation cancels the requests of the page that it leaves. */
const cancelledRequest = /ERR_FAILED/

test('a shared picture begins a new pin and becomes its picture', async ({
  api,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(recorder)
  const { page, ann } = await befriendedPage({ person, friends, browserOf, expectConsole })
  const data = (await taggedPicture('jpeg')).toString('base64')
  await share(page, {
    title: 'Soup at noon',
    text: 'By the door geo:40.7033,-74.0170',
    photo: { name: 'here.jpg', type: 'image/jpeg', data },
  })
  const dialog = dialogOf(page)
  await expect(dialog.getByRole('img', { name: 'The image you chose' })).toBeVisible()
  await expect(dialog.getByLabel('Name')).toHaveValue('Soup at noon')
  await expect(dialog.getByLabel('Message (optional)')).toHaveValue('By the door')
  await expect(page).toHaveURL(/\/$/)
  await dialog.getByRole('button', { name: 'Pin Location' }).click()
  await expect(page.getByText(/^Shared with /)).toBeVisible()
  const mine = async () =>
    (await api(listMyPings, { query: {} }, ann)).map(({ name, latitude, longitude, has_image }) => [
      name,
      latitude,
      longitude,
      has_image,
    ])
  await expect.poll(mine).toEqual([['Soup at noon', 40.7033, -74.017, true]])
  // The shared data is used only once.
  await page.goto('/?shared=1')
  await expect(page.getByText('1 active, 0 scheduled', { exact: true })).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('a shared link of a map places the pin without a request to another server', async ({
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  const { page } = await befriendedPage({ person, friends, browserOf, expectConsole })
  const asked: string[] = []
  page.context().on('request', (request) => void asked.push(new URL(request.url()).hostname))
  await share(page, { text: 'https://www.openstreetmap.org/?mlat=40.7033&mlon=-74.0170#map=17/1/1' })
  const dialog = dialogOf(page)
  await expect(dialog.getByText('The place you chose')).toBeVisible()
  await expect(dialog.getByLabel('Message (optional)')).toHaveValue('')
  await dialog.getByLabel('Name').fill('Soup')
  await expect(dialog.getByRole('button', { name: 'Pin Location' })).toBeEnabled()
  expect(new Set(asked)).toEqual(new Set(['127.0.0.1']))
})

test('content that is shared at a private place is for people who are going', async ({
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  const { page } = await befriendedPage({ person, friends, browserOf, expectConsole })
  const dialog = dialogOf(page)
  const forGoing = dialog.getByRole('radio', { name: 'Only people who are going' })
  await share(page, { title: 'Soup', text: '40.7033, -74.0170' })
  await expect(forGoing).not.toBeChecked()
  await dialog.getByRole('button', { name: 'Save this place' }).click()
  const saving = page.getByRole('dialog', { name: 'Save this place' })
  await saving.getByLabel('Name').fill('Home')
  await saving.getByRole('switch', { name: 'Private place' }).check()
  await saving.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(forGoing).toBeChecked()
  await waitForController(page)
  await share(page, { title: 'Tea', text: '40.7033, -74.0170' })
  await expect(dialog.getByLabel('Name')).toHaveValue('Tea')
  await expect(dialog.getByText(/^This is near Home/)).toBeVisible()
  await expect(forGoing).toBeChecked()
})

test('a shared picture that is too large, or none, is said to be', async ({
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  const { page } = await befriendedPage({ person, friends, browserOf, expectConsole })
  await share(page, { title: 'Soup', bytes: fileLimits.pingImageBytes + 1 })
  await expect(dialogOf(page).getByText('Image must be less than 10MB')).toBeVisible()
  await expect(dialogOf(page).getByLabel('Name')).toHaveValue('Soup')
  const data = Buffer.from('no picture').toString('base64')
  await share(page, { title: 'Tea', photo: { name: 'notes.txt', type: 'text/plain', data } })
  await expect(dialogOf(page).getByText('Please select an image file')).toBeVisible()
  await expect(dialogOf(page).getByLabel('Name')).toHaveValue('Tea')
  await expectAccessible(page)
})

test('works without network, and waits like any other pin', async ({ browserOf, expectConsole, friends, person }) => {
  expectConsole(/ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket connection|Failed to load resource/)
  const { page } = await befriendedPage({ person, friends, browserOf, expectConsole }, '/')
  await expect(page.getByText('No current pins')).toBeVisible()
  await page.context().setOffline(true)
  await share(page, { title: 'Soup', text: '40.7033, -74.0170' })
  await dialogOf(page).getByRole('button', { name: 'Pin Location' }).click()
  await expect(page.getByText('No current pins · 1 waiting to be sent')).toBeVisible()
})

test('what is shared while signed out waits for the sign-in', async ({ browserOf, expectConsole, friends, person }) => {
  expectConsole(/status of 401/, cancelledRequest)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(null)
  await page.goto('/login')
  await waitForController(page)
  await share(page, { title: 'Soup', text: '40.7033, -74.0170' })
  await signIn(page, ann)
  await expect(dialogOf(page).getByLabel('Name')).toHaveValue('Soup')
})

test('the shortcuts of the manifest open a new pin and the chat, signed in and after signing in', async ({
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  const { page, ann } = await befriendedPage({ person, friends, browserOf, expectConsole })
  const shortcuts: { name: string; url: string }[] = await page.evaluate(async () => {
    const response = await fetch('/manifest.webmanifest')
    return (await response.json()).shortcuts
  })
  const urlOf = (name: string) => shortcuts.find((shortcut) => shortcut.name === name)?.url ?? 'none'
  await page.goto(urlOf('Drop a pin'))
  await expect(dialogOf(page)).toBeVisible()
  await expect(dialogOf(page).getByRole('button', { name: 'Use my location' })).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
  await page.reload()
  await expect(page.getByText('My Pins')).toBeVisible()
  await expect(dialogOf(page)).toBeHidden()
  await page.goto(urlOf('Chat'))
  await expect(page.getByRole('heading', { name: 'Messages' })).toBeVisible()

  for (const [name, shown] of [
    ['Drop a pin', (page: Page) => dialogOf(page)],
    ['Chat', (page: Page) => page.getByRole('heading', { name: 'Messages' })],
  ] as const) {
    const visitor = await browserOf(null)
    await visitor.goto(urlOf(name))
    await signIn(visitor, ann)
    await expect(shown(visitor)).toBeVisible()
  }
})

test('a shortcut asks for the position only where it may', async ({ baseURL, browser, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const context = await browser.newContext({
    storageState: storageOf(baseURL ?? '', ann),
    permissions: ['geolocation'],
    geolocation: { latitude: 40.7033, longitude: -74.017 },
  })
  const page = await context.newPage()
  await page.goto('/?new=1')
  await expect(dialogOf(page).getByText('Where you are now')).toBeVisible()
  await context.close()
})

async function signIn(page: Page, { email }: Person) {
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  await page.getByRole('textbox', { name: /email/i }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}
