import { removeBanner, setBanner } from '@hither/contract/banner.ts'
import { locales } from '@hither/contract/runtime/locales.ts'
import type { Page } from '@playwright/test'
import { test } from '../admin-server.ts'
import { installClock } from '../fixed-clock.ts'
import { expect, expectAccessible } from '../fixtures.ts'
import { dropPing } from '../people.ts'
import { expectToFit, textsIn } from '../texts.ts'

// All tests share one server, which has one banner.
test.describe.configure({ mode: 'default' })
test.use({ viewport: { width: 390, height: 844 } })

const text = 'Back <b>soon</b>: see https://example.org'
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const bar = (page: Page) => page.locator('[data-bar="banner"]')
const card = (page: Page) => page.getByRole('region', { name: 'Banner' })

test.afterEach(({ api, admin }) => api(removeBanner, {}, admin))

/** The app reads the banner when it comes to the foreground, at most once a minute. */
async function comeBackAfter(page: Page, time: string) {
  await page.clock.fastForward(time)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
}

test('an admin shows a banner, which a person sees when returning to the app, hides, and sees again after a change', async ({
  admin,
  browserOf,
  person,
}) => {
  const [adminPage, page] = [await browserOf(admin), await browserOf(await person('eve'))]
  await installClock(page)
  await page.goto('/friends')
  await expect(page.getByRole('heading', { name: 'Friends', exact: true })).toBeVisible()
  await adminPage.goto('/admin?tab=server')
  await expect(card(adminPage).getByText('Everyone who is signed in sees it.')).toBeVisible()
  await expect(card(adminPage).getByText('0/200')).toBeVisible()
  const until = await card(adminPage).getByLabel('Show until').inputValue()
  const tomorrow = await adminPage.evaluate(() => new Date(new Date().setDate(new Date().getDate() + 1)).toDateString())
  expect(new Date(until).toDateString()).toBe(tomorrow)
  await card(adminPage).getByLabel('Text').fill(text)
  await card(adminPage).getByRole('button', { name: 'Show banner' }).click()
  await expect(card(adminPage).getByText(text)).toBeVisible()
  await expect(card(adminPage).getByText(/^Until /)).toBeVisible()
  // The admin is signed in too.
  await expect(bar(adminPage)).toContainText(text)
  await expectAccessible(adminPage)

  // It was read less than a minute ago.
  await comeBackAfter(page, '00:30')
  await expect(bar(page)).toBeHidden()
  await comeBackAfter(page, '00:31')
  await expect(bar(page).getByText(text).last()).toBeVisible()
  await expect(bar(page).getByRole('link')).toHaveCount(0)
  await expect(page.getByRole('status').filter({ hasText: text })).toHaveCount(1)
  await expectAccessible(page)

  // Another screen shows it and does not announce it again.
  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  await expect(bar(page)).toBeVisible()
  await bar(page).getByRole('button', { name: 'Hide' }).click()
  await expect(bar(page)).toBeHidden()
  // The page notes each banner that it shows from now on.
  await page.addInitScript(() => {
    const shown = new Set<string>()
    Object.assign(window, { shownBanners: () => [...shown] })
    new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll('[data-bar="banner"] [dir]')) shown.add(textContent)
    }).observe(document, { childList: true, characterData: true, subtree: true })
  })
  await page.reload()
  await expect(page.getByRole('link', { name: 'Chat', exact: true })).toBeVisible()

  await card(adminPage).getByRole('button', { name: 'Change' }).click()
  await expect(card(adminPage).getByLabel('Text')).toBeFocused()
  await card(adminPage).getByLabel('Text').fill('Back\n at 8')
  await card(adminPage).getByRole('button', { name: 'Show banner' }).click()
  await expect(card(adminPage).getByRole('button', { name: 'Change' })).toBeVisible()
  await expect(card(adminPage).getByText('Back at 8')).toBeVisible()
  await comeBackAfter(page, '01:01')
  await expect(bar(page)).toContainText('Back at 8')
  const shown = () => page.evaluate(() => (window as unknown as { shownBanners(): string[] }).shownBanners())
  expect(await shown()).toEqual(['Back at 8'])

  await card(adminPage).getByRole('button', { name: 'Remove' }).click()
  await expect(card(adminPage).getByRole('button', { name: 'Show banner' })).toBeVisible()
  await expect(bar(adminPage)).toBeHidden()
  // A page that stays open reads it every 15 minutes.
  await page.clock.fastForward('15:01')
  await expect(bar(page)).toBeHidden()
  await adminPage.getByRole('tab', { name: 'Log' }).click()
  const log = adminPage.getByRole('tabpanel')
  await expect(log.getByText(`${admin.username} removed the banner`)).toBeVisible()
  await expect(log.getByText(`${admin.username} set the banner`)).toHaveCount(2)
  await expect(log.getByText('Back')).toHaveCount(0)
})

test('the form shows why a text or an end is refused', async ({ admin, browserOf, expectConsole }) => {
  expectConsole(/status of 422/)
  const page = await browserOf(admin)
  await page.goto('/admin?tab=server')
  await card(page).getByLabel('Text').fill('x'.repeat(201))
  await card(page).getByRole('button', { name: 'Show banner' }).click()
  await expect(card(page).getByText('Please enter a text of 1 to 200 characters.')).toBeVisible()
  await expect(card(page).getByText('201/200')).toBeVisible()
  await card(page).getByLabel('Text').fill('Back at 8')
  const late = await page.evaluate(() => new Date(Date.now() + 31 * 86_400_000).toISOString().slice(0, 16))
  await card(page).getByLabel('Show until').fill(late)
  await card(page).getByRole('button', { name: 'Show banner' }).click()
  await expect(card(page).getByText('Please choose a time within the next 30 days.')).toBeVisible()
  await expect(bar(page)).toBeHidden()
})

test('a banner stays without network until its end', async ({ admin, api, browserOf, expectConsole, person }) => {
  expectConsole(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  await api(setBanner, { body: { text, ends_at: inMs(10 * 60_000) } }, admin)
  const page = await browserOf(await person('eve'))
  await installClock(page)
  await page.goto('/friends')
  await expect(bar(page)).toBeVisible()
  await page.context().setOffline(true)
  await page.clock.fastForward('05:00')
  await expect(bar(page)).toBeVisible()
  await page.clock.fastForward('05:01')
  await expect(bar(page)).toBeHidden()
})

test('the page of a pin shows the banner to people who are signed in only', async ({
  admin,
  api,
  baseURL,
  browserOf,
  person,
}) => {
  const ann = await person('ann')
  const ping = await dropPing(baseURL, ann, { is_public: true })
  await api(setBanner, { body: { text, ends_at: inMs(60 * 60_000) } }, admin)
  const [page, visitor] = [await browserOf(ann), await browserOf(null)]
  await page.goto(`/pins/${ping.id}`)
  await expect(bar(page).getByRole('status')).toHaveText(text)
  await expectAccessible(page)
  // Another frame shows it and does not announce it again.
  await page.getByRole('link', { name: 'Open on the map' }).click()
  await expect(bar(page).getByRole('status')).toBeEmpty()
  await expect(bar(page)).toContainText(text)
  await visitor.goto(`/pins/${ping.id}`)
  await expect(visitor.getByRole('heading', { name: ping.name ?? '' })).toBeVisible()
  await expect(bar(visitor)).toBeHidden()
})

test('with a server of the version before, there are no banner, name and cards, and everything else works', async ({
  admin,
  browserOf,
  expectConsole,
}) => {
  expectConsole(/status of 404/)
  const page = await browserOf(admin)
  let calls = 0
  await page.route('**/api/banner', (route) => {
    calls++
    const json = { detail: 'Not found', code: 'route_not_found' }
    return route.fulfill({ status: 404, headers: { 'x-hither': '1' }, json })
  })
  const newFields = { config: ['server_name'], 'admin/status': ['update', 'backups'] }
  for (const [path, names] of Object.entries(newFields))
    await page.route(`**/api/${path}`, async (route) => {
      const response = await route.fetch()
      const fields = Object.entries((await response.json()) as object).filter(([name]) => !names.includes(name))
      await route.fulfill({ response, json: Object.fromEntries(fields) })
    })
  await page.goto('/friends')
  await expect(page.getByRole('heading', { name: 'Friends', exact: true })).toBeVisible()
  await expect.poll(() => calls).toBeGreaterThan(0)
  await expect(bar(page)).toBeHidden()
  await page.goto('/admin?tab=server')
  await expect(page.getByText('Version', { exact: true })).toBeVisible()
  await expect(page.getByText(/^All configured services are working\.|issues? found\./)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Backups' })).toBeHidden()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

for (const { tag } of locales)
  test(`the card and the bar are in ${tag}, fit a phone and are accessible`, async ({ admin, api, browserOf }) => {
    await api(setBanner, { body: { text: 'x'.repeat(200), ends_at: inMs(86_400_000) } }, admin)
    const page = await browserOf(admin, { locale: tag })
    const texts = textsIn(tag)
    await page.goto('/admin?tab=server')
    await expect(bar(page).getByRole('button', { name: texts('moderation.banner.hide') })).toBeVisible()
    const region = page.getByRole('region', { name: texts('admin.banner.title'), exact: true })
    await expectToFit(page, tag)
    await expectAccessible(page)
    await region.getByRole('button', { name: texts('admin.banner.change') }).click()
    await expect(region.getByLabel(texts('admin.banner.until'))).toBeVisible()
    await expectToFit(page, tag)
    await expectAccessible(page)
  })
