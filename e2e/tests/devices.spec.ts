import { login } from '@hither/contract/auth/auth.ts'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { call, type Person, password } from '../people.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0'
const phone =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

test('every signed-in device is listed and can be signed out from another one', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 401/, /ERR_FAILED/)
  const ann = await person('ann')
  const [page, desk, pocket] = [
    await signIn(await browserOf(null), ann),
    await signIn(await browserOf(null, { userAgent: firefox }), ann),
    await signIn(await browserOf(null, { userAgent: phone }), ann),
  ]
  await page.goto('/profile')
  const devices = page.getByRole('region', { name: 'Signed-in devices' })
  const own = devices.getByRole('listitem').filter({ hasText: 'This device' })
  await expect(own).toContainText('Chrome on Linux')
  await expect(own).toContainText(/Last used (now|this minute|\d+ seconds? ago)/)
  await expect(own.getByRole('button')).toBeHidden()
  await expect(devices.getByRole('listitem').filter({ hasText: 'Chrome on Android' })).toBeVisible()

  await page.route('**/api/auth/sessions/*', (route) => route.abort())
  await devices.getByRole('button', { name: 'Sign out Firefox on Windows' }).click()
  await expect(page.getByText('Failed to sign out that device. Please try again.')).toBeVisible()
  await page.unroute('**/api/auth/sessions/*')
  await devices.getByRole('button', { name: 'Sign out Firefox on Windows' }).click()
  await expect(devices.getByText('Firefox on Windows')).toBeHidden()
  await expect(desk).toHaveURL('/login')
  await expect(desk.getByText('Session expired. Please login again.')).toBeVisible()

  await page.route('**/api/auth/sessions', (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.continue(),
  )
  await devices.getByRole('button', { name: 'Sign out all others' }).click()
  await expect(page.getByText('Failed to sign out the other devices. Please try again.')).toBeVisible()
  await expect(devices.getByText('Chrome on Android')).toBeVisible()
  await page.unroute('**/api/auth/sessions')
  await devices.getByRole('button', { name: 'Sign out all others' }).click()
  await expect(page.getByText('All other devices are signed out')).toBeVisible()
  await expect(devices.getByRole('listitem')).toHaveCount(1)
  await expect(devices.getByRole('button', { name: 'Sign out all others' })).toBeHidden()
  await expect(pocket).toHaveURL('/login')
  await expect(page).toHaveURL('/profile')
})

test('changing the password validates the input and ends the sessions of all other devices', async ({
  baseURL,
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of (401|403)/)
  const ann = await person('ann')
  const page = await browserOf(ann)
  const elsewhere = await signIn(await browserOf(null), ann)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await expect(dialog.getByText('This signs out your other devices.')).toBeVisible()
  const save = dialog.getByRole('button', { name: 'Save password' })
  const [current, next, again] = [
    dialog.getByLabel('Current password'),
    dialog.getByLabel('New password', { exact: true }),
    dialog.getByLabel('Confirm new password'),
  ]
  await save.click()
  await expect(dialog.getByText('Current password is required')).toBeVisible()
  await expect(dialog.getByText('Please fill in all required fields').first()).toBeVisible()
  await expect(current).toBeFocused()
  await current.fill('not this one')
  await next.fill('12345')
  await again.fill('123456')
  await save.click()
  await expect(dialog.getByText('Password must be at least 6 characters long')).toBeVisible()
  await expect(dialog.getByText('Passwords do not match')).toBeVisible()
  await expectAccessible(page)
  await next.fill('a new secret')
  await again.fill('a new secret')
  await save.click()
  await expect(dialog.getByText('The password is not correct')).toBeVisible()
  await expect(current).toBeFocused()
  await current.fill(password)
  await save.click()
  await expect(page.getByText('Password changed')).toBeVisible()
  const remaining = page.getByRole('dialog', { name: 'What can still sign in' })
  await expect(remaining.getByText('Only your new password can sign in.')).toBeVisible()
  await remaining.getByRole('button', { name: 'Done' }).click()
  await expect(remaining).toBeHidden()
  await expect(elsewhere).toHaveURL('/login')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: ann.username })).toBeVisible()
  const { user } = await call(baseURL ?? '', login, { body: { email: ann.email, password: 'a new secret' } })
  expect(user.id).toBe(ann.session.user.id)
})

/** Signs in through the form, so that the server receives the user agent of the browser. */
async function signIn(page: Page, { email, username }: Person): Promise<Page> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('banner').getByText(username)).toBeVisible()
  return page
}
