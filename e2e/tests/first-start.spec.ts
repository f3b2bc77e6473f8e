import { setRegistration } from '@hither/contract/invitations.ts'
import type { Page } from '@playwright/test'
import { test as base, expect, expectAccessible } from '../fixtures.ts'
import { call, password, signUp } from '../people.ts'
import { qrTextOf } from '../qr-codes.ts'
import { type OwnServer, startOwnServer } from '../servers.ts'

let server: OwnServer

/** Each test has a server without an administrator, which stops after the pages have closed. */
const test = base.extend<{ ownServer: null }>({
  ownServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      server = await startOwnServer({})
      await use(null)
      await server.stop()
    },
    { auto: true },
  ],
})

test.use({ viewport: { width: 390, height: 844 } })

const claimed = (page: Page) => page.getByRole('heading', { name: 'Your server is ready' })

async function expectNoCode(page: Page): Promise<void> {
  expect(page.url()).not.toContain(server.adminCode)
  const state = await page.evaluate(() => JSON.stringify([history.state, document.referrer, location.href]))
  expect(state).not.toContain(server.adminCode)
}

test('the admin link leads through sign-up to the first invitation', async ({ browserOf }) => {
  const page = await browserOf(null, { baseURL: server.base })
  await page.goto(`/admin#code=${server.adminCode}`)
  await expect(page).toHaveURL(`${server.base}/signup`)
  await expect(page.getByText("Create your account. You'll be the administrator of this server.")).toBeVisible()
  await expectNoCode(page)
  await expectAccessible(page)

  // A reload keeps the code.
  await page.reload()
  await expect(page.getByText("Create your account. You'll be the administrator of this server.")).toBeVisible()
  await fillIn(page, 'first')
  await expect(page.getByRole('heading', { name: 'Become administrator' })).toBeVisible()
  await expect(page.getByLabel('Code')).toHaveValue(server.adminCode)
  await expect(page.getByText('You can open and close sign-up, invite people and handle reports.')).toBeVisible()
  await expectNoCode(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Become administrator' }).click()

  await expect(claimed(page)).toBeFocused()
  await expect(
    page.getByText(
      `Your friends can't open ${server.base} yet. Give your server an address with HTTPS and set PUBLIC_URL: docs/install.md shows four ways.`,
    ),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Later' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Invite your first friend' }).click()
  const code = page.getByRole('img', { name: 'QR code of the invitation' })
  await expect(code).toBeVisible()
  await expect(page.getByText('Up to 5 people can use this link for 7 days. They become your friends.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await expect(page.getByText(/^Sign-up is closed/)).toBeHidden()
  await expectAccessible(page)

  const friend = await browserOf(null)
  await friend.goto(await qrTextOf(code))
  await expect(friend.getByRole('link', { name: 'Sign up' })).toBeVisible()

  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('heading', { name: 'Administration' })).toBeVisible()
  await page.goBack()
  await expectNoCode(page)
})

test('a signed-in person opens the link and becomes administrator, and with closed sign-up learns who can use the invitation', async ({
  browserOf,
}) => {
  const ann = await signUp(server.base, 'ann')
  const page = await browserOf(null, { baseURL: server.base })
  await page.goto('/login')
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/')
  await page.goto(`/admin#code=${server.adminCode.toLowerCase()}`)
  await expect(page).toHaveURL(`${server.base}/admin`)
  await page.getByRole('button', { name: 'Become administrator' }).click()
  await expect(claimed(page)).toBeVisible()
  await call(server.base, setRegistration, { body: { mode: 'closed' } }, ann)
  await page.getByRole('button', { name: 'Invite your first friend' }).click()
  await expect(page.getByText('Sign-up is closed, so only people with an account can use it.')).toBeVisible()
  await page.getByRole('link', { name: 'Change' }).click()
  await expect(page.getByRole('tab', { name: 'Sign-ups', selected: true })).toBeVisible()
  await page.goto(`/admin#code=${server.adminCode}`)
  await expect(page.getByRole('heading', { name: 'Administration' })).toBeVisible()
})

test('a wrong code gets the error of today, and the right one can be typed', async ({ browserOf, expectConsole }) => {
  expectConsole(/status of 403/)
  const page = await browserOf(null, { baseURL: server.base })
  await page.goto('/admin#code=AAAA-AAAA-AAAA-AAAA-AAAA')
  await fillIn(page, 'first')
  await page.getByRole('button', { name: 'Become administrator' }).click()
  await expect(page.getByText(/^This code is not valid\./)).toBeVisible()
  await page.getByLabel('Code').fill(server.adminCode.toLowerCase())
  await page.getByRole('button', { name: 'Become administrator' }).click()
  await expect(claimed(page)).toBeVisible()
})

for (const [locale, heading] of [
  ['de', 'Admin werden'],
  ['es', 'Conviértete en admin'],
  ['fr', 'Devenir admin'],
  ['ar', 'تولّي الإشراف'],
] as const)
  test(`the link works in ${locale}`, async ({ browserOf }) => {
    const ann = await signUp(server.base, 'ann')
    const page = await browserOf(null, { baseURL: server.base, locale })
    await page.goto(`/admin#code=${server.adminCode}`)
    await page.locator('a[href="/login"]').click()
    // The form of sign-up has the same fields.
    await expect(page.locator('input[name=confirmation]')).toHaveCount(0)
    await page.locator('input[type=email]').fill(ann.email)
    await page.locator('input[type=password]').fill(password)
    await page.locator('button[type=submit]').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expectAccessible(page)
    await page.locator('button[type=submit]').click()
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(heading)
    await page.locator('main .MuiButton-contained').click()
    await expect(page.getByRole('main').getByRole('img')).toBeVisible()
    await expectAccessible(page)
  })

async function fillIn(page: Page, username: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Email').fill(`${username}@example.org`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('button', { name: 'Sign Up' }).click()
}
