import { updateUser } from '@hither/contract/users.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { call, dropPing } from '../people.ts'

test('a visitor with a German browser signs up in German and chooses another language with the globe', async ({
  browserOf,
}) => {
  const page = await browserOf(null, { locale: 'de-DE' })
  await page.goto('/login')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Willkommen zurück')
  await expect(page.getByText('Welcome Back')).toBeHidden()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Sprache: Deutsch' }).click()
  const list = page.getByRole('dialog', { name: 'Sprache' })
  await expect(list.getByRole('radio')).toHaveCount(6)
  await expect(list.getByRole('radio', { name: 'Automatisch (Deutsch)' })).toBeChecked()
  await expect(list.getByText('Beta')).toHaveCount(4)
  await list.getByRole('radio', { name: 'Français' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await expect(page.getByRole('button', { name: 'Langue: Français' })).toBeFocused()
})

test('the language of the account is followed by the next device, and dates and texts are in one language', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  await dropPing(baseURL ?? '', bob, { recipient_ids: [ann.session.user.id] })
  await call(baseURL ?? '', updateUser, { params: { id: ann.session.user.id }, body: { locale: 'de' } }, ann)
  const page = await browserOf(ann, { locale: 'en-US' })
  await page.goto('/profile')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(page.getByRole('heading', { name: 'Einstellungen' })).toBeVisible()
  await expect(page.getByText(/Member since|Preferences/)).toBeHidden()

  await page.getByRole('button', { name: /^Sprache/ }).click()
  await page.getByRole('dialog', { name: 'Sprache' }).getByRole('radio', { name: 'English', exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page).toHaveURL(/\/profile$/)
  await expect(page.getByRole('button', { name: /^Language/ })).toBeFocused()
  const second = await browserOf(ann, { locale: 'de-DE' })
  await second.goto('/profile')
  await expect(second.locator('html')).toHaveAttribute('lang', 'en')
})

test('Arabic is written from right to left, mirrors the screen and does not scroll sideways at 320 px', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  await dropPing(baseURL ?? '', bob, { recipient_ids: [ann.session.user.id] })
  const page = await browserOf(ann, { locale: 'ar-EG', viewport: { width: 320, height: 640 } })
  for (const path of ['/', '/chat', '/friends', '/profile']) {
    await page.goto(path)
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await expect(page.getByRole('main')).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320)
    await expectAccessible(page)
  }
  const home = await page.getByRole('navigation').getByRole('link').first().boundingBox()
  expect(home?.x ?? 0).toBeGreaterThan(160)
})

test('the error of the server is shown in the language of the page, and an unknown one in English', async ({
  browserOf,
  expectConsole,
}) => {
  expectConsole(/status of 40[19]/)
  const page = await browserOf(null, { locale: 'de-DE' })
  const answer = { status: 401, detail: 'Invalid email or password', code: 'invalid_credentials' }
  await page.route('**/api/auth/login', (route) =>
    route.fulfill({ status: answer.status, json: { detail: answer.detail, code: answer.code } }),
  )
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'E-Mail' }).fill('ann@example.org')
  await page.getByLabel('Passwort', { exact: true }).fill('a long enough password')
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('E-Mail-Adresse oder Passwort ungültig')
  Object.assign(answer, { status: 409, detail: 'You are on another planet', code: 'wrong_planet' })
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('You are on another planet')
  await expect(page.getByRole('alert')).toHaveAttribute('lang', 'en')
})

test('the app starts in French without a network after one visit', async ({ browserOf, expectConsole, person }) => {
  expectConsole(/ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket connection|Failed to load resource/)
  const page = await browserOf(await person('ann'), { locale: 'fr-FR', serviceWorkers: 'allow' })
  await page.goto('/')
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  await page.context().setOffline(true)
  await page.goto('/friends')
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await expect(page.getByRole('heading', { name: 'Amis', level: 1 })).toBeVisible()
})

test('a pseudo-language shows which texts are not translated, and is not listed', async ({ browserOf, person }) => {
  const page = await browserOf(await person('ann'), { viewport: { width: 320, height: 640 } })
  for (const path of ['/', '/chat', '/friends', '/profile']) {
    await page.goto(`${path}?locale=en-XA`)
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-XA')
    await expect(page.getByText(/^\[.*\]$/).first()).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320)
  }
})
