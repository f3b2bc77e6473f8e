import { changePing, type Ping, respondToPing } from '@hither/contract/pings.ts'
import { taggedPicture } from '../../server/test/pictures.ts'
import { pauseClock } from '../fixed-clock.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { dropPing, signUp } from '../people.ts'
import { startOwnServer } from '../servers.ts'

// The Content-Security-Policy refuses requests of Playwright's trace recorder for pictures.
const recorder = /^Connecting to 'blob:/
const pathOf = (ping: Ping) => `/pins/${ping.id}`
const expiredBanner = 'This ping has expired. No new responses can be submitted.'

function startIn(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString()
}

test('an owner extends a ping up to four hours and ends it, and an invitee sees each change live', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann, { duration_minutes: 120 })
  const [page, bobPage] = [await browserOf(ann), await browserOf(bob)]
  for (const either of [page, bobPage]) await either.goto(pathOf(ping))
  await expect(page.getByText(/^Shared with 1 friend, until (\d\d:\d\d|midnight)$/)).toBeVisible()
  await page.getByRole('button', { name: '+15 min' }).click()
  await expect(page.getByText(/^Now until (\d\d:\d\d|midnight)$/)).toBeVisible()
  await expect(bobPage.getByText(/^2h 1[45]m remaining$/)).toBeVisible()
  await expect(bobPage.getByRole('button', { name: '+15 min' })).toBeHidden()
  await page.getByRole('button', { name: '+1 h' }).click()
  await expect(bobPage.getByText(/^3h 1[45]m remaining$/)).toBeVisible()
  await expect(page.getByRole('button', { name: '+1 h' })).toBeHidden()
  await page.getByRole('button', { name: '+30 min' }).click()
  await page.getByRole('button', { name: '+15 min' }).click()
  await expect(page.getByText('A ping can last four hours at most.')).toBeVisible()
  await expect(bobPage.getByText(/^(4h 0|3h 59)m remaining$/)).toBeVisible()

  await page.getByRole('button', { name: 'End now' }).click()
  const confirm = page.getByRole('alertdialog', { name: 'End this ping?' })
  await confirm.getByRole('button', { name: 'Cancel' }).click()
  await expect(confirm).toBeHidden()
  await page.getByRole('button', { name: 'End now' }).click()
  await expectAccessible(page)
  await confirm.getByRole('button', { name: 'End now' }).click()
  await expect(page.getByText('Ping ended')).toBeVisible()
  for (const either of [page, bobPage]) {
    await expect(either.getByText(expiredBanner)).toBeVisible()
    await expect(either.getByText('Expired', { exact: true })).toBeVisible()
    await expect(either.getByRole('button', { name: /Going|Share|End now|min$/ })).toBeHidden()
    await expect(either.getByRole('link', { name: 'Directions' })).toBeHidden()
  }
  await expect(page.getByRole('button', { name: 'Delete' })).toBeVisible()
})

test('a refused extension is reverted and the reason is shown', async ({
  baseURL,
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 409/)
  const ann = await person('ann')
  const ping = await dropPing(baseURL ?? '', ann, { is_public: true })
  const page = await browserOf(ann)
  const detail = 'Only an active ping can be given more time or ended.'
  let isRefused = false
  await page.route(`**/api/pings/${ping.id}`, (route) => {
    // Reads are blocked too, because a refetch would also correct the page.
    if (route.request().method() !== 'PATCH') return isRefused ? undefined : route.fallback()
    isRefused = true
    return route.fulfill({ status: 409, json: { detail } })
  })
  await page.goto(pathOf(ping))
  await expect(page.getByText(/^Shared with anyone with the link, until/)).toBeVisible()
  await page.getByRole('button', { name: '+1 h' }).click()
  await expect(page.getByText(detail)).toBeVisible()
  await expect(page.getByText(/^(30|29)m remaining$/)).toBeVisible()
})

test('an owner adds, changes and removes the picture, and an invitee sees each change live', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(recorder, /ERR_FAILED/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann)
  const [page, bobPage] = [await browserOf(ann), await browserOf(bob)]
  for (const either of [page, bobPage]) await either.goto(pathOf(ping))
  const seen = bobPage.getByRole('img', { name: 'Picture of Coffee at Nero' })
  const file = { name: 'here.jpg', mimeType: 'image/jpeg', buffer: await taggedPicture('jpeg') }

  async function choose(name: string, chosen = file) {
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name, exact: true }).click()
    await (await choosing).setFiles(chosen)
  }

  await choose('Add a picture', { ...file, mimeType: 'text/plain' })
  await expect(page.getByText('Please select an image file')).toBeVisible()
  await choose('Add a picture')
  await expect(page.getByText('Picture added')).toBeVisible()
  await expect(seen).toBeVisible()
  const first = await seen.getAttribute('src')
  await expectAccessible(page)

  // The row of the ping does not change, only the bytes of the picture.
  await choose('Change picture', { ...file, buffer: await taggedPicture('png') })
  await expect(seen).not.toHaveAttribute('src', first ?? '')

  await page.route('**/api/files/pin-image/*', (route) => route.abort())
  await choose('Change picture')
  await expect(page.getByText('Failed to upload image. Please try again.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove picture' }).click()
  await expect(page.getByText('Failed to remove image. Please try again.')).toBeVisible()
  await expect(seen).toBeVisible()
  await page.unroute('**/api/files/pin-image/*')
  await page.getByRole('button', { name: 'Remove picture' }).click()
  await expect(page.getByText('Picture removed')).toBeVisible()
  await expect(seen).toBeHidden()
  await expect(page.getByRole('button', { name: 'Add a picture' })).toBeFocused()
})

test('a picture that fails to load takes no space', async ({ baseURL, browserOf, expectConsole, person }) => {
  expectConsole(recorder, /status of 500/)
  const ann = await person('ann')
  const ping = await dropPing(baseURL ?? '', ann, { is_public: true })
  const page = await browserOf(ann)
  await page.route(`**/api/pings/${ping.id}`, (route) => route.fulfill({ json: { ...ping, has_image: true } }))
  for (const answer of [{ status: 500 }, { status: 200, contentType: 'image/webp', body: 'no picture' }]) {
    await page.route('**/api/files/pin-image/**', (route) => route.fulfill(answer))
    const asked = page.waitForResponse('**/api/files/pin-image/**')
    await page.goto(pathOf(ping))
    await asked
    await expect(page.getByRole('heading', { level: 1, name: 'Coffee at Nero' })).toBeVisible()
    await expect(page.locator('article img, article > .MuiSkeleton-root')).toHaveCount(0)
    await page.unroute('**/api/files/pin-image/**')
  }
})

test('a scheduled ping offers a calendar entry, and becomes active at its time', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/ERR_INTERNET_DISCONNECTED/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann, { activates_at: startIn(5), duration_minutes: 15, is_public: true })
  for (const viewer of [ann, null]) {
    const page = await browserOf(viewer)
    await page.goto(pathOf(ping))
    await expect(page.getByText('Scheduled', { exact: true })).toBeVisible()
    await expect(page.getByText(/^Activates: /)).toBeVisible()
    await expect(page.getByRole('button', { name: 'End now' })).toBeHidden()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Add to calendar' }).click()
    expect((await saving).suggestedFilename()).toBe('ping.ics')
    if (viewer === ann) await expectAccessible(page)
  }

  const page = await browserOf(bob)
  await page.clock.install()
  await page.goto(pathOf(ping))
  await expect(page.getByText('Scheduled', { exact: true })).toBeVisible()
  await page.context().setOffline(true)
  // One second after the start, however long the test took until here.
  const startsAt = Date.parse(ping.activates_at ?? '')
  await page.clock.fastForward(startsAt + 1000 - (await page.evaluate(() => Date.now())))
  await expect(page.getByText('Active', { exact: true })).toBeVisible()
  await expect(page.getByText('15m remaining')).toBeVisible()
  await expect(page.getByText(/^Activated: /)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add to calendar' })).toBeHidden()
})

test('a failed download of the calendar entry shows an error', async ({
  baseURL,
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/ERR_FAILED/)
  const ann = await person('ann')
  const ping = await dropPing(baseURL ?? '', ann, { activates_at: startIn(60), is_public: true })
  const page = await browserOf(ann)
  await page.route('**/calendar.ics', (route) => route.abort())
  await page.goto(pathOf(ping))
  await page.getByRole('button', { name: 'Add to calendar' }).click()
  await expect(page.getByText('Failed to load the calendar entry')).toBeVisible()
})

test('a tab that wakes up after the ping has expired shows so at once', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/ERR_INTERNET_DISCONNECTED/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann, { duration_minutes: 15 })
  const page = await browserOf(bob)
  await page.clock.install()
  await page.goto(pathOf(ping))
  await expect(page.getByText('15m remaining')).toBeVisible()
  await page.context().setOffline(true)
  // The tab sleeps: time passes and no timer runs.
  await pauseClock(page)
  await page.clock.setSystemTime(Date.now() + 16 * 60_000)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByText(expiredBanner)).toBeVisible()
})

test('the responses are shown as counts, avatars and names', async ({ api, baseURL, browserOf, friends, person }) => {
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
  const ping = await dropPing(baseURL ?? '', ann)
  for (const guest of [bob, cat])
    await api(respondToPing, { body: { ping_id: ping.id, response_type: 'accepted' } }, guest)
  for (const viewer of [ann, bob]) {
    const page = await browserOf(viewer)
    await page.goto(pathOf(ping))
    const line = page.getByRole('list', { name: "Who's coming" }).getByRole('listitem')
    await expect(line).toHaveCount(1)
    await expect(line).toContainText('2 Going')
    for (const { username } of [bob, cat]) await expect(line).toContainText(username)
    await expect(line.locator('.MuiAvatar-root')).toHaveCount(2)
  }
})

test('sharing opens the share sheet if the device has one, and copies the link if that fails', async ({
  baseURL,
  browserOf,
  person,
}) => {
  const ann = await person('ann')
  const ping = await dropPing(baseURL ?? '', ann, { is_public: true })
  const page = await browserOf(ann)
  await page.addInitScript(() => {
    const calls: unknown[] = []
    const failures = [null, 'AbortError', 'NotAllowedError']
    Object.assign(window, { calls })
    Object.defineProperty(navigator, 'share', {
      value: async (data: ShareData) => {
        const failure = failures[calls.push(data) - 1]
        if (failure) throw new DOMException('', failure)
      },
    })
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text: string) => calls.push(text) } })
  })
  await page.goto(pathOf(ping))
  for (let presses = 0; presses < 3; presses++) await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByText('Pin link copied to clipboard!')).toBeVisible()
  const url = `${baseURL}${pathOf(ping)}`
  const shared = { title: 'Coffee at Nero', url }
  expect(await page.evaluate(() => Reflect.get(window, 'calls'))).toEqual([shared, shared, shared, url])
})

test('the directions link opens the page that the server configures', async ({ browser }) => {
  const server = await startOwnServer({ DIRECTIONS_URL: 'https://osmand.net/map/?finish={latitude},{longitude}' })
  try {
    const ping = await dropPing(server.base, await signUp(server.base, 'ann'), { is_public: true })
    const page = await browser.newPage()
    await page.goto(`${server.base}${pathOf(ping)}`)
    await expect(page.getByRole('link', { name: 'Directions' })).toHaveAttribute(
      'href',
      'https://osmand.net/map/?finish=40.7589,-73.9851',
    )
    await page.close()
  } finally {
    await server.stop()
  }
})

test('an address without a valid pin id shows an error', async ({ browserOf }) => {
  const page = await browserOf(null)
  await page.goto('/pins/')
  await expect(page.getByText('Pin ID not provided')).toBeVisible()
})

test('an expired pin is not found by visitors and strangers, and read-only for invitees', async ({
  api,
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of 404/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann, { is_public: true })
  await api(changePing, { params: { id: ping.id }, body: { end: true } }, ann)
  const visitorPage = await browserOf(null)
  await visitorPage.goto(pathOf(ping))
  await expect(visitorPage.getByText('Pin not found or has expired')).toBeVisible()
  const page = await browserOf(bob)
  await page.goto(pathOf(ping))
  await expect(page.getByText(expiredBanner)).toBeVisible()
  await expectAccessible(page)

  // The pin is also expired in My Pins, where it opens nothing.
  const annPage = await browserOf(ann)
  await annPage.goto('/')
  await annPage.getByRole('button', { name: 'My Pins' }).click()
  await expect(annPage.getByRole('listitem').getByRole('button', { name: /^Coffee at Nero/ })).toBeDisabled()
  await expect(annPage.getByText('No current pins')).toBeVisible()
})
