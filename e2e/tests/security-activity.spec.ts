import { login } from '@hither/contract/auth/auth.ts'
import { createRecoveryCodes } from '@hither/contract/auth/recovery.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { password } from '../people.ts'

const sentence = 'New recovery codes were created for your account'

test('a change on another device shows on Home until it is acknowledged, and stays in the list', async ({
  api,
  browserOf,
  person,
}) => {
  const ann = await person('ann')
  const session = await api(login, { body: { email: ann.email, password } })
  const other = { ...ann, session }
  await api(createRecoveryCodes, { body: {} }, other)

  const page = await browserOf(ann)
  await page.goto('/')
  const banner = page.getByText(new RegExp(`^${sentence} on \\d+ \\w+\\.$`))
  await expect(banner).toBeVisible()
  await expectAccessible(page)
  // It stays until it is acknowledged.
  await page.reload()
  await expect(banner).toBeVisible()
  const acknowledged = page.waitForResponse('**/api/auth/security-events/seen')
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(banner).toBeHidden()
  await acknowledged

  await page.goto('/profile')
  const list = page.getByRole('list', { name: 'Recent security activity' })
  await expect(list.getByText(sentence)).toBeVisible()
  const loaded = page.waitForResponse('**/api/auth/security-events')
  await page.goto('/')
  await loaded
  await expect(page.getByText('My Pins')).toBeVisible()
  await expect(banner).toBeHidden()

  // The device that made the change knows about it.
  const othersPage = await browserOf(other)
  const othersLoaded = othersPage.waitForResponse('**/api/auth/security-events')
  await othersPage.goto('/')
  await othersLoaded
  await expect(othersPage.getByText('My Pins')).toBeVisible()
  await expect(othersPage.getByText(sentence)).toBeHidden()
})
