import { blockUser, listBlocked, sendFriendRequest } from '@hither/contract/friends.ts'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { dropPing } from '../people.ts'

const consequences = [
  "They won't be notified. You can unblock them in your profile, but you won't be friends again.",
  'Your friendship ends, and any request between you.',
  "You can't find or message each other, or see each other's pins.",
  'You both stay in shared groups, but their messages are hidden.',
]

async function askToBlock(page: Page, username: string) {
  await page.getByRole('button', { name: `More about ${username}` }).click()
  await page.getByRole('menuitem', { name: 'Block' }).click()
}

test('blocking a friend removes the friendship for both, and unblocking does not restore it', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/ERR_FAILED/)
  const [ann, eve] = [await person('ann'), await person('eve')]
  await friends(ann, eve)
  const ping = await dropPing(baseURL ?? '', ann, { name: 'Not for eve any more' })
  const [page, evePage] = [await browserOf(ann), await browserOf(eve)]
  await page.goto('/friends')
  await evePage.goto('/')
  await expect(evePage.getByRole('button', { name: new RegExp(ping.name) }).first()).toBeVisible()

  await askToBlock(page, eve.username)
  const question = page.getByRole('alertdialog', { name: `Block ${eve.username}?` })
  for (const sentence of consequences) await expect(question.getByText(sentence)).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await page.route('**/api/friends/block/*', (route) => route.abort())
  await askToBlock(page, eve.username)
  await question.getByRole('button', { name: 'Block' }).click()
  await expect(page.getByText('Failed to block. Please try again.')).toBeVisible()
  await page.unroute('**/api/friends/block/*')
  await askToBlock(page, eve.username)
  await question.getByRole('button', { name: 'Block' }).click()
  await expect(page.getByText(`${eve.username} is blocked`)).toBeVisible()
  await expect(page.getByText('No friends yet. Start by adding some friends!')).toBeVisible()
  await expect(evePage.getByRole('button', { name: new RegExp(ping.name) })).toHaveCount(0)
  await evePage.getByRole('link', { name: /^Friends/ }).click()
  await expect(evePage.getByText('No friends yet. Start by adding some friends!')).toBeVisible()

  await page.goto('/profile')
  const blocked = page.getByRole('region', { name: 'Blocked people' })
  await expect(blocked.getByRole('listitem')).toContainText(eve.username)
  await page.route('**/api/friends/block/*', (route) => route.abort())
  await blocked.getByRole('button', { name: `Unblock ${eve.username}` }).click()
  await expect(page.getByText('Failed to unblock. Please try again.')).toBeVisible()
  await expect(blocked.getByRole('listitem')).toContainText(eve.username)
  await page.unroute('**/api/friends/block/*')
  await blocked.getByRole('button', { name: `Unblock ${eve.username}` }).click()
  await expect(page.getByText(`${eve.username} is unblocked`)).toBeVisible()
  await expect(blocked.getByText("You haven't blocked anyone")).toBeVisible()
  await page.getByRole('link', { name: /^Friends/ }).click()
  await expect(page.getByText('No friends yet. Start by adding some friends!')).toBeVisible()
})

test('the sender of a friend request can be blocked and then cannot find the user', async ({
  api,
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 404/)
  const [ann, eve] = [await person('ann'), await person('eve')]
  await api(sendFriendRequest, { body: { username: ann.username } }, eve)
  const [page, evePage] = [await browserOf(ann), await browserOf(eve)]
  await evePage.goto('/friends?tab=sent')
  await expect(evePage.getByText('Friend request pending')).toBeVisible()
  await page.goto('/friends?tab=received')
  await askToBlock(page, eve.username)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click()
  await expect(page.getByText('No pending friend requests')).toBeVisible()
  // The page shows the result before the response of the server.
  await expect.poll(() => api(listBlocked, {}, ann)).toMatchObject([{ username: eve.username }])

  await expect(evePage.getByText('No pending sent requests')).toBeVisible()
  await evePage.getByRole('button', { name: 'Add Friend' }).first().click()
  await evePage.getByRole('dialog').getByLabel('Username').fill(ann.username)
  await evePage.getByRole('button', { name: 'Search' }).click()
  await expect(evePage.getByText('User not found')).toBeVisible()
})

test('lists of friends, requests, devices and blocked users are accessible and do not scroll horizontally at 320 px', async ({
  api,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, cat, eve] = [await person('ann'), await person('bob'), await person('cat'), await person('eve')]
  await friends(ann, bob)
  await api(sendFriendRequest, { body: { username: ann.username } }, cat)
  await api(blockUser, { params: { username: eve.username } }, ann)
  const page = await browserOf(ann, { viewport: { width: 320, height: 640 } })
  for (const [path, name] of [
    ['/friends', bob.username],
    ['/friends?tab=received', cat.username],
    ['/profile', eve.username],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('main').getByText(name)).toBeVisible()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  }
})
