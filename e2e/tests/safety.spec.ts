import { login } from '@hither/contract/auth/auth.ts'
import { blockUser } from '@hither/contract/friends.ts'
import { createPing, getPing, listMyPings } from '@hither/contract/pings.ts'
import { filledPath } from '@hither/contract/runtime/address.ts'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { befriend, call, password } from '../people.ts'

const place = { latitude: 40.7, longitude: -74, duration_minutes: 30 } as const
const groupOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('the safety card lists pins with their audience, links, devices and blocked people, and ends each there', async ({
  baseURL,
  browserOf,
  person,
}) => {
  const base = baseURL ?? ''
  const [ann, bob, cat, eve] = [await person('ann'), await person('bob'), await person('cat'), await person('eve')]
  await befriend(base, ann, bob)
  await befriend(base, ann, cat)
  await call(base, blockUser, { params: { username: eve.username } }, ann)
  // Signs in on a second device.
  await call(base, login, { body: { email: ann.email, password } })
  const create = (body: object) => call(base, createPing, { body: { ...place, ...body } as never }, ann)
  await create({ name: 'Coffee', recipient_ids: [bob.session.user.id] })
  const scheduled = await create({ name: 'Dinner', activates_at: new Date(Date.now() + 7_200_000).toISOString() })
  const open = await create({ name: 'Concert', recipient_ids: [], is_public: true })

  const page = await browserOf(ann)
  await page.goto('/profile')
  const pins = groupOf(page, 'Live and scheduled pins')
  const links = groupOf(page, 'Public links')
  const rowOf = (name: string) => pins.getByRole('listitem').filter({ hasText: name })
  await expect(pins.getByRole('listitem')).toHaveCount(3)
  await expect(rowOf('Coffee')).toContainText('1 friend, until')
  await expect(rowOf('Coffee')).toContainText(bob.username)
  await expect(rowOf('Dinner')).toContainText('2 friends')
  await expect(rowOf('Dinner')).toContainText(cat.username)
  await expect(rowOf('Concert')).toContainText('anyone with the link, until')
  await expect(links.getByRole('listitem')).toHaveCount(1)
  await expect(links).toContainText(`/pins/${open.id}`)
  await expect(groupOf(page, 'Signed-in devices').getByRole('listitem')).toHaveCount(2)
  await expect(groupOf(page, 'Blocked people')).toContainText(eve.username)
  await expectAccessible(page)

  await endIn(page, () => links.getByRole('button', { name: 'End the public link of Concert' }).click())
  await expect(links).toContainText('You have no public links')
  const stranger = await fetch(`${base}/api${filledPath(getPing.address, { id: open.id })}`)
  expect(stranger.status).toBe(404)
  await endIn(page, () => pins.getByRole('button', { name: 'Delete Dinner' }).click())
  await endIn(page, () => pins.getByRole('button', { name: 'Delete Coffee' }).click())
  await expect(pins).toContainText('You have no live or scheduled pins')
  const ids = (await call(base, listMyPings, { query: {} }, ann)).map(({ id }) => id)
  expect(ids).not.toContain(scheduled.id)
  expect(ids).toEqual([])

  await groupOf(page, 'Signed-in devices')
    .getByRole('button', { name: /^Sign out (?!all)/ })
    .click()
  await expect(groupOf(page, 'Signed-in devices').getByRole('listitem')).toHaveCount(1)
  await groupOf(page, 'Blocked people')
    .getByRole('button', { name: `Unblock ${eve.username}` })
    .click()
  await expect(groupOf(page, 'Blocked people')).toContainText("You haven't blocked anyone")
  await expect(page).toHaveURL('/profile')
})

/** Confirms the dialog that `open` shows and waits for the response of the server. */
async function endIn(page: Page, open: () => Promise<void>): Promise<void> {
  await open()
  const answered = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
  expect((await answered).ok()).toBe(true)
}
