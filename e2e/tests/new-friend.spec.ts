import { acceptFriendLink, createFriendLink } from '@hither/contract/friend-links.ts'
import { sendFriendRequest } from '@hither/contract/friends.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { subscriptionTo, watchChanges } from '../live-frames.ts'
import { dropPing } from '../people.ts'

const startIn = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

test('a new friend sees the live pins after one tap, and the question appears once on a device', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  test.slow()
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, cat)
  await dropPing(baseURL ?? '', ann, { name: 'Coffee' })
  await dropPing(baseURL ?? '', ann, { name: 'Supper', activates_at: startIn(60) })
  await dropPing(baseURL ?? '', ann, { name: 'Secret', recipient_ids: [cat.session.user.id] })
  const page = await browserOf(ann)
  const other = await page.context().newPage()
  const bobPage = await browserOf(bob)
  await api(sendFriendRequest, { body: { username: ann.username } }, bob)
  await other.goto('/profile')
  await bobPage.goto('/')
  await expect(bobPage.getByText('No friends are sharing any pins nearby')).toBeAttached()
  const subscribed = subscriptionTo(page, 'friendships')
  await page.goto('/friends')
  await subscribed
  await page.getByRole('tab', { name: /Received/ }).click()
  await page.getByRole('button', { name: /Accept/ }).click()

  const text = `Show ${bob.username} your 2 live pins?`
  const asked = [page, other].map((tab) => tab.getByRole('region', { name: text }))
  await expect.poll(async () => (await Promise.all(asked.map((one) => one.count()))).toSorted()).toEqual([0, 1])
  const tab = (await asked[0]?.count()) === 1 ? page : other
  await tab.bringToFront()
  const question = tab.getByRole('region', { name: text })
  await expectAccessible(tab)
  await question.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(tab.getByText(`Invited ${bob.username}`)).toBeVisible()
  await expect(question).toBeHidden()
  await expect(bobPage.getByRole('heading', { name: /^Friends Nearby\s*2$/ })).toBeAttached()
  await expect(bobPage.getByText('Secret')).toHaveCount(0)
  await tab.reload()
  await expect(tab.getByText(ann.username).first()).toBeAttached()
  await expect(tab.getByText(text)).toHaveCount(0)
})

test('a friend who used a friend link can be left out, and pins for selected friends are not offered', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, cat, dan] = [await person('ann'), await person('bob'), await person('cat'), await person('dan')]
  await friends(ann, cat)
  await dropPing(baseURL ?? '', ann, { name: 'Secret', recipient_ids: [cat.session.user.id] })
  const page = await browserOf(ann)
  const nextChange = watchChanges(page)
  const subscribed = subscriptionTo(page, 'friendships')
  await page.goto('/profile')
  await subscribed
  const linkFor = async () => (await api(createFriendLink, { body: { kind: 'qr' } }, ann)).url.split('#')[1] ?? ''
  const befriended = nextChange('friendships')
  await api(acceptFriendLink, { body: { code: await linkFor() } }, bob)
  await befriended

  // A question about Bob would stay until it is answered, and the next one would wait behind it.
  await dropPing(baseURL ?? '', ann, { name: 'Coffee' })
  await expect(page.getByRole('region', { name: 'Live and scheduled pins' })).toContainText('2 friends, until')
  await api(acceptFriendLink, { body: { code: await linkFor() } }, dan)
  const question = page.getByRole('region', { name: `Show ${dan.username} your live pin?` })
  await question.getByRole('button', { name: 'Not now' }).click()
  await expect(question).toBeHidden()
  await expect(page.getByText(/^Show /)).toHaveCount(0)
})
