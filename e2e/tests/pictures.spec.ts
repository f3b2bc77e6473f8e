import { fileLimits } from '@hither/contract/runtime/files.ts'
import type { Locator, Page } from '@playwright/test'
import { halves, taggedPicture } from '../../server/test/pictures.ts'
import { expect, test } from '../fixtures.ts'

// The Content-Security-Policy refuses requests of Playwright's trace recorder for pictures.
const recorder = /^Connecting to 'blob:/

test('a profile picture is shown upright to the user and live to friends, until it is removed', async ({
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(recorder)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const [page, bobPage] = [await browserOf(ann), await browserOf(bob)]
  await page.goto('/profile')
  await bobPage.goto('/friends')
  const theirs = bobPage.getByRole('list', { name: 'Friends' }).locator('.MuiAvatar-root')
  const initials = `A${ann.username.charAt(4).toUpperCase()}`
  await expect(theirs).toHaveText(initials)

  // A phone stores a portrait picture as landscape with an EXIF orientation.
  await choose(page, { name: 'me.jpg', mimeType: 'image/jpeg', buffer: await taggedPicture('jpeg', 6) })
  await expect(page.getByText('Profile picture updated')).toBeVisible()
  await expect(theirs.locator('img')).toBeVisible()
  for (const picture of [ownPicture(page), theirs.locator('img')])
    await expect.poll(() => coloursOf(picture)).toEqual(['red', 'blue'])
  await expect(page.getByRole('banner').locator('img')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Change the picture' })).toBeVisible()

  // The address stays the same and the bytes change.
  await choose(page, {
    name: 'b.png',
    mimeType: 'image/png',
    buffer: await halves(300, 300).rotate(180).png().toBuffer(),
  })
  for (const picture of [ownPicture(page), theirs.locator('img')])
    await expect.poll(() => coloursOf(picture)).toEqual(['blue', 'blue'])

  await page.getByRole('button', { name: 'Remove the picture' }).click()
  await expect(page.getByText('Profile picture removed')).toBeVisible()
  await expect(theirs.locator('img')).toBeHidden()
  await expect(theirs).toHaveText(initials)
  await expect(ownPicture(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Upload a picture' })).toBeFocused()
})

test('a file that is too large or no picture is refused before the upload, and a failed upload can be retried', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(recorder, /ERR_FAILED|status of 415/)
  const page = await browserOf(await person('ann'))
  let sent = 0
  page.on('request', (request) => void (request.method() === 'POST' && /profile-image/.test(request.url()) && sent++))
  await page.goto('/profile')
  await choose(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') })
  await expect(page.getByText('Please select an image file')).toBeVisible()
  const tooLarge = Buffer.alloc(fileLimits.profileImageBytes + 1)
  await choose(page, { name: 'large.jpg', mimeType: 'image/jpeg', buffer: tooLarge })
  await expect(page.getByText('Image must be less than 5MB')).toBeVisible()
  expect(sent).toBe(0)

  // The server detects the type by content and not by name.
  await choose(page, { name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') })
  await expect(page.getByText('Please select an image file')).toBeVisible()
  expect(sent).toBe(1)

  const picture = { name: 'me.jpg', mimeType: 'image/jpeg', buffer: await taggedPicture('jpeg') }
  await page.route('**/api/files/profile-image', (route) => route.abort())
  await choose(page, picture)
  await expect(page.getByText('Failed to upload image. Please try again.')).toBeVisible()
  await expect(ownPicture(page)).toBeHidden()
  await page.unroute('**/api/files/profile-image')
  await choose(page, picture)
  await expect(page.getByText('Profile picture updated')).toBeVisible()

  await page.route('**/api/files/profile-image', (route) => route.abort())
  await page.getByRole('button', { name: 'Remove the picture' }).click()
  await expect(page.getByText('Failed to remove image. Please try again.')).toBeVisible()
  await expect(ownPicture(page)).toBeVisible()
})

async function choose(page: Page, file: { name: string; mimeType: string; buffer: Buffer }) {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: /^(Upload a|Change the) picture$/ }).click()
  await (await choosing).setFiles(file)
}

function ownPicture(page: Page): Locator {
  return page.getByRole('main').locator('.MuiAvatar-root img')
}

/** The colors at the center of the upper left quarter and of the lower left quarter. */
function coloursOf(picture: Locator): Promise<string[]> {
  return picture.evaluate((image: HTMLImageElement) => {
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight)
    const context = canvas.getContext('2d')
    context?.drawImage(image, 0, 0)
    return [0.25, 0.75].map((y) => {
      const [red = 0, , blue = 0] = context?.getImageData(canvas.width * 0.25, canvas.height * y, 1, 1).data ?? []
      return red > blue ? 'red' : 'blue'
    })
  })
}
