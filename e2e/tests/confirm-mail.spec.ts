import { confirm, login, signup } from '@hither/contract/auth/auth.ts'
import { createFriendLink } from '@hither/contract/friend-links.ts'
import type { Page } from '@playwright/test'
import { expectShownFor, installClock, pauseClock } from '../fixed-clock.ts'
import { expect, expectAccessible } from '../fixtures.ts'
import { test } from '../mail-server.ts'
import { call, type Person, password } from '../people.ts'
import { textsIn } from '../texts.ts'

// All tests share one server and one mailbox.
test.describe.configure({ mode: 'default' })

const newName = () => `new-${crypto.randomUUID().slice(0, 8)}`

test('signing up, here with a friend link, requires the link in the mail, which works once', async ({
  browserOf,
  expectConsole,
  postOffice,
}) => {
  expectConsole(/status of (400|403)/, /ERR_FAILED/)
  const name = newName()
  const email = `${name}@example.org`
  const page = await browserOf(null)
  await installClock(page)
  const ann = await newPerson(postOffice, newName())
  await page.goto((await call(postOffice.base, createFriendLink, { body: { kind: 'link' } }, ann)).url)
  await page.getByRole('link', { name: 'Sign up' }).click()
  await fillIn(page, name)
  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeVisible()
  await expect(page.getByText(`We sent a confirmation link to ${email}.`)).toBeVisible()
  await expect(page.getByText(/^Open it on this device to finish\. The link works for 24 hours\./)).toBeVisible()
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /token|user/.test(key)))).toEqual([])

  // The form still contains the input.
  await page.getByRole('button', { name: 'Back to Sign Up' }).click()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeVisible()

  await page.route('**/api/auth/resend-confirmation', (route) => route.abort())
  await page.getByRole('button', { name: 'Resend Confirmation Email' }).click()
  await expect(page.getByText('Failed to resend confirmation email. Please try again.')).toBeVisible()
  await page.unroute('**/api/auth/resend-confirmation')
  await pauseClock(page)
  await page.getByRole('button', { name: 'Resend Confirmation Email' }).press('Enter')
  await expectShownFor(page, page.getByText('Confirmation email sent successfully!'), 5000)
  await page.clock.resume()

  await page.getByRole('link', { name: 'Go to Sign In' }).click()
  await expect(page).toHaveURL('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeVisible()
  await expect(page.getByText(email)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Resend Confirmation Email' })).toBeHidden()
  await page.getByRole('button', { name: 'Go to Sign In' }).click()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(page.getByText('Please confirm your email address before signing in')).toBeHidden()
  const german = await browserOf(null, { locale: 'de-DE' })
  await german.goto('/login')
  await german.getByLabel('E-Mail').fill(email)
  await german.getByLabel('Passwort', { exact: true }).fill(password)
  await german.keyboard.press('Enter')
  await expect(german.getByRole('heading', { name: 'Sieh in deinen E-Mails nach' })).toBeVisible()

  const mail = await postOffice.mailTo(email, 3)
  await page.goto(mail.link.href)
  // Opening the link changes nothing. The page names the account and waits for a click.
  await expect(page.getByText(name, { exact: true })).toBeVisible()
  await expect(page.getByText(email)).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toBeHidden()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Confirm and sign in' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByText(`You and ${ann.username} are now friends!`)).toBeVisible()
  await expect(page.getByRole('banner').getByText(name)).toBeVisible()

  const other = await browserOf(null)
  // Links of earlier mails have the token in the query.
  for (const used of [mail.link.href, '/confirm?token=made-up']) {
    await other.goto(used)
    await expect(other.getByText('Confirmation link is invalid or has expired')).toBeVisible()
    await expect(other).toHaveURL('/confirm')
  }
  await expectAccessible(other)
  await other.getByRole('link', { name: 'Back to Sign Up' }).click()
  await expect(other).toHaveURL('/signup')
  await other.goto('/confirm')
  await expect(other.getByText('This link is incomplete. Open the link in the email again.')).toBeVisible()
  await other.getByRole('link', { name: 'Go to Sign In' }).click()
  await expect(other).toHaveURL('/login')
})

test('the confirmation link still works after the server was unavailable', async ({
  browserOf,
  expectConsole,
  postOffice,
}) => {
  expectConsole(/ERR_FAILED/)
  const name = newName()
  await call(postOffice.base, signup, { body: { email: `${name}@example.org`, password, username: name } })
  const { link } = await postOffice.mailTo(`${name}@example.org`)
  const page = await browserOf(null)
  await page.route('**/api/auth/{pending-confirmation,confirm}', (route) => route.abort())
  await page.goto(link.href)
  await expect(page.getByText('Hither cannot be reached. Check your connection and try again.')).toBeVisible()
  await page.unroute('**/api/auth/{pending-confirmation,confirm}')
  await page.route('**/api/auth/confirm', (route) => route.abort())
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Confirm and sign in' }).click()
  await expect(page.getByText('Hither cannot be reached. Check your connection and try again.')).toBeVisible()
  await page.unroute('**/api/auth/confirm')
  await page.getByRole('button', { name: 'Confirm and sign in' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByText(name)).toBeVisible()
})

test('a confirmation link of somebody else does nothing on load and asks before it replaces a session', async ({
  browserOf,
  expectConsole,
  postOffice,
}) => {
  expectConsole(/status of 403/)
  const ann = await newPerson(postOffice, newName())
  const eve = newName()
  await call(postOffice.base, signup, { body: { email: `${eve}@example.org`, password, username: eve } })
  const { link } = await postOffice.mailTo(`${eve}@example.org`)
  const page = await browserOf(ann)
  const confirmed: string[] = []
  page.on('request', (request) => request.url().endsWith('/auth/confirm') && confirmed.push(request.url()))

  await page.goto(link.href)
  await expect(page.getByText(eve, { exact: true })).toBeVisible()
  await expect(
    page.getByText(`You are signed in as ${ann.username}. Confirming signs you out of that account on this device.`),
  ).toBeVisible()
  await expectAccessible(page)
  const replace = page.getByRole('button', { name: `Sign out ${ann.username} and confirm` })
  await replace.click()
  await expect(page.getByText('Please fill in all fields')).toBeVisible()
  expect(confirmed).toEqual([])
  await page.getByLabel('Password', { exact: true }).fill('a guess of the victim')
  await replace.click()
  await expect(page.getByText('Please enter the password you signed up with')).toBeVisible()
  await page.getByRole('link', { name: `Stay signed in as ${ann.username}` }).click()
  await expect(page.getByRole('banner').getByText(ann.username)).toBeVisible()

  // The password and the button are sufficient, and the other session ends.
  await page.goto(link.href)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await replace.click()
  await expect(page.getByRole('banner').getByText(eve)).toBeVisible()
  const headers = { authorization: `Bearer ${ann.session.access_token}` }
  const answer = await page.request.get(`${postOffice.base}/api/users/me`, { headers })
  expect(answer.status()).toBe(401)
})

test('a later sign-up with the same address does not affect the confirmation of the owner', async ({
  browserOf,
  postOffice,
}) => {
  const name = newName()
  const email = `${name}@example.org`
  const page = await browserOf(null)
  await page.goto('/signup')
  await fillIn(page, name)
  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeVisible()
  const stranger = { email, password: 'chosen by a stranger', username: newName() }
  await call(postOffice.base, signup, { body: stranger })
  const { link } = await postOffice.mailTo(email, 2)
  await page.goto(link.href)
  await expect(page.getByText(name, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Confirm and sign in' }).click()
  await expect(page.getByRole('banner').getByText(name)).toBeVisible()
  const answer = await page.request.post(`${postOffice.base}/api/auth/login`, { data: stranger })
  expect(answer.status()).toBe(401)
})

test('a forgotten password is reset with the link in the mail, which signs out every device', async ({
  baseURL,
  browserOf,
  expectConsole,
  postOffice,
}) => {
  expectConsole(/status of (400|401|422)/)
  const ann = await newPerson(postOffice, newName())
  const elsewhere = await browserOf(ann)
  await elsewhere.goto('/friends')
  await expect(elsewhere.getByText('No friends yet. Start by adding some friends!')).toBeVisible()

  const page = await browserOf(null)
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByText('Please fill in all fields')).toBeVisible()
  await page.getByLabel('Email').fill('not an address')
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  // One sentence for both, or it would reveal who has an account.
  const sentence = 'If an account has this address, a link to set a new password is on its way.'
  await page.getByLabel('Email').fill('nobody@example.org')
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByText(sentence)).toBeVisible()
  await page.getByRole('link', { name: 'Back to Sign In' }).click()
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  // The sign-in page, which stays visible until the next page has loaded, has a field of the same name.
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await page.getByLabel('Email').fill(ann.email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByText(sentence)).toBeVisible()

  const { link } = await postOffice.mailTo(ann.email, 2)
  await page.goto(link.href)
  const submit = page.getByRole('button', { name: 'Set password' })
  await submit.click()
  await expect(page.getByText('Please fill in all fields').first()).toBeVisible()
  await page.getByLabel('New password').fill('12345')
  await page.getByLabel('Confirm Password').fill('123456')
  await submit.click()
  await expect(page.getByText('Password must be at least 6 characters long')).toBeVisible()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  // A common password is refused next to the field, and the link stays valid.
  await page.getByLabel('New password').fill('password1')
  await page.getByLabel('Confirm Password').fill('password1')
  await submit.click()
  await expect(page.getByText('This password is too common. Please choose another one.')).toBeVisible()
  await page.getByLabel('New password').fill('a new secret')
  await page.getByLabel('Confirm Password').fill('a new secret')
  await submit.click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Your new password is set. Sign in to continue.')).toBeVisible()
  await expect(elsewhere).toHaveURL('/login')
  await expect(elsewhere.getByText('Session expired. Please login again.')).toBeVisible()

  const answer = await page.request.post(`${baseURL}/api/auth/login`, { data: { email: ann.email, password } })
  expect(answer.status()).toBe(401)
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill('a new secret')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/')

  const late = await browserOf(null)
  await late.goto(link.href)
  await late.getByLabel('New password').fill('another secret')
  await late.getByLabel('Confirm Password').fill('another secret')
  await late.getByRole('button', { name: 'Set password' }).click()
  await expect(late.getByText('Password reset link is invalid or has expired')).toBeVisible()
  await late.getByRole('link', { name: 'Send me a new link' }).click()
  await expect(late).toHaveURL('/forgot-password')
})

test('a request for a reset link is answered in the language of the visitor', async ({ browserOf }) => {
  const de = textsIn('de')
  const page = await browserOf(null, { locale: 'de-DE' })
  await page.goto('/forgot-password')
  await page.getByLabel('E-Mail').fill(`${newName()}@example.org`)
  await page.getByRole('button', { name: de('auth.sendLink') }).click()
  await expect(page.getByText(de('auth.resetSent'))).toBeVisible()
})

test('the confirmation and password reset pages are accessible in both schemes', async ({ browserOf }) => {
  const page = await browserOf(null, { viewport: { width: 320, height: 640 } })
  await page.goto('/forgot-password')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/reset-password?token=any')
  await expect(page.getByLabel('New password')).toBeVisible()
  await expectAccessible(page)
  await page.goto('/signup')
  await fillIn(page, newName())
  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})

async function fillIn(page: Page, name: string) {
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Email').fill(`${name}@example.org`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('button', { name: 'Sign Up' }).click()
}

/** Signs up a user and confirms their address, which has then received one mail. */
async function newPerson(
  { base, mailTo }: { base: string; mailTo(email: string): Promise<{ link: URL }> },
  username: string,
): Promise<Person> {
  const email = `${username}@example.org`
  await call(base, signup, { body: { email, password, username } })
  const token = (await mailTo(email)).link.hash.slice('#token='.length)
  await call(base, confirm, { body: { token, password } })
  return { username, email, session: await call(base, login, { body: { email, password } }) }
}
