import { readFile } from 'node:fs/promises'
import { getMe } from '@hither/contract/users.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { password, storageOf } from '../people.ts'
import { bringClock, expectShownFor, stopClock } from '../standing-clock.ts'

test('the profile shows who one is, in outline until it is known', async ({ baseURL, browserOf, person }) => {
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
  await expect(account.getByRole('button', { name: 'Edit email' })).toBeDisabled()
  await expect(account.getByRole('button', { name: 'Edit password' })).toBeDisabled()
  const avatar = page.getByRole('main').locator('.MuiAvatar-root').first()
  expect(await avatar.boundingBox()).toMatchObject({ width: 100, height: 100 })
  // "ann-1a2b…" is two words.
  await expect(avatar).toHaveText(`A${ann.username.charAt(4).toUpperCase()}`)
})

test('a new username is checked, told of for three seconds, and seen by friends at once', async ({
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
  await bringClock(page)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Edit username' }).click()
  const field = page.getByLabel('Username', { exact: true })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await expect(field).toBeFocused()
  for (const [value, sentence] of [
    ['', 'Please fill in all required fields'],
    ['a', 'Username must be at least 2 characters long'],
    ['x'.repeat(31), 'Username must be 30 characters or less'],
    ['ann & bob', 'Username may hold letters, digits, "_", "." and "-" only'],
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

  await stopClock(page)
  await save.press('Enter')
  await expectShownFor(page, page.getByText('Profile updated'), 3000)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByRole('banner').getByText(name)).toBeVisible()
  await expect(bobPage.getByText(name)).toBeVisible()
})

test('joining group chats is on until it is switched off, and stays as it was where that fails', async ({
  api,
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/ERR_FAILED/)
  const ann = await person('ann')
  const page = await browserOf(ann)
  await bringClock(page)
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
  await stopClock(page)
  await choice.press(' ')
  await expectShownFor(page, page.getByText('Failed to update auto-join setting. Please try again.'), 5000)
  await expect(choice).not.toBeChecked()
})

test('the colours are those of the system, or the chosen ones', async ({ browserOf, person }) => {
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

test('what the product is, and what it holds, can be read', async ({ browserOf, person }) => {
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

test('all that is held can be taken along', async ({ browserOf, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann)
  await page.goto('/profile')
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export my data' }).click()
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

test('deleting the account asks first, and leaves nothing of it', async ({
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
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' })
  for (const sentence of [
    'This cannot be undone. Deleting your account',
    'erases all your pins with their pictures and answers, those that are live included',
    'signs you out on every device',
    'leaves the messages you wrote in chats with others, as from "Deleted user"',
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

test('signing out leads to the sign-in, and says so where the browser fails at it', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 401/)
  const page = await browserOf(await person('ann'))
  await page.goto('/profile')
  await page.evaluate(() => {
    const { removeItem } = Storage.prototype
    Storage.prototype.removeItem = () => {
      Storage.prototype.removeItem = removeItem
      throw new DOMException('Denied', 'SecurityError')
    }
  })
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click()
  await expect(page.getByText('Failed to logout. Please try again.')).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click()
  await expect(page).toHaveURL('/login')
})
