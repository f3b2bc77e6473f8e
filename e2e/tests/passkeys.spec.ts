import { createRecoveryCodes } from '@hither/contract/auth/recovery.ts'
import type { Page } from '@playwright/test'
import { addAuthenticator } from '../authenticator.ts'
import { expect, expectAccessible } from '../fixtures.ts'
import { password } from '../people.ts'
import { test } from '../sign-in-server.ts'

const home = (page: Page) => page.getByText('My Pins')
const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })

test('a passkey is created and renamed, signs in with two taps and by autofill, and stops working after it is removed', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  // Three of its screens are checked for accessibility.
  test.slow()
  // The browser logs the refused passkey as a failed resource.
  expectConsole(/status of 401/)
  const page = await browserOf(await person('ann'))
  const device = await addAuthenticator(page)
  await page.goto('/profile')
  await expect(page.getByText('Sign in with your fingerprint, face or screen lock.')).toBeVisible()
  const create = page.getByRole('button', { name: 'Create a passkey' })
  await device.whileUnlocked(async () => {
    await create.click()
    await expect(page.getByText('Passkey created')).toBeVisible()
  })
  await expect(create).toBeFocused()
  const list = page.getByRole('list', { name: 'Passkeys' })
  await expect(list.getByText(/^Created \d+ \w+$/)).toBeVisible()

  await list.getByRole('button', { name: /^More about / }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  const name = page.getByRole('dialog').getByLabel('Name')
  await name.fill('  ')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Enter a name')).toBeVisible()
  await name.fill('My phone')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(list.getByText('My phone')).toBeVisible()
  await expectAccessible(page)

  await signOut(page)
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn')
  // The first tap is on this button, the second one unlocks the device. An unlocked device would already choose a passkey for the
  // email field.
  await passkeyButton(page).click()
  await device.whileUnlocked(() => expect(home(page)).toBeVisible())

  await page.goto('/profile')
  await expect(list.getByText(/Last used today/)).toBeVisible()
  await device.whileUnlocked(async () => {
    await page.getByRole('button', { name: 'Sign Out', exact: true }).click()
    // The device chooses the passkey that the email field offers.
    await expect(home(page)).toBeVisible()
  })

  await page.goto('/profile')
  await list.getByRole('button', { name: 'More about My phone' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  const question = page.getByRole('alertdialog', { name: 'Remove this passkey?' })
  await expect(question.getByText("You won't be able to sign in with it anymore.")).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Passkey removed')).toBeVisible()
  await expect(list).toBeHidden()

  await signOut(page)
  const refused = page.getByRole('alert').getByText("This passkey doesn't work here. Try another way to sign in.")
  await passkeyButton(page).click()
  await device.whileUnlocked(() => expect(refused).toBeVisible())
  await expect(page).toHaveURL('/login')
})

test('creating a passkey asks for the password if the sign-in is not recent', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 403/)
  const page = await browserOf(await person('ann'))
  const device = await addAuthenticator(page)
  // As for a session that was opened eleven minutes ago.
  await page.route('**/api/auth/passkeys/options', async (route) => {
    const { password: given } = (route.request().postDataJSON() ?? {}) as { password?: string }
    if (given === password) return route.continue()
    const detail = given === undefined ? 'Please sign in again to do this.' : 'The password is not correct'
    return route.fulfill({ status: 403, json: { detail } })
  })
  await page.goto('/profile')
  const create = page.getByRole('button', { name: 'Create a passkey' })
  await create.click()
  const dialog = page.getByRole('dialog', { name: 'Enter your password to continue' })
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(create).toBeFocused()

  await create.click()
  await dialog.getByLabel('Password', { exact: true }).fill('wrong password')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('The password is not correct')).toBeVisible()
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await device.whileUnlocked(async () => {
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('Passkey created')).toBeVisible()
  })
  await expect(dialog).toBeHidden()
})

test('an account without a password signs in again to create a passkey', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 403/)
  const ann = await person('ann')
  const page = await browserOf(ann)
  await page.route('**/api/auth/methods', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), password: false } })
  })
  await page.route('**/api/auth/passkeys/options', (route) =>
    route.fulfill({ status: 403, json: { detail: 'Please sign in again to do this.' } }),
  )
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Please sign in again to do this.' })
  await expect(dialog).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Sign in again' }).click()
  await expect(page).toHaveURL('/login')
  await signIn(page, ann.email)
  await expect(page).toHaveURL('/profile')
})

test('after a sign-in with the password a passkey is offered once per account and device', async ({
  browserOf,
  person,
}) => {
  const ann = await person('ann')
  const page = await browserOf(null)
  await page.goto('/login')
  const offer = page.getByText('Sign in faster next time?')
  await signIn(page, ann.email)
  await expect(offer).toBeVisible()
  await expect(page.getByText('Use your fingerprint, face or screen lock.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create a passkey' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Not now' }).click()
  await expect(offer).toBeHidden()

  await page.goto('/profile')
  await signOut(page)
  const loaded = page.waitForResponse('**/api/auth/security-events')
  await signIn(page, ann.email)
  await expect(home(page)).toBeVisible()
  await loaded
  await expect(offer).toBeHidden()
})

test('a server without https and a domain name shows no passkeys', async ({ browserOf, person }) => {
  const page = await browserOf(await person('ann'))
  await page.route('**/api/config', async (route) => {
    const response = await route.fetch()
    const config = await response.json()
    await route.fulfill({ response, json: { ...config, features: { ...config.features, passkeys: false } } })
  })
  await page.goto('/profile')
  await expect(page.getByText('Recovery codes', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create a passkey' })).toBeHidden()
  await signOut(page)
  await expect(page.getByRole('button', { name: 'Continue with Authelia' })).toBeVisible()
  await expect(passkeyButton(page)).toBeHidden()
})

async function signOut(page: Page) {
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
}

async function signIn(page: Page, email: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

test('a new password ends the recovery codes, and the passkeys that stay are shown and removed', async ({
  api,
  browserOf,
  person,
}) => {
  test.slow()
  const ann = await person('ann')
  const page = await browserOf(ann)
  const device = await addAuthenticator(page)
  await page.goto('/profile')
  await device.whileUnlocked(async () => {
    await page.getByRole('button', { name: 'Create a passkey' }).click()
    await expect(page.getByText('Passkey created')).toBeVisible()
  })
  await api(createRecoveryCodes, { body: {} }, ann)

  const newPassword = 'another horse battery'
  await page.getByRole('button', { name: 'Change password' }).click()
  const form = page.getByRole('dialog', { name: 'Change password' })
  await form.getByLabel('Current password').fill(password)
  await form.getByLabel('New password', { exact: true }).fill(newPassword)
  await form.getByLabel('Confirm new password').fill(newPassword)
  await form.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText('Password changed')).toBeVisible()
  const dialog = page.getByRole('dialog', { name: 'What can still sign in' })
  await expect(dialog.getByText("Recovery codes from before don't work anymore.")).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Create codes' })).toBeVisible()
  await expect(dialog.getByRole('listitem').getByText(/^Created \d+ \w+$/)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()

  // Another device shows it after the next sign-in.
  const laptop = await browserOf(null)
  await laptop.goto('/login')
  await laptop.getByLabel('Email').fill(ann.email)
  await laptop.getByLabel('Password', { exact: true }).fill(newPassword)
  await laptop.getByRole('button', { name: 'Sign In', exact: true }).click()
  const list = laptop.getByRole('list', { name: 'What can still sign in' })
  await list.getByRole('button', { name: /^Remove / }).click()
  await laptop.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(laptop.getByText('Only your new password can sign in.')).toBeVisible()
})
