import { changeCircle, createCircle, deleteCircle, listCircles } from '@hither/contract/circles.ts'
import { listMyPings } from '@hither/contract/pings.ts'
import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { subscriptionTo } from '../live-frames.ts'
import { dropPing, type Person } from '../people.ts'

const offline =
  /ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket connection|Failed to load resource|Worker failed to load/
test.use({ pages: 'map' })

const here = { permissions: ['geolocation'], geolocation: { latitude: 40.7033, longitude: -74.017 } }

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })
const idOf = ({ session }: Person) => session.user.id

async function beginPin(page: Page): Promise<Locator> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Drop a pin' }).click()
  const dialog = dialogOf(page, 'New pin')
  await expect(dialog).toBeVisible()
  return dialog
}

/** Expects the page and the dialog on it to need no horizontal scrolling. */
async function expectNoSideways(page: Page, box: Locator) {
  expect(await box.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

async function chooseFriend(dialog: Locator, friend: Person) {
  await dialog.getByRole('checkbox', { name: friend.username }).check()
}

test('ann creates, edits and deletes a circle, which her friends cannot see', async ({
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  // Each screen is checked by axe in two schemes.
  test.slow()
  // The browser logs the refused emoji as a failed resource.
  expectConsole(/status of 422/)
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  for (const friend of [bob, cat]) await friends(ann, friend)
  const page = await browserOf(ann, { viewport: { width: 320, height: 640 } })
  await page.goto('/friends')
  await page.getByRole('link', { name: 'Circles' }).click()
  await expect(page).toHaveURL('/friends/circles')
  await expect(page.getByRole('heading', { name: 'Circles' })).toBeVisible()
  await expect(page.getByText('Only you can see your circles.')).toBeVisible()
  const empty = 'No circles yet. Group the friends you meet often, and share a pin with them in one tap.'
  await expect(page.getByText(empty)).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'New circle' }).click()
  const dialog = dialogOf(page, 'New circle')
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused()
  await expect(dialog.getByText('0/30')).toBeVisible()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByText('Please enter a name of 1 to 30 characters.')).toBeVisible()
  await expect(dialog.getByText('Please select at least one friend.')).toBeVisible()
  await dialog.getByLabel('Name', { exact: true }).fill('Close friends')
  await expect(dialog.getByText('13/30')).toBeVisible()
  await dialog.getByLabel('Emoji (optional)').fill('a')
  await chooseFriend(dialog, bob)
  await chooseFriend(dialog, cat)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByText('Please choose an emoji.')).toBeVisible()
  await expectAccessible(page)
  await expectNoSideways(page, dialog)
  await dialog.getByLabel('Emoji (optional)').fill('☕')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Circle created')).toBeVisible()
  const row = page.getByRole('listitem').filter({ hasText: 'Close friends' })
  await expect(row).toContainText('☕')
  await expect(row).toContainText('2 friends')
  await expectAccessible(page)

  await row.getByRole('button').click()
  const edit = dialogOf(page, 'Edit circle')
  await edit.getByLabel('Name', { exact: true }).fill('Work')
  await edit.getByRole('checkbox', { name: cat.username }).uncheck()
  await expectAccessible(page)
  await expectNoSideways(page, edit)
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Circle saved')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Work' })).toContainText('1 friend')

  const bobPage = await browserOf(bob)
  await bobPage.goto('/friends/circles')
  await expect(bobPage.getByText(empty)).toBeVisible()

  await page.getByRole('listitem').filter({ hasText: 'Work' }).getByRole('button').click()
  await edit.getByRole('button', { name: 'Delete circle' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete this circle?' })
  const text = "Your friends stay your friends, and pins you already shared don't change."
  await expect(question.getByText(text)).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await edit.getByRole('button', { name: 'Delete circle' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Circle deleted')).toBeVisible()
  await expect(page.getByText(empty)).toBeVisible()
})

test('an edit on another device is taken over, and what was typed stays', async ({
  api,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of 409/)
  const [ann, bob, cat, dan] = [await person('ann'), await person('bob'), await person('cat'), await person('dan')]
  for (const friend of [bob, cat, dan]) await friends(ann, friend)
  const { id } = await api(createCircle, { body: { name: 'Work', member_ids: [idOf(bob)] } }, ann)
  const page = await browserOf(ann)
  const subscribed = subscriptionTo(page, 'circles')
  await page.goto('/friends/circles')
  await subscribed
  await page.getByRole('listitem').filter({ hasText: 'Work' }).getByRole('button').click()
  const dialog = dialogOf(page, 'Edit circle')
  const isMember = (friend: Person) => dialog.getByRole('checkbox', { name: friend.username })
  await dialog.getByLabel('Name', { exact: true }).fill('Colleagues')
  await api(changeCircle, { params: { id }, body: { member_ids: [idOf(cat), idOf(dan)] } }, ann)
  // The change of the other device arrives live.
  await expect(page.getByText('2 friends')).toBeAttached()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('This circle was changed on another device. Check it and save again.')).toBeVisible()
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Colleagues')
  for (const friend of [cat, dan]) await expect(isMember(friend)).toBeChecked()
  // The member whom the other device has removed is not added again.
  await expect(isMember(bob)).not.toBeChecked()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Circle saved')).toBeVisible()
  expect(await api(listCircles, {}, ann)).toMatchObject([{ name: 'Colleagues', member_ids: [idOf(cat), idOf(dan)] }])
})

test('a pin for a circle takes three taps, and combines with selected friends', async ({
  api,
  browserOf,
  friends,
  person,
}) => {
  // The dialog is checked by axe in two schemes.
  test.slow()
  const [ann, bob, cat, dan] = [await person('ann'), await person('bob'), await person('cat'), await person('dan')]
  for (const friend of [bob, cat, dan]) await friends(ann, friend)
  const close = { name: 'Close friends', emoji: '☕', member_ids: [idOf(bob), idOf(cat)] }
  const { id } = await api(createCircle, { body: close }, ann)
  await api(createCircle, { body: { name: 'Old friends', member_ids: [idOf(dan)] } }, ann)
  const page = await browserOf(ann, here)
  const dialog = await beginPin(page)
  await dialog.getByLabel('Name').fill('Coffee at Nero')
  const audience = dialog.getByRole('group', { name: 'Who sees it' })
  const all = audience.getByRole('button', { name: 'All friends' })
  const chip = audience.getByRole('button', { name: /^Close friends, 2 friends/ })
  const other = audience.getByRole('button', { name: /^Old friends, 1 friend/ })
  const selected = audience.getByRole('button', { name: 'Selected friends' })
  await expect(all).toHaveAttribute('aria-pressed', 'true')
  await expect(dialog.getByText(/^3 friends, until/)).toBeVisible()
  await chip.click()
  await expect(chip).toHaveAccessibleName('Close friends, 2 friends, selected')
  await expect(all).toHaveAttribute('aria-pressed', 'false')
  await expect(dialog.getByText(/^2 friends, until/)).toBeVisible()
  // After the last circle is deselected, nobody is chosen instead of all friends.
  await chip.click()
  await expect(selected).toHaveAttribute('aria-pressed', 'true')
  await expect(all).toHaveAttribute('aria-pressed', 'false')
  await expect(dialog.getByRole('button', { name: 'Pin Location' })).toBeDisabled()
  await chip.click()
  await expect(dialog.getByText(/^2 friends, until/)).toBeVisible()
  await chooseFriend(dialog, cat)
  await expect(dialog.getByText(/^2 friends, until/)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Save as a circle' })).toBeHidden()
  await chooseFriend(dialog, dan)
  await expect(dialog.getByText(/^3 friends, until/)).toBeVisible()
  await other.click()
  await expect(dialog.getByText(/^3 friends, until/)).toBeVisible()
  await expectAccessible(page)

  await dialog.getByRole('button', { name: 'Save as a circle' }).click()
  const circle = dialogOf(page, 'New circle')
  await expect(circle.getByRole('checkbox', { name: dan.username })).toBeChecked()
  await circle.getByLabel('Name', { exact: true }).fill('Band')
  await circle.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Circle created')).toBeVisible()
  // The pin is still being written.
  await expect(audience.getByRole('button', { name: 'Band, 2 friends' })).toBeVisible()
  expect(await api(listMyPings, { query: {} }, ann)).toEqual([])

  await selected.click()
  await other.click()
  const sent = page.waitForRequest((request) => request.method() === 'POST' && /\/pings\/$/.test(request.url()))
  await dialog.getByRole('button', { name: 'Pin Location' }).click()
  expect((await sent).postDataJSON()).toMatchObject({ circle_ids: [id], recipient_ids: [] })
  await expect.poll(() => api(listMyPings, { query: {} }, ann)).toMatchObject([{ audience: { circle_ids: [id] } }])

  const bobPage = await browserOf(bob)
  await bobPage.goto('/')
  await expect(bobPage.getByText('Coffee at Nero')).toBeVisible()
})

test('a pin for a circle does not reach a member who is removed on another device before it is sent', async ({
  api,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(offline)
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  for (const friend of [bob, cat]) await friends(ann, friend)
  const { id } = await api(createCircle, { body: { name: 'Work', member_ids: [idOf(bob), idOf(cat)] } }, ann)
  const page = await browserOf(ann, here)
  const dialog = await beginPin(page)
  await dialog.getByLabel('Name').fill('Coffee at Nero')
  await dialog.getByRole('button', { name: 'Work, 2 friends' }).click()
  await expect(dialog.getByText(/^2 friends, until/)).toBeVisible()
  // This device does not receive the change before the pin is sent.
  await page.context().setOffline(true)
  await dialog.getByRole('button', { name: 'Pin Location' }).click()
  await expect(page.getByText("We'll send your pin when you're back online.")).toBeVisible()
  await api(changeCircle, { params: { id }, body: { member_ids: [idOf(bob)] } }, ann)
  await page.context().setOffline(false)
  await expect(page.getByText('1 active, 0 scheduled', { exact: true })).toBeVisible()
  const [ping] = await api(listMyPings, { query: {} }, ann)
  expect(ping?.recipients.map(({ recipient_id }) => recipient_id)).toEqual([idOf(bob)])

  // A change that arrives while the form is open is shown in it.
  const subscribed = subscriptionTo(page, 'circles')
  const next = await beginPin(page)
  await subscribed
  await next.getByRole('button', { name: 'Work, 1 friend' }).click()
  await api(changeCircle, { params: { id }, body: { member_ids: [idOf(bob), idOf(cat)] } }, ann)
  await expect(next.getByText(/^2 friends, until/)).toBeVisible()
})

test('a circle that has become empty cannot be chosen and shows why', async ({ api, browserOf, friends, person }) => {
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  for (const friend of [bob, cat]) await friends(ann, friend)
  await api(createCircle, { body: { name: 'Work', member_ids: [idOf(bob)] } }, ann)
  const page = await browserOf(ann, here)
  await page.goto('/friends')
  await page.getByRole('button', { name: `Remove ${bob.username}` }).click()
  const removed = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await removed
  const dialog = await beginPin(page)
  const chip = dialog.getByRole('button', { name: 'Work, 0 friends' })
  await expect(chip).toHaveAttribute('aria-disabled', 'true')
  await expect(chip).toHaveAccessibleDescription('Nobody is in this circle.')
  await chip.press('Enter')
  await expect(dialog.getByText('Nobody is in this circle.')).toBeVisible()
  await expect(chip).toHaveAttribute('aria-pressed', 'false')
  await expect(dialog.getByRole('button', { name: 'All friends' })).toHaveAttribute('aria-pressed', 'true')
})

test('a circle invites more people to a pin, and selects the people of a chat', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  // The dialog is checked by axe in two schemes.
  test.slow()
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  for (const friend of [bob, cat]) await friends(ann, friend)
  const { id } = await api(createCircle, { body: { name: 'Work', member_ids: [idOf(bob), idOf(cat)] } }, ann)
  const ping = await dropPing(baseURL ?? '', ann, { recipient_ids: [idOf(bob)] })
  const page = await browserOf(ann)
  await page.goto(`/pins/${ping.id}`)
  await page.getByRole('button', { name: 'Invite more' }).click()
  const dialog = dialogOf(page, 'Invite more')
  await dialog.getByRole('button', { name: 'Work, 1 friend' }).click()
  await expectAccessible(page)
  const sent = page.waitForRequest((request) => request.method() === 'POST' && /\/recipients$/.test(request.url()))
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  expect((await sent).postDataJSON()).toEqual({ recipient_ids: [], circle_ids: [id] })
  await expect(page.getByText(`Invited ${cat.username}`)).toBeVisible()

  await page.goto('/chat')
  await page.getByRole('button', { name: 'New chat' }).first().click()
  const chat = dialogOf(page, 'Start New Chat')
  const chip = chat.getByRole('button', { name: /^Work, 2 friends/ })
  await chip.click()
  await expect(chip).toHaveAttribute('aria-pressed', 'true')
  for (const friend of [bob, cat]) await expect(chat.getByRole('checkbox', { name: friend.username })).toBeChecked()
  await chat.getByLabel('Group name').fill('Lunch')
  const asked = page.waitForRequest((request) => request.method() === 'POST' && /conversations/.test(request.url()))
  await chat.getByRole('button', { name: 'Create Group' }).click()
  expect((await asked).postDataJSON()).toEqual({ name: 'Lunch', participant_ids: [idOf(bob), idOf(cat)] })
})

test('offline, circles can be used but not changed; a deleted one is refused when the pin is sent', async ({
  api,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(offline, /status of 404/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const { id } = await api(createCircle, { body: { name: 'Work', member_ids: [idOf(bob)] } }, ann)
  const page = await browserOf(ann, here)
  await page.goto('/friends/circles')
  const row = page.getByRole('listitem').filter({ hasText: 'Work' }).getByRole('button')
  await row.click()
  const dialog = dialogOf(page, 'Edit circle')
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Work')
  await page.context().setOffline(true)
  await expect(dialog.getByText('Connect to the internet to change circles.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true')
  await expect(dialog.getByRole('button', { name: 'Delete circle' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.context().setOffline(false)

  const pin = await beginPin(page)
  await expect(pin.getByRole('button', { name: 'Work, 1 friend' })).toBeVisible()
  await page.context().setOffline(true)
  await pin.getByLabel('Name').fill('Coffee at Nero')
  await pin.getByRole('button', { name: 'Work, 1 friend' }).click()
  await pin.getByRole('button', { name: 'Pin Location' }).click()
  await expect(page.getByText("We'll send your pin when you're back online.")).toBeVisible()
  await api(deleteCircle, { params: { id } }, ann)
  await page.context().setOffline(false)
  await expect(page.getByText('No current pins · 1 not sent')).toBeVisible()
  await page.getByRole('button', { name: /^My Pins/ }).click()
  await expect(page.getByText('Not sent: Circle not found')).toBeVisible()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  // Nobody is chosen, because the pin must not go to all friends instead.
  await expect(pin.getByRole('button', { name: 'Selected friends' })).toHaveAttribute('aria-pressed', 'true')
  await expect(pin.getByRole('button', { name: 'Pin Location' })).toBeDisabled()
  expect(await api(listMyPings, { query: {} }, ann)).toEqual([])
})
