import { login } from '@hither/contract/auth/auth.ts'
import { sendFriendRequest } from '@hither/contract/friends.ts'
import { respondToPing } from '@hither/contract/pings.ts'
import type { Locator } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { subscriptionTo } from '../live-frames.ts'
import { dropPing, password } from '../people.ts'

test('notices wait for each other and never cover the floating button', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
  const { id: ping_id } = await dropPing(baseURL ?? '', ann)
  const page = await browserOf(ann)
  const subscribed = subscriptionTo(page, 'ping_responses')
  await page.goto('/friends')
  await expect(page.getByRole('list', { name: 'Friends' }).getByRole('listitem')).toHaveCount(2)
  await subscribed
  const notices = page.getByRole('status').filter({ hasText: / is going$/ })
  await api(respondToPing, { body: { ping_id, response_type: 'accepted' } }, bob)
  await expect(notices).toHaveText([`${bob.username} is going`])
  await api(respondToPing, { body: { ping_id, response_type: 'accepted' } }, cat)
  await expect(notices).toHaveText([`${cat.username} is going`])

  const [notice, button] = [await boxOf(notices), await boxOf(page.locator('.MuiFab-root'))]
  expect(notice.y + notice.height).toBeLessThanOrEqual(button.y)
})

test('no screen shows two equal primary buttons, and the profile lists three devices before Show all', async ({
  api,
  baseURL,
  browserOf,
  person,
}) => {
  const [ann, ...others] = [await person('ann'), await person('bob'), await person('cat')]
  for (const other of others) await api(sendFriendRequest, { body: { username: ann.username } }, other)
  const ping = await dropPing(baseURL ?? '', ann, { is_public: true, guest_policy: 'approval' })
  for (const other of others) await api(respondToPing, { body: { ping_id: ping.id, response_type: 'accepted' } }, other)
  for (let device = 0; device < 4; device++) await api(login, { body: { email: ann.email, password } })
  const page = await browserOf(ann)
  const devices = page.getByRole('region', { name: 'Signed-in devices' })
  const primaryButtons = page.locator('.MuiButton-contained:visible, .MuiFab-primary:visible')
  // Screens whose content may come after, or without, a primary button.
  const shownOn: Record<string, Locator> = {
    '/friends?tab=received': page.getByRole('button', { name: /^Accept/ }).nth(1),
    [`/pins/${ping.id}`]: page.getByRole('button', { name: /^Approve/ }).nth(1),
    '/profile': devices.getByText('This device'),
  }
  for (const path of ['/', '/chat', '/friends', '/friends?tab=received', `/pins/${ping.id}`, '/profile']) {
    await page.goto(path)
    await expect(shownOn[path] ?? primaryButtons).not.toHaveCount(0)
    await expect(page.getByRole('progressbar')).toHaveCount(0)
    const names = await primaryButtons.evaluateAll((buttons) =>
      buttons.map((button) => button.textContent || button.getAttribute('aria-label')),
    )
    expect(names, path).toEqual([...new Set(names)])
  }

  await expect(devices.getByRole('listitem')).toHaveCount(3)
  await expect(devices.getByText('This device')).toBeVisible()
  await devices.getByRole('button', { name: 'Show all' }).click()
  await expect(devices.getByRole('listitem')).toHaveCount(5)
  await expect(devices.getByRole('button', { name: 'Show all' })).toHaveCount(0)
})

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (box === null) throw new Error('The element is not rendered.')
  return box
}
