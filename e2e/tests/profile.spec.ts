import { readFile } from 'node:fs/promises'
import { getMe } from '@hither/contract/users.ts'
import { expectShownFor, installClock, pauseClock } from '../fixed-clock.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { password, storageOf } from '../people.ts'

test('the profile shows the account, and a skeleton while it loads', async ({ baseURL, browserOf, person }) => {
  const ann = await person('ann')
  const { origins, cookies } = storageOf(baseURL ?? '', ann)
  const tokensOnly = origins.map(({ origin, localStorage }) => ({
    origin,
    localStorage: localStorage.filter(({ name }) => name !== 'user'),
  }))
  const page = await browserOf(null, { storageState: { cookies, origins: tokensOnly } })
  const gate = Promise.withResolvers<void>()
  await page.route('**/api/users/me', async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.goto('/profile')
  await expect(page.getByRole('main').getByRole('status', { name: 'Loading' })).toBeVisible()
  gate.resolve()

  await expect(page.getByRole('heading', { level: 1, name: ann.username })).toBeVisible()
  const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'America/New_York' })
  await expect(page.getByText(`Member since ${month.format(new Date())}`)).toBeVisible()
  const account = page.getByRole('region', { name: 'Account', exact: true })
  await expect(account.getByText(ann.email)).toBeVisible()
  await account.getByRole('button', { name: 'Edit password' }).click()
  await page.getByRole('dialog', { name: 'Change password' }).getByRole('button', { name: 'Cancel' }).click()
  const avatar = page.getByRole('main').locator('.MuiAvatar-root').first()
  expect(await avatar.boundingBox()).toMatchObject({ width: 100, height: 100 })
  // "ann-1a2b…" counts as two words for the initials.
  await expect(avatar).toHaveText(`A${ann.username.charAt(4).toUpperCase()}`)
})

test('a display name in any script is shown to friends live, and below it the username in search', async ({
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, eve] = [await person('ann'), await person('bob'), await person('eve')]
  await friends(ann, bob)
  const bobPage = await browserOf(bob)
  await bobPage.goto('/friends')
  await expect(bobPage.getByRole('main').getByText(ann.username)).toBeVisible()

  const page = await browserOf(ann)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Edit display name' }).click()
  const field = page.getByLabel('Display name', { exact: true })
  await field.fill('https://x.yz')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Please enter a name with 1 to 40 characters and no links.')).toBeVisible()
  await field.fill('آنا 🦊')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'آنا 🦊' })).toBeVisible()
  await expect(page.getByText(`@${ann.username}`)).toBeVisible()

  await expect(bobPage.getByRole('main').getByText('آنا 🦊')).toBeVisible()
  await expect(bobPage.getByRole('main').getByText(ann.username)).toBeHidden()

  const evePage = await browserOf(eve)
  await evePage.goto('/friends')
  await evePage.getByRole('button', { name: 'Add Friend' }).first().click()
  const dialog = evePage.getByRole('dialog', { name: 'Add Friend' })
  await dialog.getByLabel('Username').fill(ann.username)
  await dialog.getByRole('button', { name: 'Search' }).click()
  await expect(dialog.getByText('آنا 🦊')).toBeVisible()
  await expect(dialog.getByText(`@${ann.username}`)).toBeVisible()

  await page.getByRole('button', { name: 'Edit display name' }).click()
  await field.fill(' ')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: ann.username })).toBeVisible()
  await expect(bobPage.getByRole('main').getByText(ann.username)).toBeVisible()
})

test('a new username is validated, confirmed by a notice for three seconds, and visible to friends live', async ({
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of 409/, /ERR_FAILED/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const bobPage = await browserOf(bob)
  await bobPage.goto('/friends')
  await expect(bobPage.getByText(ann.username)).toBeVisible()

  const page = await browserOf(ann)
  await installClock(page)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Edit username' }).click()
  const field = page.getByLabel('Username', { exact: true })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await expect(field).toBeFocused()
  for (const [value, sentence] of [
    ['', 'Please fill in all required fields'],
    ['a', 'Username must be at least 2 characters long'],
    ['x'.repeat(31), 'Username must be 30 characters or less'],
    ['ann & bob', 'Use only letters, numbers, _ . and -'],
    [bob.username.toUpperCase(), 'Username already taken'],
  ] as const) {
    await field.fill(value)
    await save.click()
    await expect(page.getByText(sentence)).toBeVisible()
    await expect(field).toBeFocused()
  }
  await page.route('**/api/users/*', (route) => route.abort())
  const name = `annie-${crypto.randomUUID().slice(0, 8)}`
  await field.fill(name)
  await save.click()
  await expect(page.getByText('Failed to update profile. Please try again.')).toBeVisible()
  await page.unroute('**/api/users/*')

  await pauseClock(page)
  await save.press('Enter')
  await expectShownFor(page, page.getByText('Profile updated'), 3000)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByRole('banner').getByText(name)).toBeVisible()
  await expect(bobPage.getByText(name)).toBeVisible()
})

test('the setting for joining group chats is on by default, and a failed change is reverted', async ({
  api,
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/ERR_FAILED/)
  const ann = await person('ann')
  const page = await browserOf(ann)
  await installClock(page)
  await page.goto('/profile')
  const choice = page.getByRole('switch', { name: 'Auto-join Group Chats' })
  await expect(page.getByText("Automatically join group chats created for pings you're invited to")).toBeVisible()
  await expect(choice).toBeChecked()
  await choice.click()
  await expect(choice).not.toBeChecked()
  await expect.poll(async () => (await api(getMe, {}, ann)).auto_join_chats).toBe(false)
  await page.reload()
  await expect(choice).not.toBeChecked()

  await page.route('**/api/users/*', (route) => route.abort())
  await pauseClock(page)
  await choice.press(' ')
  await expectShownFor(page, page.getByText('Failed to update auto-join setting. Please try again.'), 5000)
  await expect(choice).not.toBeChecked()
})

test('the color scheme follows the system or the setting', async ({ browserOf, person }) => {
  const page = await browserOf(await person('ann'), { colorScheme: 'light' })
  await page.goto('/profile')
  const root = page.locator('html')
  await expect(root).toHaveAttribute('data-color-scheme', 'light')
  await page.getByRole('button', { name: 'Dark' }).click()
  await expect(root).toHaveAttribute('data-color-scheme', 'dark')
  await page.reload()
  await expect(root).toHaveAttribute('data-color-scheme', 'dark')
  await page.getByRole('button', { name: 'System' }).click()
  await expect(root).toHaveAttribute('data-color-scheme', 'light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(root).toHaveAttribute('data-color-scheme', 'dark')
})

test('the about and privacy dialogs can be read', async ({ browserOf, person }) => {
  const page = await browserOf(await person('ann'))
  await page.goto('/profile')
  await page.getByRole('button', { name: 'About' }).click()
  const about = page.getByRole('dialog', { name: 'About Hither' })
  await expect(about.getByText(/location-sharing social app with 30-minute pins/)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(about).toBeHidden()
  await expect(page.getByRole('button', { name: 'About' })).toBeFocused()

  await page.getByRole('button', { name: 'Privacy Policy' }).click()
  const policy = page.getByRole('dialog', { name: 'Privacy Policy' })
  for (const sentence of [
    'Last updated August 17, 2025',
    /laws of Oregon, United States/,
    'Hither is not for children under 13.',
  ])
    await expect(policy.getByText(sentence)).toBeAttached()
  await expectAccessible(page)
  await policy.getByRole('button', { name: 'Close' }).click()
  await expect(policy).toBeHidden()
})

test('the account data can be exported with the password if the sign-in is not recent', async ({
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of 403/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann)
  // As for a session that was opened eleven minutes ago.
  await page.route('**/api/users/me/export', async (route) => {
    const { password: given } = (route.request().postDataJSON() ?? {}) as { password?: string }
    if (given === password) return route.continue()
    return route.fulfill({ status: 403, json: { detail: 'Please sign in again to do this.' } })
  })
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Export my data' }).click()
  const dialog = page.getByRole('dialog', { name: 'Enter your password to continue' })
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const download = await saving
  expect(download.suggestedFilename()).toBe('hither-export.json')
  const text = await readFile(await download.path(), 'utf8')
  expect(JSON.parse(text)).toMatchObject({
    account: { email: ann.email, username: ann.username },
    friends: [{ username: bob.username }],
  })
  expect(text).not.toContain(bob.email)
  await expect(page.getByText('Your data has been downloaded')).toBeVisible()
})

test('deleting the account asks for confirmation and erases all its data', async ({
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of (401|403)/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const bobPage = await browserOf(bob)
  await bobPage.goto('/friends')
  await expect(bobPage.getByText(ann.username)).toBeVisible()
  const page = await browserOf(ann)
  const other = await page.context().newPage()
  await page.goto('/profile')
  await other.goto('/friends')
  await expect(page.getByText('Permanently deletes your account and data')).toBeVisible()
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' })
  for (const sentence of [
    'This cannot be undone. Deleting your account',
    'deletes all your pins with their pictures and responses, including live pins',
    'signs you out on every device',
    'keeps the messages you wrote in chats with others, shown as from "Deleted user"',
  ])
    await expect(dialog.getByText(sentence)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(dialog.getByText('Current password is required')).toBeVisible()
  await dialog.getByLabel('Your password').fill('not this one')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(dialog.getByText('The password is not correct')).toBeVisible()
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Your account has been deleted.')).toBeVisible()
  await expect(other).toHaveURL('/login')
  await expect(bobPage.getByText('No friends yet. Start by adding some friends!')).toBeVisible()

  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText('Invalid email or password')).toBeVisible()
})

test('signing out opens the sign-in page, and shows an error if the browser storage fails', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 401/)
  const page = await browserOf(await person('ann'))
  await page.goto('/profile')
  await page.evaluate(() => {
    const { removeItem } = Storage.prototype
    Storage.prototype.removeItem = function (key) {
      if (key !== 'access_token') return removeItem.call(this, key)
      Storage.prototype.removeItem = removeItem
      throw new DOMException('Denied', 'SecurityError')
    }
  })
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click()
  await expect(page.getByText('Failed to logout. Please try again.')).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click()
  await expect(page).toHaveURL('/login')
})
