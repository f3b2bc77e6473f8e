import { listFriends, sendFriendRequest } from '@hither/contract/friends.ts'
import { respondToPing } from '@hither/contract/pings.ts'
import { updateUser } from '@hither/contract/users.ts'
import { makeGroup, postMessage } from '../conversations.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { subscriptionTo, withoutLiveChannel } from '../live-frames.ts'
import { dropPing, type Person } from '../people.ts'
import { recordTexts } from '../recorded-texts.ts'

test('bob sends ann a friend request, ann accepts, and both see it without reloading', { tag: '@quick' }, async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of (404|500)/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  const [annPage, bobPage] = [await browserOf(ann), await browserOf(bob)]
  await annPage.goto('/friends')
  const sent = await recordTexts(bobPage, /Friend request sent!/)
  await bobPage.goto('/friends')
  await expect(bobPage.getByText('No friends yet. Start by adding some friends!')).toBeVisible()

  await bobPage.getByRole('button', { name: 'Add Friend' }).first().click()
  const dialog = bobPage.getByRole('dialog', { name: 'Add Friend' })
  await expect(dialog.getByText('Enter their exact username')).toBeVisible()
  await dialog.getByLabel('Username').fill('nobody-of-this-name')
  await dialog.getByRole('button', { name: 'Search' }).click()
  await expect(dialog.getByText('User not found')).toBeVisible()
  await dialog.getByLabel('Username').fill(ann.username.toUpperCase())
  await dialog.getByRole('button', { name: 'Search' }).click()
  await expect(dialog.getByText(ann.username)).toBeVisible()
  await expect(dialog.getByText(ann.session.user.id)).toBeVisible()
  const broken = { status: 500, json: { detail: 'Internal server error (7)' } }
  await bobPage.route('**/api/friends/request', (route) => route.fulfill(broken))
  await dialog.getByRole('button', { name: 'Send Friend Request' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Failed to send friend request')
  await bobPage.unroute('**/api/friends/request')
  const posts: string[] = []
  bobPage.on('request', (request) => /friends\/request$/.test(request.url()) && posts.push(request.method()))
  await dialog.getByRole('button', { name: 'Send Friend Request' }).dblclick()
  // The dialog shows it for one and a half seconds and then closes.
  await expect.poll(sent).toContain('Friend request sent!')
  await expect(dialog).toBeHidden()
  expect(posts).toEqual(['POST'])
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

test('a long list of friends is filtered by name, and a row opens the profile with chat, pins and actions', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const ann = await person('ann')
  const others = await Promise.all(['bob', 'cat', 'dan', 'eve', 'fay', 'gus', 'hal', 'ida'].map((name) => person(name)))
  for (const other of others) await friends(ann, other)
  const [bob] = others as [Person, ...Person[]]
  await api(updateUser, { params: { id: bob.session.user.id }, body: { display_name: 'Zoë Ünal' } }, bob)
  const ping = await dropPing(baseURL ?? '', bob, { name: 'Tea at noon' })
  await dropPing(baseURL ?? '', bob, { name: 'My Pin', is_unnamed: true })
  const page = await browserOf(ann)
  await page.goto('/friends')
  const rows = page.getByRole('list', { name: 'Friends' }).getByRole('listitem')
  await expect(rows).toHaveCount(8)
  // Sorted by the name that is shown.
  await expect(rows.last()).toContainText('Zoë Ünal')
  const filter = page.getByRole('searchbox', { name: 'Search friends' })
  await filter.fill('nobody of this name')
  await expect(page.getByText('No friend with that name')).toBeVisible()
  await filter.fill('ünal')
  await expect(rows).toHaveCount(1)
  await expectAccessible(page)

  await rows.getByRole('button', { name: /Zoë Ünal.*Since/ }).click()
  const profile = page.getByRole('dialog', { name: 'Zoë Ünal' })
  await expect(profile.getByText(`@${bob.username}`)).toBeVisible()
  await expect(profile.getByText(/Member since/)).toBeVisible()
  await expect(profile.getByRole('button', { name: 'Block' })).toBeVisible()
  await expect(profile.getByRole('button', { name: 'Report Zoë Ünal' })).toBeVisible()
  await expectAccessible(page)
  await expect(profile.getByRole('link', { name: /Tea at noon/ })).toHaveAttribute('href', `/pins/${ping.id}`)
  await expect(profile.getByRole('link', { name: /Zoë Ünal's pin/ })).toBeVisible()
  await profile.getByRole('button', { name: 'Message' }).click()
  await expect(page.getByRole('heading', { name: 'Zoë Ünal' })).toBeVisible()

  // The profile of the direct chat offers the same.
  await page.getByRole('button', { name: /Tap to view profile/ }).click()
  await expect(profile.getByRole('link', { name: /Tea at noon/ })).toBeVisible()
  await profile.getByRole('button', { name: 'Block' }).click()
  await page.getByRole('alertdialog', { name: 'Block Zoë Ünal?' }).getByRole('button', { name: 'Block' }).click()
  await expect(profile).toBeHidden()
  await expect.poll(async () => (await api(listFriends, {}, ann)).length).toBe(7)
})

test('a received friend request can be declined and a sent one cancelled', async ({ api, browserOf, person }) => {
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

test('a failed load of the friends shows an error, and a retry works', async ({ browserOf, expectConsole, person }) => {
  expectConsole(/status of 400/)
  const page = await browserOf(await person('ann'))
  // The live channel refetches everything when it opens, which would recover before the button is pressed.
  await withoutLiveChannel(page)
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

test('a friend with a new name has it everywhere at once', async ({ api, baseURL, browserOf, friends, person }) => {
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  for (const friend of [bob, cat]) await friends(ann, friend)
  const ping = await dropPing(baseURL ?? '', ann, { name: 'Soup', responses_visible: true })
  await dropPing(baseURL ?? '', bob, { name: 'Tea at noon' })
  await api(respondToPing, { body: { ping_id: ping.id, response_type: 'accepted' } }, bob)
  const group = await makeGroup(baseURL, 'Pub', [bob, cat], ann)
  await postMessage(baseURL, group.id, 'Hello', bob)
  const [home, chat, pin] = [await browserOf(ann), await browserOf(ann), await browserOf(ann)]
  const subscribed = [home, chat, pin].map((page) => subscriptionTo(page, 'users'))
  await home.goto('/')
  await chat.goto('/chat')
  await pin.goto(`/pins/${ping.id}`)
  await Promise.all(subscribed)
  const row = home.getByRole('button', { name: new RegExp(`Tea at noon.*${bob.username}`) })
  await expect(row).toBeVisible()
  await expect(chat.getByText(`${bob.username}: Hello`)).toBeVisible()
  await expect(pin.getByText(bob.username).first()).toBeVisible()

  await api(updateUser, { params: { id: bob.session.user.id }, body: { display_name: 'Zoë Ünal' } }, bob)
  await expect(home.getByRole('button', { name: /Tea at noon.*Zoë Ünal/ })).toBeVisible()
  await expect(chat.getByText('Zoë Ünal: Hello')).toBeVisible()
  await expect(pin.getByText('Zoë Ünal').first()).toBeVisible()
  await expect(pin.getByText(bob.username)).toHaveCount(0)
})
