import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'

const tabOf = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
const dialogOf = (page: Page) => page.getByRole('dialog')

/** Waits until the history has no entry for an overlay. */
async function expectPageEntry(page: Page) {
  await expect.poll(() => page.evaluate(() => history.state?.overlays ?? 0)).toBe(0)
}

test('going back closes the topmost dialog or menu and stays on the screen, and the draft of a pin is kept', async ({
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const geolocation = { latitude: 43.7384, longitude: 7.4246 }
  const page = await browserOf(ann, { permissions: ['geolocation'], geolocation })
  await page.goto('/chat')
  await tabOf(page, 'Home').click()
  await page.getByRole('button', { name: 'Drop a pin' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Soup')
  await page.goBack()
  await expect(dialogOf(page)).toBeHidden()
  await expect(page).toHaveURL('/')
  await page.getByRole('button', { name: 'Drop a pin' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Soup')
  await dialogOf(page).getByRole('button', { name: 'Close' }).click()
  await expect(dialogOf(page)).toBeHidden()
  await page.getByRole('button', { name: 'Drop a pin' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
  await page.goBack()
  await expect(dialogOf(page)).toBeHidden()

  // A menu that opens a dialog, and a dialog above another one.
  await tabOf(page, 'Friends').click()
  const more = page.getByRole('button', { name: `More about ${bob.username}` })
  await more.click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('menu')).toBeHidden()
  await more.click()
  await page.getByRole('menuitem', { name: 'Block' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await page.getByRole('button', { name: new RegExp(`${bob.username}.*Since`) }).click()
  const profile = page.getByRole('dialog', { name: bob.username })
  await profile.getByRole('button', { name: 'Block' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(profile).toBeVisible()
  await page.goBack()
  await expect(profile).toBeHidden()
  await expect(page).toHaveURL('/friends')
  await page.goBack()
  await expect(page).toHaveURL('/')
  await page.goBack()
  await expect(page).toHaveURL('/chat')
})

test('a dialog that a button, a link, a reload or the way forward has left is in no one’s way', async ({
  browserOf,
  person,
}) => {
  const page = await browserOf(await person('ann'))
  await page.goto('/chat')
  await tabOf(page, 'Friends').click()
  const add = page.getByRole('button', { name: 'Add Friend' }).first()
  const close = () =>
    dialogOf(page)
      .getByRole('button', { name: /^(Cancel|Close)$/ })
      .first()
      .click()

  await add.click()
  await close()
  await expect(dialogOf(page)).toBeHidden()
  await expectPageEntry(page)
  await add.click()
  await page.goBack()
  await expect(dialogOf(page)).toBeHidden()
  // Nothing is behind the way forward.
  await page.evaluate(() => history.forward())
  await expectPageEntry(page)
  await expect(dialogOf(page)).toBeHidden()
  await expect(page).toHaveURL('/friends')

  await add.click()
  await expect(dialogOf(page)).toBeVisible()
  await page.reload()
  await expect(add).toBeVisible()
  await expectPageEntry(page)

  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await expect(page).toHaveURL('/profile')
  await expect(page.getByRole('menu')).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL('/friends')
  await page.goForward()
  await expect(page).toHaveURL('/profile')
  await page.goBack()
  await page.goBack()
  await expect(page).toHaveURL('/chat')
})
