import { listFriends, sendFriendRequest } from '@hither/contract/friends.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'

test('bob asks ann, ann accepts, and each sees it without reloading', async ({ browserOf, expectConsole, person }) => {
  expectConsole(/status of 404/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  const [annPage, bobPage] = [await browserOf(ann), await browserOf(bob)]
  await annPage.goto('/friends')
  await bobPage.goto('/friends')
  await expect(bobPage.getByText('No friends yet. Start by adding some friends!')).toBeVisible()

  await bobPage.getByRole('button', { name: 'Add Friend' }).first().click()
  const dialog = bobPage.getByRole('dialog', { name: 'Add Friend' })
  await dialog.getByLabel('Username').fill('nobody-of-this-name')
  await dialog.getByRole('button', { name: 'Search' }).click()
  await expect(dialog.getByText('User not found')).toBeVisible()
  await dialog.getByLabel('Username').fill(ann.username.toUpperCase())
  await dialog.getByRole('button', { name: 'Search' }).click()
  await expect(dialog.getByText(ann.username)).toBeVisible()
  await expect(dialog.getByText(ann.session.user.id)).toBeVisible()
  await dialog.getByRole('button', { name: 'Send Friend Request' }).click()
  await expect(dialog.getByText('Friend request sent!')).toBeVisible()
  await expect(dialog).toBeHidden()
  await bobPage.getByRole('tab', { name: /Sent/ }).click()
  await expect(bobPage.getByText('Friend request pending')).toBeVisible()

  await expect(annPage.getByRole('link', { name: /Friends.*1/ })).toBeVisible()
  await annPage.getByRole('tab', { name: /Received/ }).click()
  await expect(annPage.getByText('Wants to be your friend')).toBeVisible()
  await annPage.getByRole('button', { name: /Accept/ }).click()
  await expect(annPage.getByText('No pending friend requests')).toBeVisible()
  await annPage.getByRole('tab', { name: /Friends/ }).click()
  await expect(annPage.getByRole('main').getByText(bob.username)).toBeVisible()

  await expect(bobPage.getByText('No pending sent requests')).toBeVisible()
  await bobPage.getByRole('tab', { name: /Friends/ }).click()
  await expect(bobPage.getByRole('main').getByText(ann.username)).toBeVisible()

  await bobPage.getByRole('button', { name: `Remove ${ann.username}` }).click()
  const confirm = bobPage.getByRole('alertdialog', { name: 'Remove Friend' })
  await expect(
    confirm.getByText('This action cannot be undone. You will need to send a new friend request to connect again.'),
  ).toBeVisible()
  await confirm.getByRole('button', { name: 'Remove' }).click()
  await expect(bobPage.getByText('No friends yet. Start by adding some friends!')).toBeVisible()
  await expect(annPage.getByText('No friends yet. Start by adding some friends!')).toBeVisible()
})

test('a request can be declined, and a sent one cancelled', async ({ api, browserOf, person }) => {
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await api(sendFriendRequest, { body: { username: ann.username } }, bob)
  await api(sendFriendRequest, { body: { username: cat.username } }, ann)
  const page = await browserOf(ann)
  await page.goto('/friends')
  await page.getByRole('tab', { name: /Received/ }).click()
  await page.getByRole('button', { name: /Decline/ }).click()
  await expect(page.getByText('No pending friend requests')).toBeVisible()
  await page.getByRole('tab', { name: /Sent/ }).click()
  await page.getByRole('button', { name: /Cancel/ }).click()
  await expect(page.getByText('No pending sent requests')).toBeVisible()
  expect(await api(listFriends, {}, ann)).toEqual([])
})

test('when the friends cannot be loaded, the screen says so and a retry mends it', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 400/)
  const page = await browserOf(await person('ann'))
  // Its beginning has everything asked for anew, and would mend it before the button does.
  await page.routeWebSocket(/realtime/, () => undefined)
  await page.route('**/api/friends/', (route) => route.fulfill({ status: 400, json: { detail: 'Bad request' } }))
  await page.goto('/friends')
  await expect(page.getByText('Failed to load friends data')).toBeVisible()
  await page.unroute('**/api/friends/')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('No friends yet. Start by adding some friends!')).toBeVisible()
})

test('friends, chat and profile are accessible in both schemes', async ({ browserOf, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann)
  for (const path of ['/friends', '/chat', '/profile']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expectAccessible(page)
  }
})
