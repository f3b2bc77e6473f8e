import type { CreatedFriendLink } from '@hither/contract/friend-links.ts'
import { createFriendLink, revokeFriendLink } from '@hither/contract/friend-links.ts'
import { blockUser, listFriends } from '@hither/contract/friends.ts'
import type { Page } from '@playwright/test'
import { installClock } from '../fixed-clock.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { withoutLiveChannel } from '../live-frames.ts'
import { password } from '../people.ts'
import { qrTextOf } from '../qr-codes.ts'

const invalid = 'This link is no longer valid. Ask your friend for a new one.'

function codeOf(url: string): string {
  return new URL(url).hash.slice(1)
}

/** Records the URL and the `Referer` of every request of the page. */
function recordRequests(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url(), request.headers()['referer'] ?? ''))
  return sent
}

/** The addresses of the history entries, and the state of the current one. */
async function historyOf(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page)
  const { entries } = await devtools.send('Page.getNavigationHistory')
  return [...entries.map(({ url }) => url), await page.evaluate(() => JSON.stringify(history.state) + location.href)]
}

function nextCode(page: Page): Promise<CreatedFriendLink> {
  return page
    .waitForResponse((response) => /\/api\/friends\/links$/.test(response.url()) && response.status() === 201)
    .then((response) => response.json() as Promise<CreatedFriendLink>)
}

test('bob scans the code of ann, who sees it at once and undoes it', async ({
  api,
  browserOf,
  expectConsole,
  person,
}) => {
  // Each screen is checked by axe in two schemes.
  test.slow()
  expectConsole(/status of 404/, /ERR_FAILED/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  const [annPage, bobPage] = [await browserOf(ann), await browserOf(bob)]
  await installClock(annPage)
  await annPage.goto('/friends')
  await annPage.route('**/api/friends/links', (route) => route.abort())
  await annPage.getByRole('button', { name: 'My code' }).click()
  await expect(annPage.getByText("Couldn't load your code.")).toBeVisible()
  await annPage.unroute('**/api/friends/links')
  const created = nextCode(annPage)
  await annPage.getByRole('button', { name: 'Retry' }).click()
  const { url } = await created
  const sheet = annPage.getByRole('dialog', { name: 'My code' })
  const qr = sheet.getByRole('img', { name: `QR code to add ${ann.username}` })
  await expect(sheet.getByText('Ask your friend to scan this with their camera.')).toBeVisible()
  await expect(sheet.getByText(/^New code in (10:00|9:5\d)$/)).toBeVisible()
  await expect(sheet.getByText(ann.username)).toBeVisible()
  expect((await qr.boundingBox())?.width).toBeGreaterThanOrEqual(240)
  for (const colorScheme of ['dark', 'light'] as const) {
    await annPage.emulateMedia({ colorScheme })
    await expect(annPage.locator('html')).toHaveAttribute('data-color-scheme', colorScheme)
    expect(await qrTextOf(qr)).toBe(url)
  }
  await expectAccessible(annPage)

  // The same code is shown again.
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(sheet).toBeHidden()
  await annPage.getByRole('button', { name: 'My code' }).click()
  expect(await qrTextOf(qr)).toBe(url)

  const sent = recordRequests(bobPage)
  await bobPage.goto(`${url}.AAAA`)
  await expect(bobPage.getByRole('heading', { name: `Add ${ann.username} on Hither` })).toBeFocused()
  await expect(bobPage.getByText("You'll be friends right away.")).toBeVisible()
  await expect(bobPage).toHaveURL('/add')
  await expectAccessible(bobPage)
  // Opening the link has changed nothing.
  expect(await api(listFriends, {}, ann)).toEqual([])
  await bobPage.reload()
  await bobPage.getByRole('button', { name: `Add ${ann.username}` }).click()
  await expect(bobPage.getByRole('status').getByText(`You and ${ann.username} are now friends!`)).toBeVisible()
  await expect(bobPage).toHaveURL('/friends')
  await expect(bobPage.getByRole('main').getByText(ann.username)).toBeVisible()

  await expect(sheet.getByText(`${bob.username} added you`)).toBeVisible()
  await sheet.getByRole('button', { name: 'Undo' }).click()
  await expect(sheet.getByText(`${bob.username} added you`)).toBeHidden()
  await expect(bobPage.getByText('No friends yet. Start by adding some friends!')).toBeVisible()

  await bobPage.goto(url)
  await expect(bobPage.getByRole('heading', { name: invalid })).toBeVisible()
  await expectAccessible(bobPage)
  expect([...sent, ...(await historyOf(bobPage))].filter((text) => text.includes(codeOf(url)))).toEqual([])
  expect(await bobPage.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(codeOf(url))
  await bobPage.getByRole('button', { name: 'Go to Hither' }).click()
  await expect(bobPage).toHaveURL('/')

  // 30 seconds before the code expires, it is replaced.
  const renewed = nextCode(annPage)
  await annPage.clock.fastForward('09:32')
  const next = await renewed
  await expect(sheet.getByRole('status').getByText('New code ready')).toBeAttached()
  await expect(async () => expect(await qrTextOf(qr)).toBe(next.url)).toPass()
})

test('a code that was revoked is not shown again', async ({ browserOf, person }) => {
  const page = await browserOf(await person('ann'))
  await page.goto('/friends')
  const openCode = async () => {
    const created = nextCode(page)
    await page.getByRole('button', { name: 'My code' }).click()
    return (await created).url
  }
  const url = await openCode()
  await page.getByRole('dialog', { name: 'My code' }).getByRole('button', { name: 'Close' }).click()
  // Within the app: a reload would forget the code anyway.
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await page.getByRole('region', { name: 'Safety' }).getByRole('button', { name: 'Show friend links' }).click()
  await page.getByRole('listitem').getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('alertdialog', { name: 'Revoke this link?' }).getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('Link revoked')).toBeVisible()
  await expect(page.getByText('No friend links yet')).toBeVisible()
  await page.getByRole('link', { name: 'Back to Friends' }).click()
  expect(await openCode()).not.toBe(url)
})

test('ann sends a link for several friends, and revokes it while bob has it open', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  test.slow()
  expectConsole(/status of 404/, /ERR_INTERNET_DISCONNECTED/)
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  const [annPage, bobPage, catPage] = [
    await browserOf(ann, { permissions: ['clipboard-read', 'clipboard-write'] }),
    await browserOf(bob),
    await browserOf(cat),
  ]
  await annPage.goto('/friends/links')
  await expect(annPage.getByText('No friend links yet')).toBeVisible()
  await expectAccessible(annPage)
  await annPage.getByRole('link', { name: 'Back to Friends' }).click()
  await annPage.getByRole('button', { name: 'Add Friend' }).last().click()
  await annPage.getByRole('button', { name: 'Share a link' }).click()
  const dialog = annPage.getByRole('dialog', { name: 'Friend link' })
  await expect(dialog.getByRole('button', { name: '1 friend' })).toHaveAttribute('aria-pressed', 'true')
  await expect(dialog.getByRole('button', { name: '7 days' })).toHaveAttribute('aria-pressed', 'true')
  await expect(dialog.getByText('The first person to open it becomes your friend right away.')).toBeVisible()
  await expect(dialog.getByText('New people can sign up with it.')).toBeVisible()
  await dialog.getByRole('button', { name: '5 friends' }).click()
  await expect(dialog.getByText('Each person sends you a friend request.')).toBeVisible()
  await dialog.getByLabel('Label (only you see it)').fill('Football <b>team</b>')
  await expectAccessible(annPage)
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(dialog.getByText('This link is shown only once. You can create another one anytime.')).toBeVisible()
  await expectAccessible(annPage)
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await expect(annPage.getByText('Link copied')).toBeVisible()
  const url = await annPage.evaluate(() => navigator.clipboard.readText())
  await expect(dialog.getByRole('textbox', { name: 'Friend link' })).toHaveValue(url)
  await dialog.getByRole('button', { name: 'Done' }).click()

  // A pasted link opens the same screen.
  await annPage.getByRole('button', { name: 'Add Friend' }).last().click()
  await annPage.getByLabel('Username').fill(url)
  await expect(annPage.getByRole('heading', { name: 'This is your own link. Send it to a friend.' })).toBeVisible()
  await annPage.getByRole('button', { name: 'Done' }).click()

  await catPage.goto(url)
  await expect(catPage.getByText(`${ann.username} will get a friend request from you.`)).toBeVisible()
  await catPage.getByRole('button', { name: 'Send friend request' }).click()
  await expect(catPage.getByText('Friend request sent!')).toBeVisible()
  await catPage.goto(url)
  const waiting = `Your friend request to ${ann.username} is waiting for an answer.`
  await expect(catPage.getByRole('heading', { name: waiting })).toBeVisible()

  await bobPage.goto(url)
  await expect(bobPage.getByRole('button', { name: 'Send friend request' })).toBeVisible()
  await bobPage.context().setOffline(true)
  await bobPage.getByRole('button', { name: 'Send friend request' }).click()
  await expect(bobPage.getByText("You're offline. Try again when you're connected.")).toBeVisible()
  await bobPage.context().setOffline(false)

  await annPage.goto('/profile')
  const safety = annPage.getByRole('region', { name: 'Safety' })
  await expect(safety.getByText('1 active')).toBeVisible()
  await safety.getByRole('button', { name: 'Show friend links' }).click()
  await expect(annPage).toHaveURL('/friends/links')
  const row = annPage.getByRole('listitem').filter({ hasText: 'Football <b>team</b>' })
  await expect(row.getByText('1 of 5 used · expires in 6 days')).toBeVisible()
  await expect(row.getByText(`Used by ${cat.username}`)).toBeVisible()
  await expectAccessible(annPage)
  await row.getByRole('button', { name: 'Revoke' }).click()
  const question = annPage.getByRole('alertdialog', { name: 'Revoke this link?' })
  await expect(
    question.getByText('It stops working right away. Friends you already added stay your friends.'),
  ).toBeVisible()
  await question.getByRole('button', { name: 'Revoke' }).click()
  await expect(annPage.getByText('Link revoked')).toBeVisible()
  await expect(annPage.getByText('No friend links yet')).toBeVisible()

  await bobPage.getByRole('button', { name: 'Send friend request' }).click()
  await expect(bobPage.getByRole('heading', { name: invalid })).toBeVisible()
})

test('a visitor signs up with a friend link and is a friend, or signs in and comes back to it', {
  tag: '@quick',
}, async ({ api, browserOf, expectConsole, person }) => {
  expectConsole(/status of 404/, /ERR_FAILED/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  const page = await browserOf(null)
  const { url } = await api(createFriendLink, { body: { kind: 'link', uses: 1 } }, ann)
  await page.goto(url)
  await expect(page.getByRole('heading', { name: `Add ${ann.username} on Hither` })).toBeFocused()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Log in' }).click()
  await page.getByLabel('Email').fill(bob.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/add')
  await expect(page.getByRole('button', { name: `Add ${ann.username}` })).toBeVisible()

  const newPage = await browserOf(null)
  const name = `new-${crypto.randomUUID().slice(0, 8)}`
  await newPage.goto(url)
  await newPage.getByRole('link', { name: 'Sign up' }).click()
  await expect(newPage.getByText(`${ann.username} invited you`)).toBeVisible()
  // The way over the sign-in form keeps the link.
  await newPage.getByRole('link', { name: 'Sign In' }).click()
  await newPage.getByRole('link', { name: 'Sign Up' }).click()
  await newPage.getByLabel('Username').fill(name)
  await newPage.getByLabel('Email').fill(`${name}@example.org`)
  await newPage.getByLabel('Password', { exact: true }).fill(password)
  await newPage.getByLabel('Confirm Password').fill(password)
  await newPage.getByRole('button', { name: 'Sign Up' }).click()
  await expect(newPage).toHaveURL('/')
  await expect(newPage.getByText(`You and ${ann.username} are now friends!`)).toBeVisible()
  expect((await historyOf(newPage)).filter((text) => text.includes(codeOf(url)))).toEqual([])
  expect((await api(listFriends, {}, ann)).map(({ username }) => username)).toEqual([name])
  await newPage.goto(url)
  await expect(newPage.getByRole('heading', { name: `You and ${ann.username} are already friends.` })).toBeFocused()
  await newPage.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(newPage).toHaveURL('/')

  // Without network there is nothing to show. The live channel would refetch it before the button is pressed.
  await withoutLiveChannel(page)
  await page.route('**/api/friends/links/lookup', (route) => route.abort())
  await page.goto('/friends')
  await page.goto(url)
  await expect(page.getByText("You're offline. Connect to the internet to open this link.")).toBeVisible()
  await page.unroute('**/api/friends/links/lookup')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { name: invalid })).toBeVisible()
})

test('ann blocks bob while he has her link open, and then it is invalid for him', async ({
  api,
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 404/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  const { url } = await api(createFriendLink, { body: { kind: 'link' } }, ann)
  const page = await browserOf(bob)
  // The live channel would show it before the button is pressed.
  await withoutLiveChannel(page)
  await page.goto(url)
  const add = page.getByRole('button', { name: `Add ${ann.username}` })
  await expect(add).toBeVisible()
  await api(blockUser, { params: { username: bob.username } }, ann)
  await add.click()
  await expect(page.getByRole('heading', { name: invalid })).toBeFocused()
  await expect(add).toBeHidden()
  expect(await api(listFriends, {}, ann)).toEqual([])
})

test('a visitor whose link is revoked during the sign-up gets an account without a friend', async ({
  api,
  browserOf,
  person,
}) => {
  const ann = await person('ann')
  const { id, url } = await api(createFriendLink, { body: { kind: 'link' } }, ann)
  const page = await browserOf(null)
  await page.goto(url)
  await page.getByRole('link', { name: 'Sign up' }).click()
  await expect(page.getByText(`${ann.username} invited you`)).toBeVisible()
  await api(revokeFriendLink, { params: { id } }, ann)
  const name = `new-${crypto.randomUUID().slice(0, 8)}`
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Email').fill(`${name}@example.org`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByText('Your account is ready, but the link is no longer valid.')).toBeVisible()
  expect(await api(listFriends, {}, ann)).toEqual([])
})
