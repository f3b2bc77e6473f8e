import { randomUUID } from 'node:crypto'
import { createRecoveryCodes } from '@hither/contract/auth/recovery.ts'
import type { Page } from '@playwright/test'
import { test as adminTest } from '../admin-server.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { password } from '../people.ts'

const home = (page: Page) => page.getByText('My Pins')
const newPassword = 'another horse battery'

test('without mail and without an admin, a recovery code sets a new password', async ({ browserOf, expectConsole }) => {
  // Four of its screens are checked for accessibility.
  test.slow()
  expectConsole(/status of 401/)
  const page = await browserOf(null)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const name = `new-${randomUUID().slice(0, 8)}`
  const email = `${name}@example.org`
  await page.goto('/signup')
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('button', { name: 'Sign Up' }).click()

  await expect(page.getByText('Save your recovery codes')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Later' })).toBeVisible()
  await page.getByRole('button', { name: 'Create codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await expect(
    dialog.getByText(
      'If you lose access to your account, use one of these to set a new password. Each code works once.',
    ),
  ).toBeVisible()
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByText(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/)
  await expect(codes).toHaveCount(8)
  const [first = ''] = await codes.allTextContents()
  await expectAccessible(page)
  // Nothing closes the dialog before the codes are saved.
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Done' }).dispatchEvent('click')
  await expect(codes).toHaveCount(8)
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByText('Codes copied')).toBeVisible()
  expect((await page.evaluate(() => navigator.clipboard.readText())).split('\n')).toEqual(await codes.allTextContents())
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('hither-recovery-codes.txt')
  await dialog.getByRole('checkbox', { name: 'I saved my codes' }).check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Save your recovery codes')).toBeHidden()

  await page.goto('/profile')
  await expect(page.getByText('8 of 8 left')).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click()
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByText('Enter your email and one of your recovery codes.')).toBeVisible()
  await expect(page.getByText('No recovery code? Ask an admin of this server for a reset link.')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Email').fill(email)
  const field = page.getByLabel('Recovery code')
  const submit = page.getByRole('button', { name: 'Continue' })
  await field.fill('K7QM-2XPD')
  await submit.click()
  await expect(page.getByText('A recovery code has 16 letters and numbers.')).toBeVisible()
  await field.fill('0000-0000-0000-0000')
  await submit.click()
  await expect(page.getByRole('alert').getByText('Email or recovery code is not correct')).toBeVisible()
  await field.fill(asTyped(first))
  await submit.click()

  const heading = page.getByRole('heading', { name: 'Set a new password' })
  await expect(heading).toBeFocused()
  await expectAccessible(page)
  await setPassword(page)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(home(page)).toBeVisible()
  // The new password has ended the other codes.
  await expect(page.getByText('Only your new password can sign in.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create codes' })).toBeVisible()
  await expectAccessible(page)

  await page.goto('/profile')
  await page.getByRole('button', { name: 'Create codes' }).click()
  await expect(codes).toHaveCount(8)
  await dialog.getByRole('checkbox', { name: 'I saved my codes' }).check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'New codes' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question.getByText('The old codes stop working.')).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'New codes' }).click()
  await expect(codes).toHaveCount(8)
  expect(await codes.allTextContents()).not.toContain(first)
})

test('the recovery codes are offered once after the sign-up and can be made later', async ({ browserOf }) => {
  const page = await browserOf(null)
  const name = `new-${randomUUID().slice(0, 8)}`
  await page.goto('/signup')
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Email').fill(`${name}@example.org`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await page.getByRole('button', { name: 'Later' }).click()
  await expect(page.getByText('Save your recovery codes')).toBeHidden()
  await page.goto('/profile')
  await expect(page.getByRole('button', { name: 'Create codes' })).toBeVisible()
})

adminTest('with mail, a recovery code can be used instead', async ({ api, browserOf, person }) => {
  const ann = await person('ann')
  const { codes } = await api(createRecoveryCodes, { body: {} }, ann)
  const page = await browserOf(null)
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  // The sign-in page, which stays visible until the next page has loaded, has a field of the same name.
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await page.getByLabel('Email').fill(ann.email)
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
  await expect(page.getByLabel('Email')).toHaveValue(ann.email)
  await page.getByLabel('Recovery code').fill(codes[0] ?? '')
  await page.getByRole('button', { name: 'Continue' }).click()
  await setPassword(page)
})

adminTest(
  'an admin creates a reset link, and its owner sees that afterwards',
  async ({ admin, browserOf, expectConsole, person }) => {
    expectConsole(/status of 40[01]/)
    const sam = await person('sam')
    const page = await browserOf(admin)
    await page.goto('/admin')
    await page.getByRole('tab', { name: 'People' }).click()
    await page.getByLabel('Username or email').fill(sam.username)
    await page.getByRole('button', { name: `More about ${sam.username}` }).click()
    await page.getByRole('menuitem', { name: 'Create reset link' }).click()
    const dialog = page.getByRole('dialog', { name: `Create a reset link for ${sam.username}?` })
    await expect(
      dialog.getByText(`Anyone who opens it can set a new password for this account. Send it to ${sam.username} only.`),
    ).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Create reset link' }).click()
    const field = page.getByRole('textbox', { name: `Reset link for ${sam.username}` })
    await expect(page.getByText(/^Works once, until tomorrow \d+:\d+. It's shown only now\.$/)).toBeVisible()
    await expectAccessible(page)
    const link = await field.inputValue()
    await page.getByRole('button', { name: 'Done' }).click()

    const samsPage = await browserOf(sam)
    await samsPage.goto(link)
    await expect(samsPage.getByRole('heading', { name: 'Set a new password' })).toBeVisible()
    // The token stays neither in the address nor in the history.
    await expect(samsPage).toHaveURL('/reset-password')
    const cdp = await samsPage.context().newCDPSession(samsPage)
    const { entries } = await cdp.send('Page.getNavigationHistory')
    expect(entries.filter(({ url }) => url.includes('token'))).toEqual([])
    await setPassword(samsPage)
    await samsPage.getByLabel('Email').fill(sam.email)
    await samsPage.getByLabel('Password', { exact: true }).fill(newPassword)
    await samsPage.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(
      samsPage.getByText(/^An admin created a password reset link for your account on \d+ \w+\.$/),
    ).toBeVisible()
    await expectAccessible(samsPage)

    const late = await browserOf(null)
    await late.goto(link)
    await late.getByLabel('New password').fill(newPassword)
    await late.getByLabel('Confirm Password').fill(newPassword)
    await late.getByRole('button', { name: 'Set password' }).click()
    await expect(late.getByText('Password reset link is invalid or has expired')).toBeVisible()
  },
)

/** As somebody copies a code from paper. */
function asTyped(code: string): string {
  return code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
}

async function setPassword(page: Page) {
  await page.getByLabel('New password').fill(newPassword)
  await page.getByLabel('Confirm Password').fill(newPassword)
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('Your new password is set. Sign in to continue.')).toBeVisible()
  await expect(page).toHaveURL('/login')
}
