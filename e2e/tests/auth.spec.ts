import { expect, expectAccessible, test } from '../fixtures.ts'
import { dropPing, password } from '../people.ts'

test('sign-up shows an error next to each invalid field, keeps the input, and then signs in', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  // The browser logs a refused sign-up as a failed resource.
  expectConsole(/status of 409/)
  const taken = await person('taken')
  const page = await browserOf(null)
  await page.goto('/signup')
  await expect(page.getByRole('heading', { name: 'Join Hither' })).toBeVisible()
  await expect(page.getByText('Must be at least 6 characters')).toBeVisible()
  await expect(page.getByText('For people aged 13 and over')).toBeVisible()
  const [username, email] = [page.getByLabel('Username'), page.getByLabel('Email')]
  const [secret, again] = [page.getByLabel('Password', { exact: true }), page.getByLabel('Confirm Password')]
  const submit = page.getByRole('button', { name: 'Sign Up' })

  await submit.click()
  await expect(page.getByText('Please fill in all fields').first()).toBeVisible()
  await username.fill('a')
  await email.fill('not an address')
  await secret.fill('12345')
  await again.fill('123456')
  await submit.click()
  await expect(page.getByText('Username must be at least 2 characters long')).toBeVisible()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await expect(page.getByText('Password must be at least 6 characters long')).toBeVisible()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await expect(username).toBeFocused()

  const name = `new-${crypto.randomUUID().slice(0, 8)}`
  await username.fill(taken.username.toUpperCase())
  await email.fill(`${name}@example.org`)
  await secret.fill(password)
  await again.fill(password)
  await submit.click()
  await expect(page.getByText('Username already taken')).toBeVisible()
  await expect(email).toHaveValue(`${name}@example.org`)

  await username.fill(name)
  await submit.click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByText(name)).toBeVisible()
})

test('sign-in returns to the deep link that was opened first, also after a wrong password', { tag: '@quick' }, async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 401/)
  const ann = await person('ann')
  const page = await browserOf(null)
  await page.goto('/friends')
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()

  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText('Please fill in all fields').first()).toBeVisible()
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill('wrong password')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText('Invalid email or password')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(ann.email)

  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/friends')
})

test('the pages of a sign-in are not behind the page to which it returns', { tag: '@quick' }, async ({
  baseURL,
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 422/)
  const ann = await person('ann')
  const ping = await dropPing(baseURL ?? '', ann, { is_public: true })
  const page = await browserOf(null)
  await page.goto('/pins/about')
  await page.goto(`/pins/${ping.id}`)
  await page.getByRole('link', { name: 'Login to Respond' }).click()
  await page.getByRole('link', { name: 'Sign Up' }).click()
  const username = `eve-${crypto.randomUUID().slice(0, 8)}`
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Email').fill(`${username}@example.org`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page).toHaveURL(`/pins/${ping.id}`)
  await expect(page.getByRole('heading', { name: 'Coffee at Nero' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/pins/about')

  // A redirect to the sign-in replaces the page that needs it.
  const other = await browserOf(null)
  await other.goto('/pins/about')
  await other.goto('/friends')
  await other.getByRole('link', { name: 'Sign Up' }).click()
  await other.getByRole('link', { name: 'Sign In' }).click()
  // The form before it has a field with the same label.
  await expect(other.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  await other.getByLabel('Email').fill(ann.email)
  await other.getByLabel('Password', { exact: true }).fill(password)
  await other.getByRole('button', { name: 'Sign In' }).click()
  await expect(other).toHaveURL('/friends')
  await other.goBack()
  await expect(other).toHaveURL('/pins/about')
})

test('signing out in one tab signs out the other and revokes the session', async ({ browserOf, person }) => {
  const ann = await person('ann')
  const page = await browserOf(ann)
  await page.goto('/profile')
  const other = await page.context().newPage()
  await other.goto('/friends')
  await expect(other.getByRole('tab', { name: /Friends/ })).toBeVisible()

  await page.getByRole('button', { name: 'Sign Out', exact: true }).click()
  await expect(page).toHaveURL('/login')
  await expect(other).toHaveURL('/login')
  const { access_token } = ann.session
  const headers = { authorization: `Bearer ${access_token}` }
  // Signing out does not wait for the server.
  await expect.poll(async () => (await page.request.get('/api/users/me', { headers })).status()).toBe(401)
})

test('the sign-in pages redirect a signed-in user', async ({ browserOf, person }) => {
  const page = await browserOf(await person('ann'))
  for (const path of ['/login', '/signup']) {
    await page.goto(path)
    await expect(page).toHaveURL('/')
  }
})

test('an expired access token is refreshed once without interruption', async ({ browserOf, expectConsole, person }) => {
  expectConsole(/status of 401/)
  const ann = await person('ann')
  const stale = { ...ann, session: { ...ann.session, access_token: 'stale' } }
  const page = await browserOf(stale)
  const refreshes: string[] = []
  page.on('request', (request) => request.url().endsWith('/auth/refresh') && refreshes.push(request.url()))
  await page.goto('/friends')
  await expect(page.getByText('No friends yet. Start by adding some friends!')).toBeVisible()
  expect(refreshes).toHaveLength(1)
})

for (const path of ['/login', '/signup']) {
  test(`${path} is accessible in both schemes and does not scroll sideways at 320 px`, async ({ browserOf }) => {
    const page = await browserOf(null, { viewport: { width: 320, height: 640 } })
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  })
}
