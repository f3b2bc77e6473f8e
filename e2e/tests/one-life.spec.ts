import { changePing, deletePing } from '@hither/contract/pings.ts'
import type { Page } from '@playwright/test'
import { databasesOn } from '../device-databases.ts'
import { installClock } from '../fixed-clock.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { withIdleWork } from '../light-page.ts'
import { befriend, call, dropPing, type Person, signUp, storageOf } from '../people.ts'
import { type OwnServer, startOwnServer } from '../servers.ts'

test.use({ pages: 'map' })

const exact = { latitude: 40.758912, longitude: -73.985123, address: '1564 Broadway' } as const
const exactDigits = /758912|985123|1564 Broadway/
const again = "The exact place isn't stored anymore. Choose it again."
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'New pin' })

let server: OwnServer
let ann: Person
let bob: Person

test.beforeEach(async ({ expectConsole }) => {
  // The server stops while the pages are open.
  expectConsole(/ERR_|Failed to fetch|WebSocket connection|Failed to load resource|Worker failed to load/)
  // The exact place of a pin is erased at its end.
  server = await startOwnServer({ PLACE_KEEP_HOURS: '0' })
  ;[ann, bob] = [await signUp(server.base, 'ann'), await signUp(server.base, 'bob')]
  await befriend(server.base, ann, bob)
})
test.afterEach(() => server.stop())

async function open(browserOf: (person: null, options: object) => Promise<Page>, person: Person) {
  const page = await browserOf(null, { baseURL: server.base, storageState: storageOf(server.base, person) })
  await withIdleWork(page)
  return page
}
const drop = (fields = {}) =>
  dropPing(server.base, ann, { ...exact, message: 'Upstairs', recipient_ids: [bob.session.user.id], ...fields })
const end = (id: Awaited<ReturnType<typeof drop>>['id']) =>
  call(server.base, changePing, { params: { id }, body: { end: true } }, ann)

/** The records of own pins on the device, as text. */
const recordsOn = (page: Page) => databasesOn(page, 'hither-outbox')

test('after its end an own pin shows a circle and no directions, and is dropped again at its place on this device only', async ({
  browserOf,
}) => {
  const { id } = await drop()
  const page = await open(browserOf, ann)
  await page.goto(`/pins/${id}`)
  await expect(page.getByText(exact.address)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Directions' })).toBeVisible()
  await expect.poll(() => recordsOn(page)).toMatch(exactDigits)

  await end(id)
  await expect(page.getByText(/^Near .+, New York, US\. The exact place isn't stored anymore\.$/)).toBeVisible()
  await expect(page.getByRole('img', { name: /^Map: somewhere near .+, within about 0\.6 mi$/ })).toBeVisible({
    timeout: 30_000,
  })
  await expect(page.getByRole('link', { name: 'Directions' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Save this place' })).toBeHidden()
  expect(await page.content()).not.toMatch(exactDigits)
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Drop again' }).click()
  await expect(dialogOf(page).getByText(exact.address)).toBeVisible()
  await expect(dialogOf(page).getByText(again)).toBeHidden()

  const other = await open(browserOf, ann)
  await other.goto(`/pins/${id}`)
  await other.getByRole('link', { name: 'Drop again' }).click()
  await expect(dialogOf(other).getByText(again)).toBeVisible()
  await expect(dialogOf(other).getByLabel('Name', { exact: true })).toHaveValue('Coffee at Nero')
  await expect(dialogOf(other).getByLabel('Message (optional)')).toHaveValue('Upstairs')
  await expect(dialogOf(other).getByRole('button', { name: 'Pin Location' })).toBeDisabled()
  await expectAccessible(other)
  expect(await recordsOn(other)).not.toMatch(exactDigits)
})

test('what the device stores about own pins makes suggestions, is never sent, and goes with a deleted pin and at sign-out', async ({
  browserOf,
}) => {
  const page = await open(browserOf, ann)
  const sent: string[] = []
  page.on('request', (request) => void sent.push(`${request.url()} ${request.postData() ?? ''}`))
  const pins = [await drop(), await drop()]
  await page.goto('/')
  for (const { id } of pins) await expect.poll(() => recordsOn(page)).toContain(id)
  for (const { id } of pins) await end(id)
  await expect(page.getByRole('button', { name: /^Coffee at Nero for 1 friend, 30 minutes, edit$/ })).toBeVisible({
    // The lists look at the time twice a minute.
    timeout: 45_000,
  })
  const deleted = await drop({ name: 'Chess' })
  await expect.poll(() => recordsOn(page)).toContain(deleted.id)
  // On another device.
  await call(server.base, deletePing, { params: { id: deleted.id } }, ann)
  await expect.poll(() => recordsOn(page)).not.toContain(deleted.id)
  expect(await recordsOn(page)).toMatch(exactDigits)
  expect(sent.join('\n')).not.toMatch(exactDigits)

  await page.goto('/profile')
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect.poll(() => recordsOn(page)).not.toMatch(exactDigits)
})

test('a device that is offline over the end shows and stores the place in the record of the own pin only', async ({
  browserOf,
}) => {
  const { id } = await drop()
  const page = await open(browserOf, ann)
  await installClock(page)
  const invited = await open(browserOf, bob)
  await installClock(invited)
  for (const [device, isOwn] of [
    [page, true],
    [invited, false],
  ] as const) {
    const watching = device.waitForResponse('**/assets/hidden-places-*.js')
    await device.goto(`/pins/${id}`)
    await expect(device.getByText(exact.address)).toBeVisible()
    // With what the app loads while it is idle.
    await (await watching).finished()
    await device.waitForLoadState('networkidle')
    if (isOwn) await expect.poll(() => recordsOn(device)).toMatch(exactDigits)
    await device.context().setOffline(true)
    await device.clock.fastForward('33:00')
    await expect(device.getByText(exact.address)).toBeHidden()
    await device.clock.runFor(2000)
    await expect.poll(() => databasesOn(device, 'hither')).not.toMatch(exactDigits)
    expect(exactDigits.test(await recordsOn(device))).toBe(isOwn)
  }
})

test('Profile leads to what is left, with the places of this device, and shows the last answer offline', async ({
  browserOf,
}) => {
  await drop()
  const page = await open(browserOf, ann)
  await page.goto('/profile')
  const whatIsLeft = page.getByRole('link', { name: 'What is left What this server still stores about you' })
  await whatIsLeft.click()
  await expect(page).toHaveURL('/profile/stored')
  await expect(page.getByRole('heading', { name: 'Goes by itself' })).toBeVisible()
  await expect(page.getByText(/^1 exact place of your pins\. It goes .+\.$/)).toBeVisible()
  await expect(page.getByText(/^Your account, since [A-Z][a-z]+ \d{4}$/)).toBeVisible()
  await expect(page.getByText('Backups contain copies for up to 14 days more.')).toBeVisible()
  await expect(page.getByText('1 place of your pins, for Drop again')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Remove the places of your pins' }).click()
  await expect(page.getByText('1 place of your pins, for Drop again')).toBeHidden()
  expect(await recordsOn(page)).not.toMatch(exactDigits)
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Back to Profile' }).click()
  await whatIsLeft.click()
  await expect(page.getByText(/^As of /)).toBeVisible()
  await expect(page.getByText(/^Your account, since /)).toBeVisible()
})
