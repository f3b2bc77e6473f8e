import { createCircle } from '@hither/contract/circles.ts'
import { listFriends, removeFriend } from '@hither/contract/friends.ts'
import { type CreatePing, changePing } from '@hither/contract/pings.ts'
import type { Page } from '@playwright/test'
import { advanceUntil, installClock, pauseClock } from '../fixed-clock.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { withIdleWork } from '../light-page.ts'
import { withoutLiveChannel } from '../live-frames.ts'
import { call, dropPing, type Person } from '../people.ts'
import { recordRequests } from '../recorded-requests.ts'

test.use({ pages: 'map' })

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'New pin' })
const chipsOf = (page: Page) => page.getByRole('list', { name: 'Suggestions' }).getByRole('listitem')
/** What is shown of a suggestion. Its button has another name. */
const chipTextsOf = (page: Page) => chipsOf(page).locator('button > span[aria-hidden]')
const editOf = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name} for .*, edit$`) })
const dropOf = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name} for .*, drop now$`) })

/** Creates pings that have ended. */
async function dropEnded(base: string, owner: Person, count: number, ping: Partial<CreatePing> = {}) {
  for (let n = 0; n < count; n++) {
    const { id } = await dropPing(base, owner, ping)
    await call(base, changePing, { params: { id }, body: { end: true } }, owner)
  }
}

async function openHome(page: Page) {
  await page.goto('/')
  await expect(page.getByText('No current pins', { exact: true })).toBeVisible()
}

test('two equal pins make a suggestion, one or public ones make none, and the best is first', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const base = baseURL ?? ''
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  await dropEnded(base, ann, 3, { name: 'Coffee at Nero' })
  await dropEnded(base, ann, 2, { name: ' tea', recipient_ids: [bob.session.user.id] })
  await dropEnded(base, ann, 1, { name: 'Chess' })
  await dropEnded(base, ann, 2, { name: 'Street party', is_public: true })
  const page = await browserOf(ann)
  await withIdleWork(page)
  await openHome(page)
  await expect(chipTextsOf(page)).toHaveText(['Coffee at Nero · All friends · 30 min', 'tea · 1 friend · 30 min'])
  await expect(
    page.getByRole('button', { name: 'Coffee at Nero for All friends, 30 minutes, edit', exact: true }),
  ).toBeVisible()
  await expect(
    page.getByRole('button', { name: 'Coffee at Nero for All friends, 30 minutes, drop now', exact: true }),
  ).toBeVisible()
  await expectAccessible(page)

  // An active pin of the group hides its suggestion.
  await dropPing(base, ann, { name: 'Coffee at Nero' })
  await expect(chipTextsOf(page)).toHaveText(['tea · 1 friend · 30 min'])
})

test('a suggestion opens the form without a request, and Drop now sends one pin after five seconds', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const base = baseURL ?? ''
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const address = '2 Hudson Street'
  await dropEnded(base, ann, 2, { message: 'Upstairs', address, recipient_ids: [bob.session.user.id] })
  const page = await browserOf(ann)
  await withIdleWork(page)
  await installClock(page)
  await withoutLiveChannel(page)
  await openHome(page)
  await expect(chipsOf(page)).toHaveCount(1)
  await page.waitForLoadState('networkidle')
  const requests = recordRequests(page)
  await editOf(page, 'Coffee at Nero').click()
  await expect(dialogOf(page).getByLabel('Name', { exact: true })).toHaveValue('Coffee at Nero')
  await expect(dialogOf(page).getByLabel('Message (optional)')).toHaveValue('Upstairs')
  // The dialog reads the friends and the circles, as it always does.
  expect(requests.others()).toEqual([])
  await dialogOf(page).getByRole('button', { name: 'Close', exact: true }).click()
  await expect(dialogOf(page)).toBeHidden()

  const before = requests.others().length
  await pauseClock(page)
  await dropOf(page, 'Coffee at Nero').dblclick()
  const dropping = page.getByText(/^Dropping Coffee at Nero for 1 friend, until (\d\d:\d\d|midnight)$/)
  await advanceUntil(page, dropping, 'visible', 900, 5)
  await expect(dropping).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'You, Coffee at Nero, sending…' })).toBeVisible()
  await page.clock.runFor(4000)
  await dropOf(page, 'Coffee at Nero').click()
  expect(requests.others().slice(before)).toEqual([])
  await page.clock.resume()
  await expect(page.getByText(/^Shared with 1 friend until/)).toBeVisible()
  expect(requests.pings()).toMatchObject([
    { name: 'Coffee at Nero', message: 'Upstairs', address, recipient_ids: [bob.session.user.id], is_public: false },
  ])
  await expect(chipsOf(page)).toHaveCount(0)
})

test('a quick pin and a suggestion that are dropped together can each be undone', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  await dropEnded(baseURL ?? '', ann, 2)
  const geolocation = { latitude: 40.7033, longitude: -74.017 }
  const page = await browserOf(ann, { permissions: ['geolocation'], geolocation })
  await installClock(page)
  await openHome(page)
  await expect(dropOf(page, 'Coffee at Nero')).toBeVisible()
  const requests = recordRequests(page)
  await pauseClock(page)
  await dropOf(page, 'Coffee at Nero').click()
  await page.getByRole('button', { name: /^Quick pin/ }).click()
  await advanceUntil(page, page.getByRole('button', { name: 'Undo' }).nth(1), 'visible', 3000, 15)
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await advanceUntil(page, page.getByText('Pin not sent'), 'visible', 5000)
  await page.clock.runFor(10_000)
  expect(requests.pings()).toEqual([])
})

test('a suggestion for a circle shows who would receive it now, on a device that does not know the circles', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  for (const friend of [bob, cat]) await friends(ann, friend)
  const [bobId, catId] = [bob.session.user.id, cat.session.user.id]
  const { id } = await api(createCircle, { body: { name: 'Close friends', member_ids: [bobId, catId] } }, ann)
  await dropEnded(baseURL ?? '', ann, 2, { circle_ids: [id], recipient_ids: [] })
  const friendship = (await api(listFriends, {}, ann)).find(({ user_id }) => user_id === catId)
  if (friendship === undefined) throw new Error('no friendship')
  await api(removeFriend, { params: { id: friendship.id } }, ann)
  const page = await browserOf(ann)
  await withIdleWork(page)
  await openHome(page)
  await expect(chipTextsOf(page)).toHaveText(['Coffee at Nero · Close friends · 30 min'])
  await dropOf(page, 'Coffee at Nero').click()
  await expect(page.getByText(/^Dropping Coffee at Nero for 1 friend, until/)).toBeVisible()
})

test('suggestions are turned off in the preferences, for this device', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  await dropEnded(baseURL ?? '', ann, 2)
  const page = await browserOf(ann)
  await withIdleWork(page)
  await page.goto('/profile')
  await expect(page.getByText('Shortcuts to pins you drop often. Made on this device.')).toBeVisible()
  const suggestions = page.getByRole('switch', { name: 'Suggestions on Home' })
  await expect(suggestions).toBeChecked()
  await page.getByRole('link', { name: 'Home' }).click()
  await expect(chipsOf(page)).toHaveCount(1)
  await page.goto('/profile')
  await suggestions.uncheck()
  await page.getByRole('link', { name: 'Home' }).click()
  await expect(page.getByText('No current pins', { exact: true })).toBeVisible()
  await expect(chipsOf(page)).toHaveCount(0)
  await page.reload()
  await expect(page.getByText('No current pins', { exact: true })).toBeVisible()
  await expect(chipsOf(page)).toHaveCount(0)
})

for (const viewport of [
  { width: 320, height: 640 },
  { width: 1280, height: 800 },
])
  test(`suggestions hardly move the lists at ${viewport.width} px`, async ({ baseURL, browserOf, friends, person }) => {
    const [ann, bob] = [await person('ann'), await person('bob')]
    await friends(ann, bob)
    for (const name of ['Coffee at Nero', 'W'.repeat(50), 'Chess in the park'])
      await dropEnded(baseURL ?? '', ann, 2, { name })
    const page = await browserOf(ann, { viewport })
    await withIdleWork(page)
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    // The device remembers their height from the first visit.
    await openHome(page)
    await expect(chipsOf(page)).toHaveCount(3, { timeout: 20_000 })
    await openHome(page)
    await expect(chipsOf(page)).toHaveCount(3, { timeout: 20_000 })
    await page.waitForLoadState('networkidle')
    const shifts = (await page.evaluate(() => Reflect.get(window, 'shifts'))) as number[]
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.02)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
    await expectAccessible(page)
  })
