import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PingId } from '@hither/contract/ids.ts'
import { changePing, getPing, listMyPings, type Ping } from '@hither/contract/pings.ts'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { taggedPicture } from '../../server/test/pictures.ts'
import { chromiumPath, drawingArgs } from '../chromium.ts'
import { conversationsOf, messagesOf, postMessage, typeMessage } from '../conversations.ts'
import { databasesOn } from '../device-databases.ts'
import { advanceUntil, installClock } from '../fixed-clock.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { mapOf } from '../map.ts'
import { call, dropPing, type Person, storageOf } from '../people.ts'
import { makePinChat, setChatDate } from '../pin-chats.ts'
import { waitForController } from '../push-device.ts'

test.use({ pages: 'map', serviceWorkers: 'allow' })

const offline =
  /ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket connection|Failed to load resource|^Connecting to 'blob:/
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'New pin' })
const markerOf = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^You, ${name}`) })
const storedNotice = "We'll send your pin when you're back online."

/** Counts the requests with this method and path. */
function countRequests(context: BrowserContext, method: string, path: RegExp): { count: number } {
  const counted = { count: 0 }
  context.on('requestfinished', (request) => {
    if (request.method() === method && path.test(new URL(request.url()).pathname)) counted.count++
  })
  return counted
}

async function openHome(page: Page) {
  await page.goto('/')
  await expect(page.getByText('My Pins')).toBeVisible()
  await expect(page.getByText('Friends Nearby')).toBeVisible()
}

async function open(page: Page) {
  await openHome(page)
  await waitForController(page)
}

async function writePin(page: Page, name: string, { x = 200, y = 160, picture = false } = {}) {
  await mapOf(page).click({ position: { x, y } })
  await expect(dialogOf(page)).toBeVisible()
  await dialogOf(page).getByLabel('Name').fill(name)
  if (picture) {
    const choosing = page.waitForEvent('filechooser')
    await dialogOf(page).getByRole('button', { name: 'Add an image' }).click()
    const buffer = await taggedPicture('jpeg')
    await (await choosing).setFiles({ name: 'here.jpg', mimeType: 'image/jpeg', buffer })
    await expect(dialogOf(page).getByRole('img', { name: 'The image you chose' })).toBeVisible()
  }
  await dialogOf(page).getByRole('button', { name: 'Pin Location' }).click()
}

function pingsOf(base: string, person: Person): Promise<Ping[]> {
  return call(base, listMyPings, { query: {} }, person)
}

test('a pin created offline waits with its picture, survives a reload, and is sent once', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(offline)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann)
  await open(page)
  const created = countRequests(page.context(), 'POST', /^\/api\/pings\/$/)
  await page.context().setOffline(true)
  await writePin(page, 'Soup at noon', { picture: true })
  await expect(page.getByText(storedNotice)).toBeVisible()
  await expect(markerOf(page, 'Soup at noon, waiting to be sent')).toBeVisible()
  await expect(page.getByText('No current pins · 1 waiting to be sent')).toBeVisible()

  await page.reload()
  await markerOf(page, 'Soup at noon, waiting to be sent').click()
  const card = page.getByRole('dialog', { name: 'Soup at noon' })
  await expect(card.getByText('Waiting to be sent')).toBeVisible()
  await expect(card.getByText('Starts when sent, for 30 min')).toBeVisible()
  await expect(card.getByRole('img', { name: 'Picture of Soup at noon' })).toBeVisible()
  await expectAccessible(page)
  expect(await pingsOf(baseURL ?? '', ann)).toEqual([])

  await page.context().setOffline(false)
  await expect(markerOf(page, 'Soup at noon, 30 minutes left')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('1 active, 0 scheduled', { exact: true })).toBeVisible()
  await expect.poll(async () => (await pingsOf(baseURL ?? '', ann)).map((ping) => ping.has_image)).toEqual([true])
  expect(created.count).toBe(1)
  await page.reload()
  await expect(markerOf(page, 'Soup at noon')).toHaveCount(1)
  expect(await pingsOf(baseURL ?? '', ann)).toHaveLength(1)
})

test('the outbox survives a restart of the browser', async ({ baseURL, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const folder = await mkdtemp(join(tmpdir(), 'hither-browser-'))
  const start = () =>
    chromium.launchPersistentContext(folder, {
      executablePath: chromiumPath() ?? '/usr/bin/chromium',
      args: drawingArgs,
      baseURL: baseURL ?? '',
      viewport: { width: 1280, height: 800 },
    })
  try {
    const before = await start()
    const page = await before.newPage()
    await page.goto('/login')
    await page.evaluate(
      (entries) => {
        for (const { name, value } of entries) localStorage.setItem(name, value)
      },
      storageOf(baseURL ?? '', ann).origins[0]?.localStorage ?? [],
    )
    await open(page)
    await before.setOffline(true)
    await writePin(page, 'Soup at noon', { x: 300, y: 300 })
    await expect(page.getByText(storedNotice)).toBeVisible()
    // A closing browser ends its emulated offline state first, and a page that still runs would send the pin.
    for (const openPage of before.pages()) await openPage.close()
    await before.close()
    expect(await pingsOf(baseURL ?? '', ann)).toEqual([])

    const after = await start()
    const next = await after.newPage()
    await next.goto('/')
    await expect.poll(async () => (await pingsOf(baseURL ?? '', ann)).map(({ name }) => name)).toEqual(['Soup at noon'])
    // A browser with an empty code cache renders the whole world first, which takes long.
    await expect(markerOf(next, 'Soup at noon, 30 minutes left')).toBeVisible({ timeout: 20_000 })
    await after.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test.describe('without a service worker', () => {
  // A route does not reliably see the requests of a page with one.
  test.use({ serviceWorkers: 'block' })

  test('a pin whose response was lost is created once, and two tabs send it once', async ({
    baseURL,
    browserOf,
    expectConsole,
    friends,
    person,
  }) => {
    expectConsole(offline, /ERR_FAILED/)
    const [ann, bob] = [await person('ann'), await person('bob')]
    await friends(ann, bob)
    const page = await browserOf(ann)
    await openHome(page)
    const other = await page.context().newPage()
    await openHome(other)
    // The server receives the request, and its response is dropped.
    let lost = 0
    await page.context().route('**/api/pings/', async (route) => {
      if (route.request().method() !== 'POST' || lost > 1) return route.fallback()
      lost++
      await route.fetch()
      await route.abort()
    })
    await writePin(page, 'Soup at noon')
    await expect.poll(() => lost, { timeout: 20_000 }).toBe(2)
    await expect(markerOf(page, 'Soup at noon, 30 minutes left')).toHaveCount(1, { timeout: 20_000 })
    await expect(page.getByText('1 active, 0 scheduled', { exact: true })).toBeVisible()
    await expect(other.getByText('1 active, 0 scheduled', { exact: true })).toBeVisible()
    expect(await pingsOf(baseURL ?? '', ann)).toHaveLength(1)

    await page.context().setOffline(true)
    await writePin(page, 'Tea', { x: 90, y: 300 })
    await expect(other.getByText('1 active, 0 scheduled · 1 waiting to be sent')).toBeVisible()
    await page.context().setOffline(false)
    for (const tab of [page, other])
      await expect(tab.getByText('2 active, 0 scheduled', { exact: true })).toBeVisible({ timeout: 20_000 })
    expect((await pingsOf(baseURL ?? '', ann)).map(({ name }) => name).sort()).toEqual(['Soup at noon', 'Tea'])
  })
})

test('a pin that expired while it waited is not sent, and can be edited or discarded', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(offline)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann)
  await open(page)
  await page.context().setOffline(true)
  await writePin(page, 'Soup')
  await expect(page.getByText(storedNotice)).toBeVisible()
  await writePin(page, 'Tea', { x: 90, y: 300 })
  await expect(page.getByText('No current pins · 2 waiting to be sent')).toBeVisible()
  await makeOlder(page, 31)
  await page.reload()
  await page.getByRole('button', { name: /^My Pins/ }).click()
  await expect(page.getByText("This ping wasn't sent in time")).toHaveCount(2)
  await page.context().setOffline(false)
  await expect(page.getByText(/^You're offline/)).toBeHidden({ timeout: 20_000 })
  await expect(page.getByText('No current pins · 2 not sent')).toBeVisible()
  expect(await pingsOf(baseURL ?? '', ann)).toEqual([])
  await expectAccessible(page)

  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  await row('Tea').getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText("This ping wasn't sent in time")).toHaveCount(1)
  await row('Soup').getByRole('button', { name: 'Drop again' }).click()
  await expect(page.getByText('1 active, 0 scheduled', { exact: true })).toBeVisible()
  const [ping] = await pingsOf(baseURL ?? '', ann)
  expect(Date.parse(ping?.expires_at ?? '') - Date.now()).toBeGreaterThan(29 * 60_000)
})

test('a pin that the server refuses later shows the reason and keeps the input', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(offline, /status of 409/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann)
  await open(page)
  await page.context().setOffline(true)
  await writePin(page, 'Soup at noon', { picture: true })
  await expect(page.getByText(storedNotice)).toBeVisible()
  const detail = 'You have 50 pings that have not expired yet. Delete one to make room.'
  await page
    .context()
    .route('**/api/pings/', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 409, json: { detail } }) : route.fallback(),
    )
  await page.context().setOffline(false)
  await expect(page.getByRole('alert').filter({ hasText: detail })).toBeVisible({ timeout: 20_000 })
  await page.getByRole('button', { name: /^My Pins/ }).click()
  await expect(page.getByText(`Not sent: ${detail}`)).toBeVisible()
  await page.getByRole('button', { name: 'Edit' }).click()
  await expect(dialogOf(page).getByLabel('Name')).toHaveValue('Soup at noon')
  await expect(dialogOf(page).getByRole('img', { name: 'The image you chose' })).toBeVisible()

  await page.context().unroute('**/api/pings/')
  await dialogOf(page).getByLabel('Name').fill('Soup at one')
  await dialogOf(page).getByRole('button', { name: 'Pin Location' }).click()
  await expect(page.getByText('1 active, 0 scheduled', { exact: true })).toBeVisible()
  await expect
    .poll(async () => (await pingsOf(baseURL ?? '', ann)).map(({ name, has_image }) => [name, has_image]))
    .toEqual([['Soup at one', true]])
})

test('a response given offline shows as waiting, and only the last one is sent', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(offline)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann)
  const [page, annPage] = [await browserOf(bob), await browserOf(ann)]
  await open(page)
  await annPage.goto(`/pins/${ping.id}`)
  await page.goto(`/pins/${ping.id}`)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await expect(button('Going')).toBeVisible()
  const sent = countRequests(page.context(), 'POST', /\/pings\/respond$/)
  await page.context().setOffline(true)
  await button('Going').click()
  await expect(page.getByText('Waiting to be sent')).toBeVisible()
  await button('Maybe').click()
  await expect(button('Maybe')).toHaveAttribute('aria-pressed', 'true')
  await page.reload()
  await expect(button('Maybe')).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText('Waiting to be sent')).toBeVisible()
  await expectAccessible(page)
  expect((await call(baseURL ?? '', getPing, { params: { id: ping.id } }, ann)) as Ping).toMatchObject({
    responses: [],
  })

  await page.context().setOffline(false)
  await expect(page.getByText('Waiting to be sent')).toBeHidden({ timeout: 20_000 })
  await expect(button('Maybe')).toHaveAttribute('aria-pressed', 'true')
  await expect(annPage.getByText('Maybe').first()).toBeVisible()
  expect(sent.count).toBe(1)
  const { responses } = (await call(baseURL ?? '', getPing, { params: { id: ping.id } }, ann)) as Ping
  expect(responses.map(({ response_type }) => response_type)).toEqual(['tentative'])
})

test('a response to a ping that has expired meanwhile shows that it was too late', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(offline, /status of 409/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann)
  const page = await browserOf(bob)
  await open(page)
  await page.goto(`/pins/${ping.id}`)
  const going = page.getByRole('button', { name: 'Going', exact: true })
  await expect(going).toBeVisible()
  await page.context().setOffline(true)
  await going.click()
  await expect(page.getByText('Waiting to be sent')).toBeVisible()
  await call(baseURL ?? '', changePing, { params: { id: ping.id as PingId }, body: { end: true } }, ann)
  await page.context().setOffline(false)
  await expect(
    page.getByRole('alert').filter({ hasText: 'This ping has expired. No new responses can be submitted.' }).first(),
  ).toBeVisible({ timeout: 20_000 })
  await expect(going).toBeHidden()
})

test('extending a ping offline shows an error and is not sent later', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(offline)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann)
  const page = await browserOf(ann)
  await open(page)
  await page.goto(`/pins/${ping.id}`)
  await expect(page.getByRole('button', { name: '+15 min' })).toBeVisible()
  const changed = countRequests(page.context(), 'PATCH', /\/pings\//)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: '+15 min' }).click()
  await expect(page.getByText(/^Failed to add time to this ping/)).toBeVisible()
  await page.getByRole('button', { name: 'End now' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End now' }).click()
  await expect(page.getByText(/^Failed to end ping/)).toBeVisible()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText(/^Failed to delete ping/)).toBeVisible()
  await page.context().setOffline(false)
  await page.goto('/')
  await expect(page.getByText('1 active, 0 scheduled', { exact: true })).toBeVisible({ timeout: 20_000 })
  expect(changed.count).toBe(0)
  expect(await call(baseURL ?? '', getPing, { params: { id: ping.id } }, ann)).toMatchObject({
    expires_at: ping.expires_at,
  })
})

test('signing out asks first and discards the outbox, and the next user neither sees nor sends it', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(offline)
  const [ann, bob, eve] = [await person('ann'), await person('bob'), await person('eve')]
  await friends(ann, bob)
  await friends(eve, bob)
  const page = await browserOf(ann)
  await open(page)
  await page.context().setOffline(true)
  await writePin(page, 'Secret soup')
  await expect(page.getByText('No current pins · 1 waiting to be sent')).toBeVisible()

  const leave = async () => {
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
  }
  await leave()
  const question = page.getByRole('alertdialog', { name: 'Sign out?' })
  await expect(question.getByText("1 change hasn't been sent yet.")).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('No current pins · 1 waiting to be sent')).toBeVisible()
  await leave()
  await question.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)

  await page.evaluate(
    (entries) => {
      for (const { name, value } of entries) localStorage.setItem(name, value)
    },
    storageOf(baseURL ?? '', eve).origins[0]?.localStorage ?? [],
  )
  await page.goto('/')
  await expect(page.getByText('No current pins', { exact: true })).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByText(/^You're offline/)).toBeHidden({ timeout: 20_000 })
  await writePin(page, 'Tea', { x: 90, y: 300 })
  await expect(page.getByText('1 active, 0 scheduled', { exact: true })).toBeVisible()
  // The page counts before the response of the server.
  await expect.poll(async () => (await pingsOf(baseURL ?? '', eve)).map(({ name }) => name)).toEqual(['Tea'])
  expect(await pingsOf(baseURL ?? '', ann)).toEqual([])
})

test('the outbox of an account whose session ended is not visible to the next account', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(offline)
  const [ann, bob, eve] = [await person('ann'), await person('bob'), await person('eve')]
  await friends(ann, bob)
  await friends(eve, bob)
  const page = await browserOf(ann)
  await open(page)
  await page.context().setOffline(true)
  await writePin(page, 'Secret soup')
  await expect(page.getByText(storedNotice)).toBeVisible()
  const signInAs = (someone: Person) =>
    page.evaluate(
      (entries) => {
        for (const { name, value } of entries) localStorage.setItem(name, value)
      },
      storageOf(baseURL ?? '', someone).origins[0]?.localStorage ?? [],
    )
  await signInAs(eve)
  await page.reload()
  await expect(page.getByText('No current pins', { exact: true })).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByText(/^You're offline/)).toBeHidden({ timeout: 20_000 })
  await signInAs(ann)
  await page.reload()
  await expect(page.getByText('No current pins', { exact: true })).toBeVisible()
  expect(await pingsOf(baseURL ?? '', eve)).toEqual([])
  expect(await pingsOf(baseURL ?? '', ann)).toEqual([])
})

/** Moves the creation times of all outbox entries into the past. */
function makeOlder(page: Page, minutes: number): Promise<void> {
  return page.evaluate(async (ms) => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('hither-outbox')
      opening.onsuccess = () => resolve(opening.result)
    })
    const table = database.transaction('waiting', 'readwrite').objectStore('waiting')
    const keys = await new Promise<IDBValidKey[]>((resolve) => {
      const reading = table.getAllKeys()
      reading.onsuccess = () => resolve(reading.result)
    })
    for (const key of keys) {
      const items = await new Promise<{ written_at: number }[]>((resolve) => {
        const reading = table.get(key)
        reading.onsuccess = () => resolve(reading.result)
      })
      table.put(
        items.map((item) => ({ ...item, written_at: item.written_at - ms })),
        key,
      )
    }
    await new Promise((resolve) => {
      table.transaction.oncomplete = resolve
    })
    database.close()
  }, minutes * 60_000)
}

test('a device that was offline over the date of a chat shows and stores nothing of it, and says once what was not sent', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(offline, /404/)
  const base = baseURL ?? ''
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
  const chat = await makePinChat(base, ann, [bob, cat])
  await postMessage(base, chat.id, 'Secret supper', ann)
  const page = await browserOf(bob)
  await installClock(page)
  await page.goto(`/chat/${chat.id}`)
  await waitForController(page)
  await expect(messagesOf(page).getByText('Secret supper')).toBeVisible()
  await expect.poll(() => databasesOn(page)).toContain('Secret supper')
  await page.context().setOffline(true)
  for (const text of ['Secret soup', 'Secret cake']) await typeMessage(page, text)
  await page.getByRole('textbox', { name: 'Type a message...' }).fill('Secret half')
  await expect.poll(() => databasesOn(page)).toContain('Secret cake')

  // The app is closed, and opened without a network after the date.
  await page.goto('about:blank')
  await page.clock.fastForward(200 * 3_600_000)
  await page.goto('/chat')
  await expect(page.getByRole('heading', { name: 'Messages' })).toBeVisible()
  await expect(conversationsOf(page)).toHaveCount(0)
  await expect(page.getByText(/Secret|Coffee at Nero Chat/)).toHaveCount(0)
  await page.clock.runFor(2000)
  const onDevice = async () => (await databasesOn(page)) + (await page.evaluate(() => JSON.stringify(localStorage)))
  await expect.poll(onDevice).not.toContain('Secret')
  await expect(page.getByText(/wasn't sent|weren't sent/)).toHaveCount(0)

  await setChatDate(process.env['E2E_DATA_DIR'] ?? '', chat.id, new Date())
  await page.context().setOffline(false)
  const unsent = page.getByText("Coffee at Nero Chat has ended, so 2 messages weren't sent.")
  await advanceUntil(page, unsent, 'visible', 60_000)
  await advanceUntil(page, unsent, 'hidden', 10_000)
  await page.reload()
  await page.clock.runFor(2000)
  await expect(page.getByRole('heading', { name: 'Messages' })).toBeVisible()
  await expect(unsent).toHaveCount(0)
})
