import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible } from '../fixtures.ts'
import { signUp } from '../people.ts'
import { providerName, test } from '../sign-in-server.ts'

const home = (page: Page) => page.getByText('My Pins')
const providerButton = (page: Page) => page.getByRole('button', { name: `Continue with ${providerName}` })
/** Resolves when the provider's page has led back and the server has answered. */
async function goThroughProvider(page: Page, button: Locator, last: 'finish' | 'link' | 'callback' = 'finish') {
  const answered = page.waitForResponse(`**/api/auth/oidc/${last}**`)
  await button.click()
  await answered
}
const linkButton = (page: Page) => page.getByRole('button', { name: `Link ${providerName}`, exact: true })
const interrupted = 'This sign-in was interrupted or has expired. Please try again.'

/** A person of the provider whom the server does not know. */
function newcomer() {
  const name = `sam-${randomUUID().slice(0, 8)}`
  return { sub: name, email: `${name}@example.org`, preferred_username: name }
}

test('a new person signs in with the provider, gets the same account later, and leaves no secret behind', async ({
  browserOf,
  provider,
}) => {
  const sam = newcomer()
  provider.signInAs(sam)
  const page = await browserOf(null)
  const referers: string[] = []
  // The headers of requests that the end of the test cuts off stay unknown.
  page.on('request', (request) =>
    request.allHeaders().then(
      ({ referer = '' }) => referers.push(referer),
      () => undefined,
    ),
  )
  await page.goto('/login')
  await expect(page.getByText('or', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await goThroughProvider(page, providerButton(page))
  await expect(home(page)).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByText(sam.sub)).toBeVisible()

  const cdp = await page.context().newCDPSession(page)
  const { entries } = await cdp.send('Page.getNavigationHistory')
  expect(entries.filter(({ url }) => /code=|#/.test(url))).toEqual([])
  expect(referers.filter((referer) => referer.includes('code='))).toEqual([])
  expect(await page.evaluate(() => localStorage.getItem('sign_in_attempt'))).toBeNull()
  expect(await page.context().cookies()).toEqual([])

  await page.goto('/profile')
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click()
  await goThroughProvider(page, providerButton(page))
  await expect(page.getByRole('banner').getByText(sam.sub)).toBeVisible()
})

test('the sign-in with the provider returns to the page that was opened first', async ({ browserOf, provider }) => {
  provider.signInAs(newcomer())
  const page = await browserOf(null)
  await page.goto('/friends?tab=sent')
  await expect(page).toHaveURL('/login')
  await goThroughProvider(page, providerButton(page))
  await expect(page).toHaveURL('/friends?tab=sent')
})

test('the sign-in with the provider returns to the page that was opened first in the language of the account', async ({
  browserOf,
  provider,
}) => {
  provider.signInAs(newcomer())
  const first = await browserOf(null)
  await first.goto('/login')
  await goThroughProvider(first, providerButton(first))
  await expect(home(first)).toBeVisible()
  await first.goto('/profile')
  await first.getByRole('button', { name: /^Language/ }).click()
  await first.getByRole('dialog', { name: 'Language' }).getByRole('radio', { name: 'Deutsch' }).click()
  await expect(first.locator('html')).toHaveAttribute('lang', 'de')
  await expect.poll(() => first.evaluate(() => localStorage.getItem('locale_unsent'))).toBeNull()

  const page = await browserOf(null)
  await page.goto('/friends?tab=sent')
  await expect(page).toHaveURL('/login')
  await goThroughProvider(page, providerButton(page))
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(page).toHaveURL('/friends?tab=sent')
  expect(await page.evaluate(() => localStorage.getItem('sign_in_attempt'))).toBeNull()
})

test('the invitation that was opened is passed along to the sign-in with the provider', async ({
  browserOf,
  expectConsole,
  provider,
}) => {
  // The invitation does not exist.
  expectConsole(/status of 4\d\d/)
  provider.signInAs(newcomer())
  const page = await browserOf(null)
  await page.goto('/invite/#some-code')
  await expect(page.getByRole('heading', { name: 'Join Hither' })).toBeVisible()
  const finish = page.waitForRequest('**/api/auth/oidc/finish')
  await providerButton(page).click()
  expect((await finish).postDataJSON()).toMatchObject({ invitation: 'some-code' })
})

for (const from of ['//evil.example', '/\\evil'])
  test(`the sign-in with the provider leads Home instead of ${from}`, async ({ browserOf, provider }) => {
    provider.signInAs(newcomer())
    const page = await browserOf(null)
    await page.goto('/login')
    await page.evaluate((from) => history.replaceState({ ...history.state, usr: { from } }, ''), from)
    await page.reload()
    await goThroughProvider(page, providerButton(page))
    await expect(home(page)).toBeVisible()
    await expect(page).toHaveURL('/')
  })

test('the sign-in page shows that the sign-in was canceled, and removes the error from its address', async ({
  browserOf,
  provider,
}) => {
  provider.signInAs(newcomer())
  provider.cancelNext()
  const page = await browserOf(null)
  await page.goto('/login')
  await goThroughProvider(page, providerButton(page), 'callback')
  await expect(page.getByRole('alert').getByText('The sign-in was canceled.')).toBeVisible()
  await expect(page).toHaveURL('/login')
  // Only the codes of the server have a sentence.
  await page.goto('/signup')
  await page.goto('/login#error=unknown')
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  await expect(page.getByRole('alert')).toBeHidden()
})

test('the sign-in page shows the error of the provider when its text arrives after the page', async ({ browserOf }) => {
  const page = await browserOf(null)
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/assets/texts/en-rest-*', async (route) => {
    await isReleased
    await route.continue()
  })
  await page.goto('/login#error=sign_in_denied', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  await expect(page).toHaveURL('/login')
  release()
  await expect(page.getByRole('alert').getByText('The sign-in was canceled.')).toBeVisible()
})

test('a return from the provider that somebody else has started signs nobody in', async ({
  browserOf,
  person,
  provider,
}) => {
  provider.signInAs(newcomer())
  const evesPage = await browserOf(null)
  const { promise: address, resolve } = Promise.withResolvers<string>()
  await evesPage.route(`${provider.origin}/**`, async (route) => {
    resolve(route.request().url())
    // The browser stays on its page.
    await route.fulfill({ status: 204 })
  })
  await evesPage.goto('/login')
  await providerButton(evesPage).click()
  const evesReturn = (await fetch(await address, { redirect: 'manual' })).headers.get('location') ?? ''
  expect(evesReturn).toContain('/api/auth/oidc/callback?')

  const ann = await person('ann')
  const annsPage = await browserOf(ann)
  await annsPage.goto(evesReturn)
  await expect(annsPage.getByText(interrupted)).toBeVisible()
  await expect(annsPage).toHaveURL('/signed-in')
  await expectAccessible(annsPage)
  await annsPage.getByRole('link', { name: 'Go to your profile' }).click()
  await expect(annsPage.getByRole('banner').getByText(ann.username)).toBeVisible()

  const visitorsPage = await browserOf(null)
  await visitorsPage.goto('/signed-in#code=somebody-elses')
  await expect(visitorsPage.getByText(interrupted)).toBeVisible()
  await visitorsPage.getByRole('link', { name: 'Go to Sign In' }).click()
  await expect(providerButton(visitorsPage)).toBeVisible()
})

test('an account is linked to the provider and unlinked', async ({ browserOf, expectConsole, person, provider }) => {
  expectConsole(/status of 409/)
  const sam = newcomer()
  provider.signInAs(sam)
  const page = await browserOf(await person('ann'))
  await page.goto('/profile')
  await goThroughProvider(page, linkButton(page), 'link')
  await expect(page.getByText(`Linked as ${sam.email}`)).toBeVisible()
  await expect(page).toHaveURL('/profile')

  // The same user of the provider cannot be linked to a second account.
  const bobsPage = await browserOf(await person('bob'))
  await bobsPage.goto('/profile')
  await goThroughProvider(bobsPage, linkButton(bobsPage), 'link')
  await expect(bobsPage.getByText('This sign-in is already linked to another account.')).toBeVisible()
  await bobsPage.getByRole('link', { name: 'Go to your profile' }).click()
  await expect(linkButton(bobsPage)).toBeVisible()

  await page.getByRole('button', { name: `Unlink ${providerName}` }).click()
  const question = page.getByRole('alertdialog', { name: `Unlink ${providerName}?` })
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Unlink' }).click()
  await expect(linkButton(page)).toBeVisible()
})

test('a canceled link leads back to the profile', async ({ browserOf, person, provider }) => {
  provider.signInAs(newcomer())
  provider.cancelNext()
  const page = await browserOf(await person('ann'))
  await page.goto('/profile')
  await goThroughProvider(page, linkButton(page), 'callback')
  await expect(page.getByText('The sign-in was canceled.')).toBeVisible()
  await page.getByRole('link', { name: 'Go to your profile' }).click()
  await expect(page).toHaveURL('/profile')
})

test('the owner of an account that is not confirmed must link the provider in the profile', async ({
  baseURL,
  browserOf,
  expectConsole,
  provider,
}) => {
  expectConsole(/status of 409/)
  const ann = await signUp(baseURL, 'ann')
  provider.signInAs({ sub: ann.username, email: ann.email })
  const page = await browserOf(null)
  await page.goto('/login')
  await goThroughProvider(page, providerButton(page))
  await expect(
    page.getByText('This email already has an account. Sign in to it first, then link this sign-in in Profile.'),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Go to Sign In' }).click()
  await expect(page).toHaveURL('/login')
})

test('signing in with the provider needs a network, and can be repeated once it is back', async ({
  browserOf,
  expectConsole,
  provider,
}) => {
  expectConsole(/ERR_(FAILED|INTERNET_DISCONNECTED)/)
  provider.signInAs(newcomer())
  const page = await browserOf(null)
  await page.goto('/login')
  await expect(providerButton(page)).toBeVisible()
  // The code of the button was loaded while there was a network.
  const finish = '**/api/auth/oidc/finish'
  await page.route('**/api/auth/oidc/start', (route) => route.abort())
  await page.evaluate(() => Object.defineProperty(navigator, 'onLine', { value: false, configurable: true }))
  await providerButton(page).click()
  await expect(page.getByText("You're offline. Connect to the internet to sign in.")).toBeVisible()

  await page.unroute('**/api/auth/oidc/start')
  await page.route(finish, (route) => route.abort())
  await providerButton(page).click()
  const again = page.getByRole('button', { name: 'Try Again' })
  await expect(again).toBeVisible()
  await page.unroute(finish)
  await again.click()
  await expect(home(page)).toBeVisible()
})
