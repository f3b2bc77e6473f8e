import { readFileSync } from 'node:fs'
import { updateUser } from '@hither/contract/users.ts'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { call, dropPing, password } from '../people.ts'

function messagesOf(tag: string): Record<string, unknown> {
  const files = ['visitor', 'home', 'rest'].map((group) =>
    readFileSync(new URL(`../../locales/compiled/${tag}/${group}.json`, import.meta.url), 'utf8'),
  )
  return Object.assign({}, ...files.map((file) => JSON.parse(file)))
}

const german = new Set(Object.values(messagesOf('de')))
/** The texts without placeholders that English and German do not share. */
const english = new Set(Object.values(messagesOf('en')).filter((text) => typeof text === 'string' && !german.has(text)))

/** Checks that no text and no accessible name of the page is one of the English texts. */
async function expectNoEnglish(page: Page) {
  const texts = await page.evaluate(() => {
    const shown: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      if (node.parentElement?.checkVisibility()) shown.push(node.textContent ?? '')
    const names = [...document.querySelectorAll('[aria-label], [placeholder], [title], img[alt]')].flatMap((element) =>
      ['aria-label', 'placeholder', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''),
    )
    return [...shown, ...names, document.title]
  })
  expect(texts.map((text) => text.trim()).filter((text) => english.has(text))).toEqual([])
}

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

test('a person with a German browser meets no English text from the sign-up to the first pin', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const visitor = await browserOf(null, { locale: 'de-DE' })
  for (const path of ['/login', '/forgot-password', '/signup']) {
    await visitor.goto(path)
    await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
    await expectNoEnglish(visitor)
  }
  const username = `gerda-${crypto.randomUUID().slice(0, 8)}`
  await visitor.getByLabel('Benutzername').fill(username)
  await visitor.getByLabel('E-Mail').fill(`${username}@example.org`)
  await visitor.getByLabel('Passwort', { exact: true }).fill('short')
  await visitor.getByLabel('Passwort bestätigen').fill('other')
  await visitor.getByRole('button', { name: 'Registrieren' }).click()
  await expectNoEnglish(visitor)
  await visitor.getByLabel('Passwort', { exact: true }).fill(password)
  await visitor.getByLabel('Passwort bestätigen').fill(password)
  await visitor.getByRole('button', { name: 'Registrieren' }).click()
  await expect(visitor).toHaveURL('/')
  await expect(visitor.getByText('Meine Pins')).toBeVisible()
  await expectNoEnglish(visitor)

  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  await dropPing(baseURL ?? '', bob, { name: 'Treffen', recipient_ids: [ann.session.user.id] })
  const place = { permissions: ['geolocation'], geolocation: { latitude: 40.7033, longitude: -74.017 } }
  const page = await browserOf(ann, { locale: 'de-DE', ...place })
  await page.goto('/?new=1')
  const dialog = page.getByRole('dialog', { name: 'Neuer Pin' })
  await expect(dialog.getByText('Alle Freunde')).toBeVisible()
  await expectNoEnglish(page)
  await dialog.getByLabel('Name').fill('Kaffee')
  await dialog.getByRole('button', { name: 'Pin setzen' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('1 aktiv, 0 geplant')).toBeVisible()
  await page.getByRole('button', { name: 'Bin dabei' }).click()
  await expectNoEnglish(page)
  for (const path of ['/chat', '/friends', '/friends/circles', '/friends/links', '/profile']) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
    await expectNoEnglish(page)
  }
})

test('a first visit in German requests the texts of one language, each once, together with the code', async ({
  browserOf,
}) => {
  const page = await browserOf(null, { locale: 'de-DE', serviceWorkers: 'block' })
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await page.goto('/login', { waitUntil: 'networkidle' })
  const texts = requested.filter((path) => path.startsWith('/assets/texts/'))
  expect(texts.map((path) => /^\/assets\/texts\/([a-z]+-[a-z]+)-/.exec(path)?.[1]).sort()).toEqual(
    ['de-rest', 'de-visitor'].concat('de-home').sort(),
  )
  const isCode = (path: string) => /\/assets\/app-/.test(path)
  expect(requested.findIndex((path) => path.includes('de-visitor'))).toBeLessThan(requested.findIndex(isCode) + 3)
})
