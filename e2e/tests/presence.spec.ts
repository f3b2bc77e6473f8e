import { expect, test } from '../fixtures.ts'

test('friends see live who is online, except users who hide it', { tag: '@quick' }, async ({
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/ERR_INTERNET_DISCONNECTED/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const bobPage = await browserOf(bob)
  await bobPage.goto('/friends')
  const row = bobPage.getByRole('listitem').filter({ hasText: ann.username })
  await expect(row).toContainText(/Since/)

  const annPage = await browserOf(ann)
  await annPage.goto('/profile')
  await expect(row).toContainText('Online')

  const choice = annPage.getByRole('switch', { name: 'Appear offline' })
  await choice.click()
  await expect(row).not.toContainText('Online')
  await annPage.reload()
  await expect(choice).toBeChecked()
  await choice.click()
  await expect(row).toContainText('Online')
  // Whether others are online is unknown without a connection.
  await bobPage.context().setOffline(true)
  await expect(row).not.toContainText('Online')
  await bobPage.context().setOffline(false)
  await expect(row).toContainText('Online')
  await annPage.getByRole('button', { name: 'Account menu' }).click()
  await annPage.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(row).not.toContainText('Online')
})
