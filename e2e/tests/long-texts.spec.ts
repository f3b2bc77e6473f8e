import { createFriendLink } from '@hither/contract/friend-links.ts'
import { sendFriendRequest } from '@hither/contract/friends.ts'
import { createGuest } from '@hither/contract/guests.ts'
import { updateUser } from '@hither/contract/users.ts'
import { makeGroup, postMessage } from '../conversations.ts'
import { expect, test } from '../fixtures.ts'
import { dropPing } from '../people.ts'
import { expectNoSidewaysScroll } from '../texts.ts'

const wide = 'W'.repeat(21)
const address = 'A'.repeat(300)

test('no screen of a phone scrolls sideways with long names, words and addresses, Arabic and emoji', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, cat, dan] = [await person(wide), await person(wide), await person('cat'), await person('dan')]
  for (const friend of [bob, cat]) await friends(ann, friend)
  const name = (who: typeof ann, display_name: string) =>
    api(updateUser, { params: { id: who.session.user.id }, body: { display_name } }, who)
  await name(cat, 'محمد عبد الرحمن آل سعود بن خالد الطويل')
  await name(dan, '👩‍👩‍👧🦊🎉🇩🇪'.repeat(3))
  await api(sendFriendRequest, { body: { username: ann.username } }, dan)
  const ping = await dropPing(baseURL ?? '', ann, {
    name: 'W'.repeat(50),
    message: `https://example.org/${'a'.repeat(150)} ${'x'.repeat(60)}`,
    address,
    is_public: true,
    guest_policy: 'approval',
  })
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
  const guest = { token, name: 'W'.repeat(30), response_type: 'accepted' } as const
  await api(createGuest, { params: { id: ping.id }, body: guest })
  const link = await api(createFriendLink, { body: { kind: 'link', uses: 5, days: 1, note: 'W'.repeat(100) } }, ann)
  const theirs = await dropPing(baseURL ?? '', bob, { name: 'W'.repeat(50), address })
  const group = await makeGroup(baseURL, 'W'.repeat(80), [bob, cat], ann)
  await postMessage(baseURL, group.id, `https://example.org/${'a'.repeat(300)} ${'x'.repeat(300)}`, bob)

  const viewport = { width: 360, height: 740 }
  const page = await browserOf(ann, { viewport })
  for (const path of [
    '/friends',
    '/friends/links',
    '/chat',
    `/chat/${group.id}`,
    '/profile',
    `/pins/${ping.id}`,
    `/pins/${theirs.id}`,
    '/',
  ]) {
    await page.goto(path)
    await expect(
      page
        .getByRole('main')
        .getByText(/WWW|محمد|Friends Nearby/)
        .filter({ visible: true })
        .first(),
    ).toBeVisible()
    await expectNoSidewaysScroll(page, path)
  }
  await page.goto('/friends?tab=received')
  await expect(page.getByText(/👩‍👩‍👧🦊/)).toBeVisible()
  await expectNoSidewaysScroll(page, 'received requests')
  const visitor = await browserOf(null, { viewport })
  await visitor.goto(`/pins/${ping.id}`)
  await expect(visitor.getByRole('heading', { name: /WWW/ })).toBeVisible()
  await expectNoSidewaysScroll(visitor, 'public pin')
  await visitor.goto(link.url)
  await expect(visitor.getByRole('heading', { name: /WWW/ })).toBeVisible()
  await expectNoSidewaysScroll(visitor, 'friend link')
})
