import { randomUUID } from 'node:crypto'
import { createFriendLink } from '@hither/contract/friend-links.ts'
import type { BrowserContext, Page } from '@playwright/test'
import { OAuth2Server } from 'oauth2-mock-server'
import { taggedPicture } from '../../server/test/pictures.ts'
import { expect, test } from '../fixtures.ts'
import { call, password, signUp } from '../people.ts'
import { startOwnServer } from '../servers.ts'

test('sign-up shows the reason when the server refuses it or cannot be reached', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of (409|500)/, /ERR_FAILED/)
  const ann = await person('ann')
  const page = await browserOf(null)
  await page.goto('/signup')
  const submit = page.getByRole('button', { name: 'Sign Up' })
  const name = `new-${randomUUID().slice(0, 8)}`

  await page.getByLabel('Username').fill('x'.repeat(31))
  await submit.click()
  await expect(page.getByText('Username must be 30 characters or less')).toBeVisible()
  await page.getByLabel('Username').fill('ann & bob')
  await expect(page.getByText('Use only letters, numbers, _ . and -')).toBeVisible()

  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await submit.click()
  await expect(page.getByText('Email already registered')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()

  await page.getByLabel('Email').fill(`${name}@example.org`)
  await page.route('**/api/auth/signup', (route) => route.abort())
  await submit.click()
  await expect(page.getByText('Hither cannot be reached. Check your connection and try again.')).toBeVisible()
  await page.route('**/api/auth/signup', (route) => route.fulfill({ status: 500, headers: { 'x-hither': '1' } }))
  await submit.click()
  await expect(page.getByText('API Error: 500 Internal Server Error')).toBeVisible()
  await page.unroute('**/api/auth/signup')
  // The session then lasts as long as the page.
  await refuseStorage(page)
  await submit.click()
  await expect(page.getByRole('banner').getByText(name)).toBeVisible()
})

test('sign-in shows why it failed, and the password can be made visible', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of (401|500)/, /ERR_FAILED/)
  const ann = await person('ann')
  const page = await browserOf(null)
  await page.goto('/login')
  await page.getByLabel('Email').fill(ann.email)
  const secret = page.getByLabel('Password', { exact: true })
  await secret.fill(password)
  await expect(secret).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(secret).toHaveAttribute('type', 'text')
  const submit = page.getByRole('button', { name: 'Sign In' })

  await page.route('**/api/auth/login', (route) => route.abort())
  await submit.click()
  await expect(page.getByText('Hither cannot be reached. Check your connection and try again.')).toBeVisible()
  await page.route('**/api/auth/login', (route) => route.fulfill({ status: 500, headers: { 'x-hither': '1' } }))
  await submit.click()
  await expect(page.getByText('API Error: 500 Internal Server Error')).toBeVisible()
  await page.unroute('**/api/auth/login')
  // The link is also shown on a server without mail, which accepts recovery codes.
  await expect(page.getByRole('link', { name: 'Forgot password?' })).toBeVisible()
  await refuseStorage(page)
  await submit.click()
  await expect(page.getByRole('banner').getByText(ann.username)).toBeVisible()
})

test('the app uses the profile from the sign-in when the profile request fails', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 500/)
  const ann = await person('ann')
  const page = await browserOf(null)
  await page.route('**/api/users/me', (route) => route.fulfill({ status: 500, headers: { 'x-hither': '1' } }))
  await page.goto('/login')
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('banner').getByText(ann.username)).toBeVisible()
})

test('parallel calls in two tabs share one refresh', async ({ browserOf, expectConsole, person }) => {
  expectConsole(/status of 401/)
  const ann = await person('ann')
  const page = await browserOf({ ...ann, session: { ...ann.session, access_token: 'stale' } })
  const other = await page.context().newPage()
  const refreshes = countOf(page.context(), /\/auth\/refresh$/)
  const refused = [countOf(page, /\/api\//, 401), countOf(other, /\/api\//, 401)]
  // The refresh gets no response before calls of both tabs wait for it.
  const gate = Promise.withResolvers<void>()
  await page.context().route('**/api/auth/refresh', async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.goto('/friends')
  await other.goto('/profile')
  await expect.poll(() => Math.min(...refused.map((count) => count()))).toBeGreaterThan(2)
  gate.resolve()
  await expect(page.getByText('No friends yet. Start by adding some friends!')).toBeVisible()
  await expect(other.getByRole('list', { name: 'Signed-in devices' }).getByText('This device')).toBeVisible()
  expect(refreshes()).toBe(1)
})

test('a revoked session leads to the sign-in page with an explanation', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 401/)
  const ann = await person('ann')
  const page = await browserOf({ ...ann, session: { ...ann.session, access_token: 'stale', refresh_token: 'stale' } })
  await page.goto('/friends')
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Session expired. Please login again.')).toBeVisible()
  expect(await storedOnDevice(page)).toEqual({ session: [], answers: 0 })
})

test('signing out removes all data from the device in every tab, also when the server cannot be reached', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  // A picture with a revoked blob URL is not found, and Playwright's trace recorder requests pictures itself.
  expectConsole(/ERR_FAILED|ERR_FILE_NOT_FOUND|^Connecting to 'blob:/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  await fetch(`${baseURL}/api/files/profile-image`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bob.session.access_token}` },
    body: formOf(await taggedPicture('jpeg')),
  })
  const page = await browserOf(ann)
  const other = await page.context().newPage()
  await page.goto('/friends')
  await other.goto('/friends')
  const addresses = await Promise.all([page, other].map(pictureAddress))
  await expect.poll(async () => (await storedOnDevice(page)).answers).toBe(1)
  expect(await Promise.all([loads(page, addresses[0]), loads(other, addresses[1])])).toEqual([true, true])

  await page.route('**/api/auth/logout', (route) => route.abort())
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await expect(other).toHaveURL('/login')
  await expect.poll(() => storedOnDevice(other)).toEqual({ session: [], answers: 0 })
  expect(await Promise.all([loads(page, addresses[0]), loads(other, addresses[1])])).toEqual([false, false])
})

test('Google sign-in is not offered and its script not loaded when it is not configured', async ({ browserOf }) => {
  const page = await browserOf(null)
  const asked = countOf(page.context(), /google/)
  await page.goto('/login')
  await page.getByRole('link', { name: 'Sign Up' }).click()
  await expect(page.getByRole('heading', { name: 'Join Hither' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeHidden()
  expect(asked()).toBe(0)
})

test('Google sign-in works when it is configured, after its script has loaded', async ({
  browserOf,
  expectConsole,
}) => {
  // The test starts its own server.
  test.slow()
  expectConsole(/ERR_FAILED|status of (401|403)/)
  const clientId = 'hither.apps.example.org'
  const provider = new OAuth2Server()
  await provider.issuer.keys.generate('RS256')
  await provider.start(0, 'localhost')
  const server = await startOwnServer({ GOOGLE_CLIENT_ID: clientId, GOOGLE_ISSUER: provider.issuer.url ?? '' })
  try {
    const page = await browserOf(null, { baseURL: server.base })
    const script = 'https://accounts.google.com/gsi/client'
    await page.route(script, (route) => route.abort())
    const missed = page.waitForEvent('requestfailed', (request) => request.url() === script)
    await page.goto('/login')
    await missed
    await expect(page.getByText('or', { exact: true })).toBeHidden()

    let issue: (nonce: string) => Promise<string> = async () => 'nothing of the kind'
    await page.exposeFunction('issueIdentityToken', (nonce: string) => issue(nonce))
    await page.unroute(script)
    await page.route(script, (route) => route.fulfill({ contentType: 'text/javascript', body: googleScript(clientId) }))
    await page.goto('/signup')
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await expect(page.getByText('Invalid identity token')).toBeVisible()

    const claims = {
      ...{ sub: 'subject-1', aud: clientId, azp: clientId },
      ...{ email: 'zoe@example.org', email_verified: true, name: 'Zoë Zimt' },
    }
    const tokenWith = (more: object) =>
      provider.issuer.buildToken({
        expiresIn: 3600,
        scopesOrTransform: (_header, payload) => Object.assign(payload, claims, more),
      })
    // A token with the nonce of another sign-in, as in a replay attack.
    issue = () => tokenWith({ nonce: 'of another sign-in' })
    await page.goto('/login')
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await expect(page.getByText('Invalid identity token')).toBeVisible()
    issue = (nonce) => tokenWith({ nonce })
    const ann = await signUp(server.base, 'ann')
    await page.goto((await call(server.base, createFriendLink, { body: { kind: 'link' } }, ann)).url)
    await page.getByRole('link', { name: 'Sign up' }).click()
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByText(`You and ${ann.username} are now friends!`)).toBeVisible()
    await expect(page.getByRole('banner').getByText('Zoe.Zimt')).toBeVisible()

    await page.goto('/profile')
    await page.getByRole('button', { name: 'Set a password' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set a password' })
    await expect(dialog.getByLabel('Current password')).toBeHidden()
    await dialog.getByLabel('New password', { exact: true }).fill(password)
    await dialog.getByLabel('Confirm new password').fill(password)
    const save = dialog.getByRole('button', { name: 'Save password' })
    await save.click()
    await expect(dialog.getByText('Please sign in with Google again to do this')).toBeVisible()
    await dialog.getByRole('button', { name: 'Continue with Google' }).click()
    await expect(dialog.getByText("Google confirmed it's you.")).toBeVisible()
    await save.click()
    await expect(page.getByText('Password changed')).toBeVisible()
    await page.getByRole('dialog', { name: 'What can still sign in' }).getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('button', { name: 'Change password' })).toBeVisible()
    await page.close()
  } finally {
    await server.stop()
    await provider.stop()
  }
})

/** A replacement for Google's script: a button that returns an identity token. */
function googleScript(clientId: string): string {
  return `
    let asked
    window.google = { accounts: { id: {
      initialize(options) { if (options.client_id === ${JSON.stringify(clientId)}) asked = options },
      renderButton(place) {
        const button = document.createElement('button')
        button.type = 'button'
        button.textContent = 'Continue with Google'
        button.onclick = async () => asked.callback({ credential: await window.issueIdentityToken(asked.nonce) })
        place.append(button)
      },
    } } }`
}

/** Makes writes to the storage of the browser fail, as if it were full. */
async function refuseStorage(page: Page) {
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded', 'QuotaExceededError')
    }
  })
}

/** Counts the matching requests, or the responses with this status, from now on. */
function countOf(of: BrowserContext | Page, address: RegExp, status?: number): () => number {
  let count = 0
  const note = (url: string, seen?: number) => {
    if (address.test(url) && seen === status) count++
  }
  // Both have these events, but no common type.
  const source = of as Page
  if (status === undefined) source.on('request', (request) => note(request.url()))
  else source.on('response', (response) => note(response.url(), response.status()))
  return () => count
}

async function storedOnDevice(page: Page): Promise<{ session: string[]; answers: number }> {
  return page.evaluate(async () => {
    const session = ['access_token', 'refresh_token', 'expires_at', 'user'].filter((key) => key in localStorage)
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('hither')
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error)
    })
    if (!database.objectStoreNames.contains('answers')) return { session, answers: 0 }
    const answers = await new Promise<number>((resolve, reject) => {
      const counting = database.transaction('answers').objectStore('answers').count()
      counting.onsuccess = () => resolve(counting.result)
      counting.onerror = () => reject(counting.error)
    })
    database.close()
    return { session, answers }
  })
}

async function pictureAddress(page: Page): Promise<string> {
  const picture = page.getByRole('list', { name: 'Friends' }).locator('img')
  await expect(picture).toBeVisible()
  return (await picture.getAttribute('src')) ?? ''
}

function loads(page: Page, address: string | undefined): Promise<boolean> {
  return page.evaluate(
    (src) =>
      new Promise((resolve) => {
        const image = new Image()
        image.onload = () => resolve(true)
        image.onerror = () => resolve(false)
        image.src = src
      }),
    address ?? '',
  )
}

function formOf(picture: Uint8Array): FormData {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'me.jpg')
  return form
}
