import { createFriendLink } from '@hither/contract/friend-links.ts'
import { createGuest } from '@hither/contract/guests.ts'
import { setRegistration } from '@hither/contract/invitations.ts'
import { createReport } from '@hither/contract/reports.ts'
import type { Page } from '@playwright/test'
import { taggedPicture } from '../../server/test/pictures.ts'
import { test } from '../admin-server.ts'
import { makeDirect, messagesOf, postMessage } from '../conversations.ts'
import { expect, expectAccessible } from '../fixtures.ts'
import { dropPing, type Person, password, storageOf } from '../people.ts'
import { startOwnServer } from '../servers.ts'

// All tests share one server, and some change its settings.
test.describe.configure({ mode: 'default' })

const suspendedText = 'This account is suspended. Please contact the admin of this server.'

async function sendReport(page: Page, reason: string, text?: string) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(reason).check()
  if (text !== undefined) await dialog.getByLabel('Anything else? (optional)').fill(text)
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByText('Thank you. We will look at it.')).toBeVisible()
  await expect(dialog).toBeHidden()
}

async function signIn(page: Page, person: Person) {
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

async function addPicture(base: string, ping: string, owner: Person) {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(await taggedPicture('png'))]), 'me.png')
  const headers = { authorization: `Bearer ${owner.session.access_token}` }
  const { ok } = await fetch(`${base}/api/files/pin-image/${ping}`, { method: 'POST', body: form, headers })
  expect(ok).toBe(true)
}

test.describe('with a map', () => {
  test.use({ pages: 'map' })

  test('an admin deletes a reported ping, which disappears live from the screens of friends', async ({
    admin,
    baseURL,
    browserOf,
    friends,
    person,
  }) => {
    const [ann, bob] = [await person('ann'), await person('bob')]
    await friends(ann, bob)
    const ping = await dropPing(baseURL, ann, { name: 'Nasty place', message: 'Something nasty' })
    await addPicture(baseURL, ping.id, ann)
    const [bobPage, annPage, adminPage] = [await browserOf(bob), await browserOf(ann), await browserOf(admin)]
    await annPage.goto('/')
    await expect(annPage.getByRole('button', { name: /Nasty place/ }).first()).toBeVisible()

    await bobPage.goto(`/pins/${ping.id}`)
    await bobPage.getByRole('button', { name: 'Report this ping' }).click()
    const dialog = bobPage.getByRole('dialog', { name: 'Report this ping' })
    await expect(dialog.getByRole('radiogroup', { name: 'What do you want to report?' })).toBeVisible()
    await expectAccessible(bobPage)
    await dialog.getByRole('button', { name: 'Send report' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Please choose what is wrong')
    await sendReport(bobPage, 'Threats or danger', 'She means it')

    await adminPage.goto('/admin')
    const report = adminPage.getByRole('article', { name: `Ping, ${ann.username}` })
    for (const text of ['Threats or danger', 'She means it', 'Nasty place', 'Something nasty', bob.username])
      await expect(report.getByText(text).first()).toBeVisible()
    await report.getByRole('button', { name: 'Show picture' }).click()
    await expect(report.getByRole('img')).toBeVisible()
    await expectAccessible(adminPage)
    await report.getByRole('button', { name: 'Delete' }).click()
    await expect(adminPage.getByText('It disappears for everyone. This cannot be undone.')).toBeVisible()
    await adminPage.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(report).toBeHidden()
    await expect(annPage.getByRole('button', { name: /Nasty place/ })).toHaveCount(0)

    await adminPage.getByRole('button', { name: 'Handled' }).click()
    const handled = adminPage.getByRole('article', { name: `Ping, ${ann.username}` })
    await expect(handled.getByText(`Deleted by ${admin.username}`)).toBeVisible()
    await expect(handled.getByText('Something nasty')).toBeVisible()
  })
})

test('a report of a guest without account shows the admin the given name, the answer and the pin', async ({
  admin,
  api,
  baseURL,
  browserOf,
  person,
}) => {
  const ann = await person('ann')
  const ping = await dropPing(baseURL, ann, { name: 'Picnic', is_public: true, guest_policy: 'open' })
  const body = { token: 'x'.repeat(43), name: 'Nasty Mia', response_type: 'accepted' } as const
  const { guest } = await api(createGuest, { params: { id: ping.id }, body })
  const page = await browserOf(ann)
  await page.goto(`/pins/${ping.id}`)
  await page.getByRole('button', { name: 'More about Nasty Mia' }).click()
  await expect(page.getByRole('menuitem', { name: 'Add friend' })).toBeHidden()
  await page.getByRole('menuitem', { name: 'Report' }).click()
  await expect(page.getByRole('dialog', { name: 'Report Nasty Mia' })).toBeVisible()
  await sendReport(page, 'Bullying or harassment')

  const adminPage = await browserOf(admin)
  await adminPage.goto('/admin')
  const report = adminPage.getByRole('article', { name: 'Guest, Nasty Mia' })
  for (const text of ['Guest', guest.name, 'Picnic', 'Going'])
    await expect(report.getByText(text, { exact: true })).toBeVisible()
  for (const name of ['Delete', 'Suspend']) await expect(report.getByRole('button', { name })).toBeHidden()
  await report.getByRole('button', { name: 'Dismiss' }).click()
  await expect(report).toBeHidden()
})

test('a message is reported from its menu, and an admin suspends its sender', async ({
  admin,
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of 40[13]/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const chat = await makeDirect(baseURL, bob, ann)
  await postMessage(baseURL, chat.id, 'You will be sorry', ann)
  const [bobPage, annPage, adminPage] = [await browserOf(bob), await browserOf(ann), await browserOf(admin)]
  await annPage.goto('/friends')
  await expect(annPage.getByRole('heading', { name: 'Friends', level: 1 })).toBeVisible()

  await bobPage.goto(`/chat/${chat.id}`)
  await messagesOf(bobPage).getByText('You will be sorry').click()
  await messagesOf(bobPage).getByRole('button', { name: 'Message options' }).first().click()
  await bobPage.getByRole('menuitem', { name: 'Report' }).click()
  await expect(bobPage.getByRole('dialog', { name: 'Report this message' })).toBeVisible()
  await sendReport(bobPage, 'Bullying or harassment')

  await adminPage.goto('/')
  await adminPage.getByRole('button', { name: /account/i }).click()
  await adminPage.getByRole('menuitem', { name: 'Administration' }).click()
  const report = adminPage.getByRole('article', { name: `Message, ${ann.username}` })
  await expect(report.getByText('You will be sorry')).toBeVisible()
  await report.getByRole('button', { name: 'Suspend' }).click()
  const dialog = adminPage.getByRole('dialog', { name: `Suspend ${ann.username}` })
  await dialog.getByLabel('Permanently').check()
  await expectAccessible(adminPage)
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Please give a reason')
  await dialog.getByLabel('Reason (for admins only)').fill('Threats')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await expect(adminPage.getByText(`${ann.username} is suspended`)).toBeVisible()
  await expect(report).toBeHidden()

  // The other window is signed out without any action in it.
  await expect(annPage).toHaveURL('/login')
  await signIn(annPage, ann)
  await expect(annPage.getByText(suspendedText)).toBeVisible()

  await adminPage.getByRole('tab', { name: 'People' }).click()
  await adminPage.getByLabel('Username or email').fill(ann.email)
  const card = adminPage.getByRole('article', { name: ann.username })
  await expect(card.getByText('Suspended permanently: Threats')).toBeVisible()
  await expectAccessible(adminPage)
  await card.getByRole('button', { name: `More about ${ann.username}` }).click()
  await adminPage.getByRole('menuitem', { name: 'Lift suspension' }).click()
  await expect(adminPage.getByText(`${ann.username} can sign in again`)).toBeVisible()
  await expect(card.getByText('Suspended permanently: Threats')).toBeHidden()
  await signIn(annPage, ann)
  await expect(annPage).toHaveURL(/friends/)

  await adminPage.getByRole('tab', { name: 'Log' }).click()
  await expect(adminPage.getByText(`${admin.username} suspended ${ann.username}`)).toBeVisible()
  await expectAccessible(adminPage)
})

test('a user is reported from the list of friends, from a search and from their profile', async ({
  admin,
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, eve] = [await person('ann'), await person('bob'), await person('eve')]
  await friends(ann, bob)
  const page = await browserOf(bob)
  await page.goto('/friends')
  await page.getByRole('button', { name: `More about ${ann.username}` }).click()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Report' }).click()
  await expect(page.getByRole('dialog', { name: `Report ${ann.username}` })).toBeVisible()
  await sendReport(page, 'Spam or fraud')

  await page.getByRole('button', { name: 'Add Friend' }).first().click()
  await page.getByRole('dialog').getByLabel('Username').fill(eve.username)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('button', { name: `Report ${eve.username}` }).click()
  const dialog = page.getByRole('dialog', { name: `Report ${eve.username}` })
  await dialog.getByLabel('Pretends to be someone else').check()
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByText('Thank you. We will look at it.')).toBeVisible()

  const chat = await makeDirect(baseURL, ann, bob)
  await page.goto(`/chat/${chat.id}`)
  await page.getByText('Tap to view profile').click()
  await expect(page.getByRole('button', { name: `Report ${ann.username}` })).toBeVisible()
  await expectAccessible(page)

  const adminPage = await browserOf(admin)
  await adminPage.goto('/admin')
  await adminPage
    .getByRole('article', { name: `Person, ${eve.username}` })
    .getByRole('button', { name: 'Dismiss' })
    .click()
  await expect(adminPage.getByRole('article', { name: `Person, ${eve.username}` })).toBeHidden()
  await expect(adminPage.getByRole('article', { name: `Person, ${ann.username}` })).toBeVisible()
  // Another report of the same user is listed again.
  await api(createReport, { body: { subject: 'user', subject_id: eve.session.user.id, reason: 'other' } }, bob)
  await adminPage.reload()
  await expect(adminPage.getByRole('article', { name: `Person, ${eve.username}` })).toBeVisible()
})

test('an invitation link allows signing up on a server without open registration', async ({
  admin,
  api,
  browserOf,
  expectConsole,
}) => {
  expectConsole(/status of 403/)
  const page = await browserOf(admin, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto('/admin?tab=signups')
  await page.getByLabel('Only with an invitation link').check()
  await expect(page.getByText('Saved')).toBeVisible()
  const stranger = await browserOf(null)
  await stranger.goto('/signup')
  await expect(stranger.getByText('You need an invitation link to sign up here.')).toBeVisible()
  await expectAccessible(stranger)

  await page.getByRole('button', { name: 'New link' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Expires after (days)')).toBeVisible()
  await dialog.getByLabel('Number of uses').fill('0')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(dialog.getByText('Enter a number from 1 to 1,000')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Number of uses').fill('1')
  await dialog.getByLabel('Note (optional)').fill('For Nina')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await dialog.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'For Nina' })).toContainText('1 of 1 left')
  await expectAccessible(page)

  await stranger.goto(link)
  await expect(stranger.getByRole('heading', { name: 'Join Hither' })).toBeVisible()
  expect(new URL(stranger.url()).pathname).toBe('/signup')
  await stranger.reload()
  const name = `nina-${crypto.randomUUID().slice(0, 8)}`
  await fillIn(stranger, name)
  await expect(stranger).toHaveURL('/')

  const late = await browserOf(null)
  await late.goto(link)
  await fillIn(late, `${name}2`)
  await expect(late.getByText('This invitation link is no longer valid. Please ask for a new one.')).toBeVisible()
  await page.reload()
  const row = page.getByRole('listitem').filter({ hasText: 'For Nina' })
  await expect(row).toContainText('0 of 1 left')
  await row.getByRole('button', { name: 'Revoke For Nina' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(row).toBeHidden()
  await api(setRegistration, { body: { mode: 'closed' } }, admin)
  await late.goto('/signup')
  await expect(late.getByText("This server isn't accepting new accounts right now.")).toBeVisible()
  await api(setRegistration, { body: { mode: 'open' } }, admin)
})

async function fillIn(page: Page, name: string) {
  await expect(page.getByRole('heading', { name: 'Join Hither' })).toBeVisible()
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Email').fill(`${name}@example.org`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('button', { name: 'Sign Up' }).click()
}

test('admins see the status of the server and make other users admins', async ({
  admin,
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 404/)
  const bob = await person('bob')
  const [page, bobPage] = [await browserOf(admin), await browserOf(bob)]
  await page.goto('/admin?tab=server')
  await expect(page.getByText('Version')).toBeVisible()
  await expect(page.getByText(/Built in \(/)).toBeVisible()
  for (const label of ['Free disk space', 'Outgoing queue']) await expect(page.getByText(label)).toBeVisible()
  await expectAccessible(page)

  await bobPage.goto('/admin')
  await expect(bobPage.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expectAccessible(bobPage)
  await bobPage.getByRole('button', { name: /account/i }).click()
  await expect(bobPage.getByRole('menuitem', { name: 'Logout' })).toBeVisible()
  await expect(bobPage.getByRole('menuitem', { name: 'Administration' })).toBeHidden()

  await page.getByRole('tab', { name: 'People' }).click()
  await page.getByLabel('Username or email').fill(bob.username)
  await page.getByRole('button', { name: `More about ${bob.username}` }).click()
  await page.getByRole('menuitem', { name: 'Make admin' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Make admin' }).click()
  await expect(page.getByText(`${bob.username} is an admin`)).toBeVisible()
  await bobPage.goto('/admin?tab=people')
  await expect(bobPage.getByRole('heading', { name: 'Administration' })).toBeVisible()
  await page.getByRole('button', { name: `More about ${bob.username}` }).click()
  await page.getByRole('menuitem', { name: 'Remove as admin' }).click()
  await expect(page.getByText(`${bob.username} is no longer an admin`)).toBeVisible()
  await bobPage.reload()
  await expect(bobPage.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('admins see whether there are backups and who could read them', async ({ admin, browserOf }) => {
  const page = await browserOf(admin, { locale: 'en-US', timezoneId: 'UTC' })
  const today = new Date()
  today.setUTCHours(3, 0, 0, 0)
  const state = {
    is_on: true,
    keep_days: 14,
    newest_at: today.toISOString(),
    is_encrypted: false,
    unencrypted_count: 1,
  }
  let backups: typeof state | null = null
  await page.route('**/api/admin/status', async (route) => {
    const response = await route.fetch()
    const status = await response.json()
    await route.fulfill({ response, json: { ...status, backups: backups ?? status.backups } })
  })
  await page.goto('/admin?tab=server')
  const card = page.getByRole('region', { name: 'Backups' })
  await expect(card).toContainText('Every night, kept for 14 days. None yet.')

  backups = state
  await page.reload()
  await expect(card).toContainText('Every night, kept for 14 days. Last: today, 3:00 AM.')
  await expect(card).toContainText(
    'Not encrypted. Anyone who gets a copy can read messages, email addresses and live places.',
  )
  await card.getByRole('button', { name: 'How to encrypt' }).press('Enter')
  await expect(card.getByRole('listitem')).toHaveText([
    /npm run backup-key/,
    /away from this server/,
    /BACKUP_RECIPIENT/,
  ])
  await page.setViewportSize({ width: 320, height: 640 })
  await expectAccessible(page)

  backups = { ...state, is_encrypted: true, unencrypted_count: 3 }
  await page.reload()
  await expect(card).toContainText("3 older backups aren't encrypted. Delete them when you no longer need them.")
  await expect(card.getByText('Encrypted', { exact: true })).toBeVisible()
  await expect(card).not.toContainText('Not encrypted')
  backups = { ...state, is_encrypted: true, unencrypted_count: 0 }
  await page.reload()
  await expect(card.getByText('Encrypted', { exact: true })).toBeVisible()
  await expect(card).not.toContainText('older')

  backups = { ...state, is_on: false, newest_at: null as unknown as string }
  await page.reload()
  await expect(card).toHaveText(/Off\. Backing up the database is up to you\.$/)
  await expectAccessible(page)
})

test('diagnostics show the state of each part of the server and send a test mail', async ({
  admin,
  browserOf,
  expectConsole,
  mailbox,
}) => {
  expectConsole(/status of 503/)
  const page = await browserOf(admin)
  // The request fails until the button is pressed, because the app also refetches when the live channel opens.
  await page.route('**/api/admin/diagnostics', async (route) => {
    if (await page.evaluate(() => document.body.dataset['retried'] === 'yes')) await route.continue()
    else await route.fulfill({ status: 503, json: { detail: 'Not now' } })
  })
  await page.goto('/admin?tab=server')
  const diagnostics = page.getByRole('region', { name: 'Diagnostics' })
  await expect(diagnostics.getByRole('alert')).toContainText("The checks couldn't be run")
  await page.evaluate(() =>
    document.addEventListener(
      'click',
      () => {
        document.body.dataset['retried'] = 'yes'
      },
      { capture: true },
    ),
  )
  await diagnostics.getByRole('button', { name: 'Retry' }).click()
  const row = (title: string) =>
    diagnostics.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
  for (const title of ['Address of this page', 'Clock of this device', 'Public address', 'Proxy', 'Database', 'Mail'])
    await expect(row(title)).toContainText('Works')
  await expect(row('Live connection')).toContainText(/Round trip: \d+ ms\./)
  // The sentences of the server are in English in every language.
  await expect(row('Database').locator('[lang="en"]')).toHaveCount(1)
  await expect(row('Live connection').locator('[lang="en"]')).toHaveCount(0)
  await expect(row('Other nodes')).toContainText('Not set up')
  await expect(diagnostics.getByRole('status')).toHaveText('All configured services are working.')
  await expectAccessible(page)

  await row('Mail').getByRole('button', { name: 'Send me a test email' }).click()
  await expect(row('Mail').getByRole('alert')).toContainText(`accepted an email to ${admin.email}`)
  await expect(row('Mail').getByRole('alert')).toHaveAttribute('lang', 'en')
  expect(mailbox.received.at(-1)?.to).toEqual([admin.email])
  mailbox.refusal = { code: 550, text: 'Nobody of that name' }
  await row('Mail').getByRole('button', { name: 'Send me a test email' }).click()
  await expect(row('Mail').getByRole('alert')).toContainText("didn't accept the email (it responded with 550)")
  mailbox.refusal = null

  const asked = page.waitForRequest('**/api/admin/diagnostics')
  await diagnostics.getByRole('button', { name: 'Check again' }).click()
  await asked
  await expect(row('Database')).toContainText('Works')
  await expectAccessible(page)
})

test('the diagnostics warn about a wrong address and a missing live connection', async ({
  admin,
  baseURL,
  browserOf,
}) => {
  const elsewhere = baseURL.replace('127.0.0.1', 'localhost')
  const page = await browserOf(admin, { baseURL: elsewhere, storageState: storageOf(elsewhere, admin) })
  await page.routeWebSocket(/realtime/, (socket) => socket.close())
  await page.goto('/admin?tab=server')
  const diagnostics = page.getByRole('region', { name: 'Diagnostics' })
  const row = (title: string) =>
    diagnostics.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
  await expect(row('Address of this page')).toContainText(`You are at ${elsewhere}, but PUBLIC_URL is ${baseURL}`)
  await expect(row('Public address')).toContainText('Warning')
  await expect(row('Live connection')).toContainText('Does not work')
  await expect(diagnostics.getByRole('status')).toHaveText(/^(3|4) issues found\.$/)
  await expectAccessible(page)
})

test('a user who enters the code of the first start becomes admin', async ({ browserOf, expectConsole }) => {
  expectConsole(/status of 403/)
  const server = await startOwnServer({})
  const page = await browserOf(null, { baseURL: server.base })
  try {
    await page.goto('/signup')
    await fillIn(page, 'first')
    await expect(page).toHaveURL('/')
    await page.goto('/admin')
    await expect(page.getByRole('heading', { name: 'Become administrator' })).toBeVisible()
    await expect(page.getByText('Enter the code printed when the server started.')).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('Code').fill('AAAA-AAAA-AAAA-AAAA-AAAA')
    await page.getByRole('button', { name: 'Become administrator' }).click()
    await expect(page.getByText(/^This code is not valid\./)).toBeVisible()
    await page.getByLabel('Code').fill(server.adminCode.toLowerCase())
    await page.getByRole('button', { name: 'Become administrator' }).click()
    await page.getByRole('button', { name: 'Later' }).click()
    await expect(page.getByRole('heading', { name: 'Administration' })).toBeVisible()
    await expect(page.getByText('No open reports')).toBeVisible()
  } finally {
    await page.context().close()
    await server.stop()
  }
})

test('in the mode for invitations, an admin lets members invite new people with their friend links', async ({
  admin,
  api,
  baseURL,
  browserOf,
  person,
}) => {
  await api(setRegistration, { body: { mode: 'open' } }, admin)
  const ann = await person('ann')
  const { url } = await api(createFriendLink, { body: { kind: 'link', uses: 5 } }, ann)
  const [adminPage, visitor] = [await browserOf(admin), await browserOf(null)]
  await adminPage.goto('/admin')
  await adminPage.getByRole('tab', { name: 'Sign-ups' }).click()
  const invites = adminPage.getByRole('radiogroup', { name: 'Members can invite new people' })
  await expect(adminPage.getByRole('radio', { name: 'Everyone' })).toBeChecked()
  await expect(invites).toBeHidden()
  await adminPage.getByRole('radio', { name: 'Only with an invitation link' }).check()
  await expect(invites.getByRole('radio', { name: 'Off' })).toBeChecked()

  await visitor.goto(url)
  await expect(visitor.getByText("This server isn't accepting new accounts right now.")).toBeVisible()
  await expect(visitor.getByRole('link', { name: 'Sign up' })).toBeHidden()
  await expect(visitor.getByRole('link', { name: 'Log in' })).toBeVisible()
  await expectAccessible(visitor)

  await invites.getByRole('radio', { name: '3 per month' }).check()
  await expect(adminPage.getByText('Saved')).toBeVisible()
  await adminPage.reload()
  await adminPage.getByRole('tab', { name: 'Sign-ups' }).click()
  await expect(invites.getByRole('radio', { name: '3 per month' })).toBeChecked()
  await expectAccessible(adminPage)

  await visitor.reload()
  await visitor.getByRole('link', { name: 'Sign up' }).click()
  const name = `new-${crypto.randomUUID().slice(0, 8)}`
  await visitor.getByLabel('Username').fill(name)
  await visitor.getByLabel('Email').fill(`${name}@example.org`)
  await visitor.getByLabel('Password', { exact: true }).fill(password)
  await visitor.getByLabel('Confirm Password').fill(password)
  await visitor.getByRole('button', { name: 'Sign Up' }).click()
  await expect(visitor).toHaveURL(`${baseURL}/`)
  await expect(visitor.getByText(`Friend request sent to ${ann.username}.`)).toBeVisible()
  await api(setRegistration, { body: { mode: 'open', member_invites: 0 } }, admin)
})

test('an admin sees that there is a newer version, or that the update check failed', async ({ admin, browserOf }) => {
  const page = await browserOf(admin, { locale: 'en-US' })
  const checked_at = '2026-05-12T12:00:00.000Z'
  let update: object | undefined
  await page.route('**/api/admin/status', async (route) => {
    const response = await route.fetch()
    const { update: _, ...status } = (await response.json()) as { update?: unknown }
    await route.fulfill({ response, json: { ...status, ...(update && { update }) } })
  })
  update = { version: '99.0.0', notes_url: 'https://example.org/notes', checked_at, failed: false }
  await page.goto('/admin?tab=server')
  await expect(page.getByText('Version 99.0.0 is available.')).toBeVisible()
  await expect(page.getByRole('link', { name: "What's new" })).toHaveAttribute('href', 'https://example.org/notes')
  await expectAccessible(page)
  update = { version: '99.0.0', notes_url: 'https://example.org/notes', checked_at, failed: true }
  await page.reload()
  await expect(page.getByText('The update check failed on May 12.')).toBeVisible()
  // A server of an earlier version.
  update = undefined
  await page.reload()
  await expect(page.getByText('Version', { exact: true })).toBeVisible()
  await expect(page.getByText(/is available|update check/)).toBeHidden()
})
