import { createFriendLink } from '@hither/contract/friend-links.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { createConversation } from '@hither/contract/messages/messages.ts'
import { getMe, updateUser } from '@hither/contract/users.ts'
import type { Locator, Page } from '@playwright/test'
import { makeDirect, makeGroup, postMessage } from '../conversations.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { call, dropPing, password, signUp, storageOf } from '../people.ts'
import { startOwnServer } from '../servers.ts'
import { messagesOf, shownTexts, textsIn } from '../texts.ts'

const german = new Set(Object.values(messagesOf('de')))
/** The texts without placeholders that English and German do not share. */
const english = new Set(
  Object.values(messagesOf('en')).filter((text) => typeof text === 'string' && !german.has(text)),
) as ReadonlySet<unknown>

/** Checks that no text and no accessible name of the page is one of the English texts. */
async function expectNoEnglish(page: Page) {
  expect((await shownTexts(page)).filter((text) => english.has(text))).toEqual([])
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

test('the language of the account is followed by the next device, and dates, times and texts are in one language', async ({
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

  // The browser is English and the account is German.
  await expectFormats(page, germanFormats, englishFormats)

  await page.goto('/profile')
  await page.getByRole('button', { name: /^Sprache/ }).click()
  await page.getByRole('dialog', { name: 'Sprache' }).getByRole('radio', { name: 'English', exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page).toHaveURL(/\/profile$/)
  await expect(page.getByRole('button', { name: /^Language/ })).toBeFocused()
  const second = await browserOf(ann, { locale: 'de-DE' })
  await second.goto('/profile')
  await expect(second.locator('html')).toHaveAttribute('lang', 'en')
  await expectFormats(second, englishFormats, germanFormats)
})

const germanFormats =
  /\bvor \d|\bNoch \d|\d\. \p{L}+ \d{4}|\d (Min|Std)\.|\bUhr\b|\b(Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag)\b/u
const englishFormats = /\bago\b|\d ?[ap]m\b|\bremaining\b|\bleft\b|\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b/i

/** Checks that the screens with dates, times and durations have formats of the one language, and none of the other. */
async function expectFormats(page: Page, expected: RegExp, unexpected: RegExp) {
  const found: string[] = []
  for (const path of ['/', '/friends', '/chat', '/profile']) {
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeVisible()
    if (path === '/') await expect(page.getByText('Coffee at Nero').first()).toBeVisible()
    found.push(...(await shownTexts(page)))
  }
  expect(found.filter((text) => unexpected.test(text))).toEqual([])
  expect(found.filter((text) => expected.test(text))).not.toEqual([])
}

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

  const chat = await makeDirect(baseURL, bob, ann)
  await postMessage(baseURL, chat.id, 'Mine', ann)
  await postMessage(baseURL, chat.id, 'Theirs', bob)
  await page.goto(`/chat/${chat.id}`)
  const [mine, theirs] = [
    await page.getByText('Mine', { exact: true }).boundingBox(),
    await page.getByText('Theirs', { exact: true }).boundingBox(),
  ]
  expect(mine?.x ?? 320).toBeLessThan(theirs?.x ?? 0)
  const back = page.getByRole('button', { name: textsIn('ar')('chat.conversation.back') })
  await expect(back.locator('svg')).toHaveCSS('transform', 'matrix(-1, 0, 0, 1, 0, 0)')
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
  const fr = textsIn('fr')
  const [offline = ''] = fr('shell.offline', { time: '|' }).split('|')
  for (const [path, heading] of [
    ['/friends', 'Amis'],
    ['/chat', 'Messages'],
    ['/profile', fr('profile.preferences')],
  ] as const) {
    await page.goto(path)
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
    await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible()
    await expect(page.getByText(offline)).toBeVisible()
  }
  const month = new Intl.DateTimeFormat('fr-FR', { month: 'long', timeZone: 'America/New_York' }).format(new Date())
  await expect(page.getByText(month)).toBeVisible()
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

test('a person with a German browser meets no English text from the invitation to the first pin, an answer and a chat', async ({
  api,
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  // The test visits many screens.
  test.slow()
  expectConsole(/status of 404/)
  const de = textsIn('de')
  const [bob, cat] = [await person('bob'), await person('cat')]
  await friends(bob, cat)
  const theirs = await dropPing(baseURL ?? '', bob, { name: 'Treffen', is_public: true, guest_policy: 'open' })
  const { url } = await api(createFriendLink, { body: { kind: 'link', uses: 1 } }, bob)
  const place = { permissions: ['geolocation'], geolocation: { latitude: 40.7033, longitude: -74.017 } }
  const page = await browserOf(null, { locale: 'de-DE', ...place })
  for (const path of ['/login', '/forgot-password', '/signup']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectNoEnglish(page)
  }

  await page.goto(url)
  await expect(page.getByRole('heading', { name: de('friend-links.add.add', { name: bob.username }) })).toBeVisible()
  await expectNoEnglish(page)
  await page.getByRole('link', { name: de('friend-links.add.signUp') }).click()
  const username = `gerda-${crypto.randomUUID().slice(0, 8)}`
  await page.getByLabel('Benutzername').fill(username)
  await page.getByLabel('E-Mail').fill(`${username}@example.org`)
  await page.getByLabel('Passwort', { exact: true }).fill('short')
  await page.getByLabel('Passwort bestätigen').fill('other')
  await page.getByRole('button', { name: 'Registrieren' }).click()
  await expectNoEnglish(page)
  await page.getByLabel('Passwort', { exact: true }).fill(password)
  await page.getByLabel('Passwort bestätigen').fill(password)
  await page.getByRole('button', { name: 'Registrieren' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByText('Meine Pins')).toBeVisible()
  await expectNoEnglish(page)

  await page.goto('/?new=1')
  const dialog = page.getByRole('dialog', { name: 'Neuer Pin' })
  await expect(dialog.getByText('Alle Freunde')).toBeVisible()
  await expectNoEnglish(page)
  await dialog.getByLabel('Name').fill('Kaffee')
  await dialog.getByRole('button', { name: 'Pin setzen' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('1 aktiv, 0 geplant')).toBeVisible()
  await expectNoEnglish(page)

  // Somebody who becomes a friend later is not invited to earlier pins.
  const gerda = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}').id as UserId)
  const invited = await dropPing(baseURL ?? '', bob, { name: 'Suppe', recipient_ids: [gerda] })
  const participant_ids = [gerda, cat.session.user.id]
  const group = await api(createConversation, { body: { name: 'Klettern', participant_ids } }, bob)
  await postMessage(baseURL, group.id, 'Dienstag', bob)
  await page.goto(`/pins/${invited.id}`)
  await page.getByRole('button', { name: 'Bin dabei' }).click()
  await expectNoEnglish(page)
  await page.goto(`/chat/${group.id}`)
  await page.getByRole('textbox', { name: de('chat.message.placeholder') }).fill('Bis dann')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Bis dann', { exact: true })).toBeVisible()
  await expectNoEnglish(page)
  for (const path of [
    '/',
    '/chat',
    '/friends',
    '/friends/circles',
    '/friends/links',
    '/profile',
    `/pins/${theirs.id}`,
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeVisible()
    await expectNoEnglish(page)
  }
})

test('a first visit in German requests the texts of one language, each once, together with the code', async ({
  browserOf,
}) => {
  const page = await browserOf(null, { locale: 'de-DE', serviceWorkers: 'block' })
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await page.goto('/login')
  const texts = () => {
    const paths = requested.filter((path) => path.startsWith('/assets/texts/'))
    return paths.map((path) => /^\/assets\/texts\/([a-z]+-[a-z]+)-/.exec(path)?.[1]).sort()
  }
  await expect.poll(texts).toEqual(['de-emoji', 'de-home', 'de-rest', 'de-visitor'])
  await page.waitForLoadState('networkidle')
  expect(texts()).toHaveLength(4)
  const isCode = (path: string) => /\/assets\/app-/.test(path)
  expect(requested.findIndex((path) => path.includes('de-visitor'))).toBeLessThan(requested.findIndex(isCode) + 3)
})

test('of two devices that choose languages at the same time, both show the one that was stored last', async ({
  api,
  browserOf,
  person,
}) => {
  const ann = await person('ann')
  const pages = [await browserOf(ann, { locale: 'en-GB' }), await browserOf(ann, { locale: 'en-GB' })]
  for (const page of pages) {
    await page.goto('/profile')
    await page.getByRole('button', { name: /^Language/ }).click()
    await expect(page.getByRole('radio', { name: 'English', exact: true })).toBeVisible()
  }
  await Promise.all(['Español', 'Français'].map((name, index) => pages[index]?.getByRole('radio', { name }).click()))
  for (const page of pages) {
    await expect(page.locator('html')).not.toHaveAttribute('lang', 'en')
    // The page may be loaded again meanwhile, in the language of the other device.
    await expect(async () =>
      expect(await page.evaluate(() => localStorage.getItem('locale_unsent'))).toBeNull(),
    ).toPass()
  }
  const stored = (await api(getMe, {}, ann)).locale ?? ''
  expect(['es', 'fr']).toContain(stored)
  for (const page of pages) {
    // A new tab is the next start on the same device.
    const next = await page.context().newPage()
    await next.goto('/profile', { waitUntil: 'commit' })
    await expect(next.locator('html')).toHaveAttribute('lang', stored)
    await expect(next.getByRole('heading', { name: textsIn(stored)('profile.preferences') })).toBeVisible()
  }
})

test('a language that was chosen without a network reaches the account after a restart of the server', async ({
  browserOf,
  expectConsole,
}) => {
  // The server starts twice.
  test.slow()
  expectConsole(/ERR_|Failed to fetch|WebSocket connection|Failed to load resource/)
  const server = await startOwnServer({})
  try {
    const ann = await signUp(server.base, 'ann')
    const page = await browserOf(null, {
      baseURL: server.base,
      storageState: storageOf(server.base, ann),
      locale: 'fr-FR',
      serviceWorkers: 'allow',
    })
    await page.goto('/profile')
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    await page.getByRole('button', { name: /^Langue/ }).click()
    await page.getByRole('radio', { name: 'Deutsch' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    await expect.poll(async () => (await call(server.base, getMe, {}, ann)).locale).toBe('de')

    await page.context().setOffline(true)
    await page.getByRole('button', { name: /^Sprache/ }).click()
    // The texts of a language that the device has never used are not there.
    await page.getByRole('radio', { name: 'Español' }).click()
    await expect(page.getByText(textsIn('de')('profile.language.offline'))).toBeVisible()
    await page.getByRole('radio', { name: /^Français/ }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
    expect((await call(server.base, getMe, {}, ann)).locale).toBe('de')

    await server.restart()
    await page.context().setOffline(false)
    await page.goto('/profile')
    await expect.poll(async () => (await call(server.base, getMe, {}, ann)).locale).toBe('fr')
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  } finally {
    await server.stop()
  }
})

test('the punctuation of a name stays with the name, and that of the sentence around it, in both directions of writing', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  for (const friend of [bob, cat]) await friends(ann, friend)
  for (const [locale, name] of [
    ['en', 'مقهى!'],
    ['ar', 'Chess!'],
  ] as const) {
    await api(updateUser, { params: { id: ann.session.user.id }, body: { locale } }, ann)
    const text = textsIn(locale)
    const group = await makeGroup(baseURL, name, [bob, cat], ann)
    const page = await browserOf(ann, { locale: `${locale}-GB`, viewport: { width: 1280, height: 800 } })
    await page.goto(`/chat/${group.id}`)
    await page.getByRole('button', { name: text('chat.conversation.options'), exact: true }).click()
    await page.getByRole('menuitem', { name: text('chat.conversation.leaveGroup') }).click()
    await expect(page.getByText(text('chat.conversation.leaveText', { name }))).toBeVisible()
    const x = await positionsAround(page.getByRole('dialog').or(page.getByRole('alertdialog')), name)
    // An Arabic name ends at its left side, a Latin one at its right.
    if (locale === 'en') expect(x.mark).toBeLessThan(x.first)
    else expect(x.mark).toBeGreaterThan(x.first)
    // The quotation marks enclose the name in the direction of the sentence.
    if (locale === 'en') expect([x.before < x.mark, x.after > x.first]).toEqual([true, true])
    else expect([x.before > x.mark, x.after < x.first]).toEqual([true, true])
  }
})

/** Where the first letter and the punctuation mark of a name, and the visible characters before and after it, are drawn, in pixels. */
function positionsAround(box: Locator, name: string) {
  return box.evaluate((element, name) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    let node = walker.nextNode()
    while (node !== null && !/[“«]/.test(node.textContent ?? '')) node = walker.nextNode()
    if (node === null) throw new Error(`No text with ${name} in quotation marks`)
    const text = node.textContent ?? ''
    const start = text.indexOf(name)
    const leftOf = (index: number) => {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + 1)
      return range.getBoundingClientRect().left
    }
    return {
      first: leftOf(start),
      mark: leftOf(start + name.length - 1),
      before: leftOf(text.search(/[“«]/)),
      after: leftOf(text.search(/[”»]/)),
    }
  }, name)
}
