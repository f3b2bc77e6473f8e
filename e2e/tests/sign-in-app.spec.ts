import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect } from '../fixtures.ts'
import { NativePhone } from '../native-phone.ts'
import { test as base, providerName } from '../sign-in-server.ts'

/** Tests with the packaged app on a phone, with the server already chosen. */
const test = base.extend<{ phone: NativePhone }>({
  phone: async ({ browser, baseURL }, use) => {
    const phone = new NativePhone(browser)
    phone.preferences.set('installed', 'yes').set('server', baseURL)
    await use(phone)
    await phone.stop()
  },
})

const home = (page: Page) => page.getByText('My Pins')
const signIn = (page: Page) => page.getByRole('heading', { name: 'Welcome Back' })
const providerButton = (page: Page) => page.getByRole('button', { name: `Continue with ${providerName}` })

test('the packaged app signs in with the provider in the system browser and shows no passkeys', async ({
  phone,
  provider,
}) => {
  const name = `sam-${randomUUID().slice(0, 8)}`
  provider.signInAs({ sub: name, email: `${name}@example.org`, preferred_username: name })
  const page = await phone.start()
  await expect(providerButton(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeHidden()

  const opened = systemBrowserOf(page, provider.origin)
  await providerButton(page).click()
  const link = await appLinkAfter(await opened)
  expect(link).toMatch(/^hither:\/\/signed-in#code=[\w-]{43}$/)
  await expect(signIn(page)).toBeVisible()

  // Other apps may open such links at any time.
  await phone.emit('App', 'appUrlOpen', { url: 'hither://elsewhere#code=abc' })
  await expect(signIn(page)).toBeVisible()
  await phone.emit('App', 'appUrlOpen', { url: link })
  await expect(home(page)).toBeVisible()
  await expect(page.getByRole('banner').getByText(name)).toBeVisible()

  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await expect(page.getByText(`Linked as ${name}@example.org`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create a passkey' })).toBeHidden()
})

test('the packaged app finishes the sign-in after the phone has ended it meanwhile', async ({ phone, provider }) => {
  const name = `kim-${randomUUID().slice(0, 8)}`
  provider.signInAs({ sub: name, email: `${name}@example.org`, preferred_username: name })
  const page = await phone.start()
  const opened = systemBrowserOf(page, provider.origin)
  await providerButton(page).click()
  const link = await appLinkAfter(await opened)
  const attempt = await page.evaluate(() => localStorage.getItem('sign_in_attempt'))

  phone.launchUrl = link
  const origins = [{ origin: 'https://localhost', localStorage: [{ name: 'sign_in_attempt', value: attempt ?? '' }] }]
  const restarted = await phone.start({ storageState: { cookies: [], origins } })
  await expect(home(restarted)).toBeVisible()
})

test('a link to the sign-in that the app has not started does nothing', async ({ phone }) => {
  phone.launchUrl = 'hither://signed-in#code=somebody-elses'
  const page = await phone.start()
  await expect(signIn(page)).toBeVisible()
  await phone.emit('App', 'appUrlOpen', { url: 'hither://signed-in#code=somebody-elses-too' })
  await expect(providerButton(page)).toBeVisible()
  await expect(page).toHaveURL('https://localhost/login')
  await expect(page.getByRole('alert')).toBeHidden()
})

/** Resolves with the address that the app opens outside of itself. The phone shows it in the system browser. */
async function systemBrowserOf(page: Page, origin: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  await page.route(`${origin}/**`, async (route) => {
    resolve(route.request().url())
    // The app stays on its page.
    await route.fulfill({ status: 204 })
  })
  return promise
}

/** Signs in at the provider and returns the link that leads back to the app. */
async function appLinkAfter(address: string): Promise<string> {
  let location = address
  while (location.startsWith('http')) {
    const response = await fetch(location, { redirect: 'manual' })
    location = response.headers.get('location') ?? ''
  }
  return location
}
