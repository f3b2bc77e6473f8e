import { blockUser } from '@hither/contract/friends.ts'
import { listConversationSummaries } from '@hither/contract/messages/messages.ts'
import { fileLimits } from '@hither/contract/runtime/files.ts'
import { deleteAccount } from '@hither/contract/users.ts'
import type { Page } from '@playwright/test'
import { halves, taggedPicture } from '../../server/test/pictures.ts'
import { makeDirect, makeGroup, messageMenu, messagesOf, postPhoto, textsOf, typeMessage } from '../conversations.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { password } from '../people.ts'

// The Content-Security-Policy refuses requests of Playwright's trace recorder for pictures.
const recorder = /^Connecting to 'blob:/
const offline = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|WebSocket/

interface TestFile {
  name: string
  mimeType: string
  buffer: Buffer
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Send a photo' })

async function choosePhotos(page: Page, files: TestFile[]) {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach' }).click()
  await page.getByRole('menuitem', { name: 'Photo' }).click()
  await (await choosing).setFiles(files)
}

async function jpeg(name = 'photo.jpg'): Promise<TestFile> {
  return { name, mimeType: 'image/jpeg', buffer: await taggedPicture('jpeg', 6) }
}

test('a photo with a caption arrives at the other person, who opens, zooms and saves it', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(recorder)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const { id } = await makeDirect(baseURL, bob, ann)
  const [page, bobPage] = [await browserOf(ann), await browserOf(bob)]
  await page.goto(`/chat/${id}`)
  await bobPage.goto(`/chat/${id}`)
  await expect(bobPage.getByText('No messages yet. Start the conversation!')).toBeVisible()

  await choosePhotos(page, [await jpeg()])
  await expect(dialogOf(page).getByRole('img', { name: 'The photo you chose' })).toBeVisible()
  await dialogOf(page).getByRole('textbox', { name: 'Add a caption…' }).fill('Sunset')
  await dialogOf(page).getByRole('button', { name: 'Send' }).click()
  await expect(dialogOf(page)).toBeHidden()
  await expect(messagesOf(page).getByRole('button', { name: 'Your photo, Sunset' })).toBeVisible()
  await expect(messagesOf(page).getByRole('img', { name: /^(Sent|Read)$/ })).toBeAttached()

  const label = `Photo from ${ann.username}, Sunset`
  const photo = messagesOf(bobPage).getByRole('button', { name: label })
  await expect(photo).toBeVisible()
  await expect(messagesOf(bobPage).getByText('Sunset', { exact: true })).toBeVisible()
  // A phone stores a portrait picture as landscape with an orientation: the stored photo is upright.
  const box = await photo.boundingBox()
  expect(box?.height).toBeGreaterThan(box?.width ?? 0)
  expect(box?.width).toBeLessThanOrEqual(280)

  await photo.click()
  const viewer = bobPage.getByRole('dialog', { name: label })
  const image = viewer.getByRole('img', { name: label })
  await expect(image).toBeVisible()
  const before = (await image.boundingBox())?.width ?? 0
  await viewer.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(async () => (await image.boundingBox())?.width).toBeCloseTo(before * 1.5, 0)
  await bobPage.keyboard.press('0')
  await expect.poll(async () => (await image.boundingBox())?.width).toBeCloseTo(before, 0)
  await pinch(bobPage, 2)
  await expect.poll(async () => (await image.boundingBox())?.width).toBeCloseTo(before * 2, 0)

  const downloading = bobPage.waitForEvent('download')
  await viewer.getByRole('button', { name: 'Save image' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^Hither .*\.webp$/)
  await viewer.getByRole('button', { name: 'Close' }).click()
  await expect(viewer).toBeHidden()
  await expect(photo).toBeFocused()

  await bobPage.goto('/chat')
  await expect(bobPage.getByRole('link', { name: new RegExp(`${ann.username}: Sunset`) })).toBeVisible()
})

test('several photos in a row have their own captions, and a file that cannot be sent is refused before the upload', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(recorder)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const { id } = await makeDirect(baseURL, bob, ann)
  const [page, bobPage] = [await browserOf(ann), await browserOf(bob)]
  await page.goto(`/chat/${id}`)
  await bobPage.goto(`/chat/${id}`)
  const uploads: string[] = []
  page.on('request', (request) => void (request.url().endsWith('/photos') && uploads.push(request.url())))
  const tooLarge = { name: 'b.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(fileLimits.messagePhotoBytes + 1) }
  const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') }
  await choosePhotos(page, [await jpeg(), tooLarge, text, await jpeg('d.jpg')])
  const dialog = dialogOf(page)
  await expect(dialog.getByText('1 of 4')).toBeVisible()
  await dialog.getByRole('textbox').fill('One')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('2 of 4')).toBeVisible()
  await expect(dialog.getByText('Image must be less than 10MB')).toBeVisible()
  await dialog.getByRole('button', { name: 'Skip' }).click()
  await expect(dialog.getByText('Please select an image file')).toBeVisible()
  await dialog.getByRole('button', { name: 'Skip' }).click()
  await dialog.getByRole('textbox').fill('Four')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(dialog).toBeHidden()
  for (const caption of ['One', 'Four'])
    await expect(
      messagesOf(bobPage).getByRole('button', { name: `Photo from ${ann.username}, ${caption}` }),
    ).toBeVisible()
  await expect.poll(() => textsOf(bobPage)).toEqual(['One', 'Four'])
  expect(uploads).toHaveLength(2)
})

test('a pasted and a dropped picture are offered for sending', async ({ baseURL, browserOf, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const { id } = await makeDirect(baseURL, bob, ann)
  const page = await browserOf(ann)
  await page.goto(`/chat/${id}`)
  const png = (await halves(40, 30).png().toBuffer()).toString('base64')
  const field = page.getByRole('textbox', { name: 'Type a message...' })
  await field.focus()
  await field.evaluate(give, { type: 'paste', base64: png })
  await expect(dialogOf(page).getByRole('img', { name: 'The photo you chose' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toBeHidden()

  await messagesOf(page).evaluate(give, { type: 'dragover', base64: png })
  await expect(page.getByText('Drop photos to send them')).toBeVisible()
  await messagesOf(page).evaluate(give, { type: 'drop', base64: png })
  await expect(page.getByText('Drop photos to send them')).toBeHidden()
  await expect(dialogOf(page).getByRole('img', { name: 'The photo you chose' })).toBeVisible()
})

test('a photo written offline waits with its file across a restart, and is sent once without holding up text; signing out asks before', async ({
  api,
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(recorder, offline)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const { id } = await makeDirect(baseURL, bob, ann)
  const [page, bobPage] = [await browserOf(ann), await browserOf(bob)]
  await page.goto(`/chat/${id}`)
  await bobPage.goto(`/chat/${id}`)
  await page.route('**/photos', (route) => route.abort())
  await choosePhotos(page, [await jpeg()])
  await dialogOf(page).getByRole('textbox').fill('Late')
  await dialogOf(page).getByRole('button', { name: 'Send' }).click()
  const unsent = messagesOf(page).getByRole('img', { name: 'Your photo, Late' })
  await expect(unsent).toBeVisible()
  await expect(messagesOf(page).getByRole('img', { name: 'Waiting to be sent' })).toBeAttached()
  await typeMessage(page, 'Text goes first')
  await expect(messagesOf(bobPage).getByText('Text goes first')).toBeVisible()

  await page.goto('/')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  const question = page.getByRole('alertdialog', { name: 'Sign out?' })
  await expect(question.getByText("1 change hasn't been sent yet.")).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()

  await page.goto(`/chat/${id}`)
  await expect(unsent).toBeVisible()
  await page.unroute('**/photos')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(messagesOf(bobPage).getByRole('button', { name: `Photo from ${ann.username}, Late` })).toBeVisible()
  await expect(messagesOf(page).getByRole('button', { name: 'Your photo, Late' })).toHaveCount(1)
  await expect.poll(() => textsOf(bobPage)).toEqual(['Text goes first', 'Late'])
  const [summary] = await api(listConversationSummaries, {}, bob)
  expect(summary?.last_message).toMatchObject({ content: 'Late', seq: 2 })
})

test('an interrupted photo is not uploaded again, and one whose upload has expired is', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(recorder, offline, /status of 422/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const { id } = await makeDirect(baseURL, bob, ann)
  const page = await browserOf(ann)
  await page.goto(`/chat/${id}`)
  let uploads = 0
  page.on('request', (request) => void (request.url().endsWith('/photos') && uploads++))
  await page.route('**/messages/send', (route) => route.abort())
  await choosePhotos(page, [await jpeg()])
  const failing = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/messages/send'))
  await dialogOf(page).getByRole('button', { name: 'Send' }).click()
  await failing
  await page.reload()
  await page.unroute('**/messages/send')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(messagesOf(page).getByRole('button', { name: 'Your photo' })).toBeVisible()
  expect(uploads).toBe(1)

  const detail = [{ loc: ['body', 'photo_id'], msg: 'This photo is no longer available.', type: 'photo_unavailable' }]
  let sends = 0
  await page.route('**/messages/send', (route) =>
    // First the network fails, so that the photo has an upload. A day later the server has deleted it.
    ++sends === 1 ? route.abort() : sends === 2 ? route.fulfill({ status: 422, json: { detail } }) : route.continue(),
  )
  await choosePhotos(page, [await jpeg()])
  await dialogOf(page).getByRole('button', { name: 'Send' }).click()
  await expect(messagesOf(page).getByRole('button', { name: 'Your photo' })).toHaveCount(2)
  expect(uploads).toBe(3)
})

test('a file that the server refuses is shown as not sent, with Retry and Discard', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(recorder, /status of 415/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const { id } = await makeDirect(baseURL, bob, ann)
  const page = await browserOf(ann)
  await page.goto(`/chat/${id}`)
  // The server detects the type by content and not by name.
  await choosePhotos(page, [{ name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') }])
  await expect(dialogOf(page).getByText('This photo has no preview here.')).toBeVisible()
  await dialogOf(page).getByRole('button', { name: 'Send' }).click()
  await expect(messagesOf(page).getByText(/^Photo not sent\./)).toBeVisible()
  await expectAccessible(page)
  const uploading = page.waitForRequest('**/photos')
  await messagesOf(page).getByRole('button', { name: 'Retry' }).click()
  await uploading
  await expect(messagesOf(page).getByText(/^Photo not sent\./)).toBeVisible()
  await messagesOf(page).getByRole('button', { name: 'Discard' }).click()
  await expect(messagesOf(page).getByText(/^Photo not sent\./)).toBeHidden()
  await expect(page.getByText('No messages yet. Start the conversation!')).toBeVisible()
})

test('the photos of a blocked member are requested only after unfolding', async ({
  api,
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(recorder)
  const [ann, eve, cat] = [await person('ann'), await person('eve'), await person('cat')]
  await friends(ann, eve)
  await friends(ann, cat)
  const { id } = await makeGroup(baseURL, 'Lunch', [eve, cat], ann)
  await postPhoto(baseURL, id, new Blob([new Uint8Array(await taggedPicture('png'))]), eve, 'From Eve')
  await api(blockUser, { params: { username: eve.username } }, ann)
  const page = await browserOf(ann)
  const requested: string[] = []
  page.on('request', (request) => void (request.url().includes('/message-photo/') && requested.push(request.url())))
  await page.goto(`/chat/${id}`)
  await expect(messagesOf(page).getByText('1 message from someone you blocked')).toBeVisible()
  expect(requested).toEqual([])
  await messagesOf(page).getByRole('button', { name: 'Show' }).click()
  await expect(messagesOf(page).getByRole('button', { name: /From Eve$/ })).toBeVisible()
  await expect.poll(() => requested.length).toBe(1)
})

test('a photo closes when its message is deleted, and is no longer available after its sender deleted the account', async ({
  api,
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  // The stored conversation still has the photo of the deleted account.
  expectConsole(recorder, /status of 404/)
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
  const { id } = await makeGroup(baseURL, 'Lunch', [bob, cat], ann)
  const file = new Blob([new Uint8Array(await taggedPicture('webp'))])
  await postPhoto(baseURL, id, file, bob, 'Kept')
  await postPhoto(baseURL, id, file, bob, 'Deleted')
  const [page, bobPage] = [await browserOf(ann), await browserOf(bob)]
  await page.goto(`/chat/${id}`)
  await page.getByRole('button', { name: /Deleted$/ }).click()
  const viewer = page.getByRole('dialog', { name: /Deleted$/ })
  await expect(viewer.getByRole('img')).toBeVisible()
  await bobPage.goto(`/chat/${id}`)
  await (await messageMenu(bobPage, 'Deleted')).getByRole('menuitem', { name: 'Delete message' }).click()
  await bobPage.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(viewer).toBeHidden()
  await expect(messagesOf(page).getByRole('button', { name: /Deleted$/ })).toBeHidden()

  await bobPage.goto('about:blank')
  await api(deleteAccount, { body: { password } }, bob)
  await page.reload()
  await expect(messagesOf(page).getByText('This photo is no longer available.')).toBeVisible()
  await expect(messagesOf(page).getByText('Kept')).toBeVisible()
})

for (const { label, width, height } of [
  { label: '320 px', width: 320, height: 640 },
  { label: '1280 px', width: 1280, height: 800 },
]) {
  test(`the menu, the preview, the bubble and the viewer of photos are accessible at ${label}`, async ({
    baseURL,
    browserOf,
    expectConsole,
    friends,
    person,
  }) => {
    expectConsole(recorder)
    const [ann, bob] = [await person('ann'), await person('bob')]
    await friends(ann, bob)
    const { id } = await makeDirect(baseURL, bob, ann)
    await postPhoto(baseURL, id, new Blob([new Uint8Array(await taggedPicture('png'))]), bob, 'غروب الشمس')
    const page = await browserOf(ann, { viewport: { width, height } })
    await page.goto(`/chat/${id}`)
    const photo = messagesOf(page).getByRole('button', { name: /^Photo from .*غروب الشمس\u2069?$/ })
    await expect(photo).toBeVisible()
    await expectAccessible(page)
    // The test listens before the click, because the browser passes its file dialog only to an existing listener.
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach' }).press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Photo' })).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await (await choosing).setFiles([await jpeg()])
    await expect(dialogOf(page).getByRole('img')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await photo.press('Enter')
    const viewer = page.getByRole('dialog', { name: /غروب الشمس\u2069?$/ })
    await expect(viewer.getByRole('img')).toBeVisible()
    await expectAccessible(page)
    for (let tab = 0; tab < 6; tab++) {
      await page.keyboard.press('Tab')
      await expect(viewer.locator(':focus')).toHaveCount(1)
    }
    await page.keyboard.press('Escape')
    await expect(viewer).toBeHidden()
    await expect(photo).toBeFocused()
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return { scrollWidth, clientWidth }
    })
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  })
}

/** Gives a picture to an element by the clipboard or by a drag. Runs in the page. */
function give(element: Element, { type, base64 }: { type: string; base64: string }) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  const data = new DataTransfer()
  data.items.add(new File([bytes], 'photo.png', { type: 'image/png' }))
  const init = { bubbles: true, cancelable: true }
  element.dispatchEvent(
    type === 'paste'
      ? new ClipboardEvent(type, { ...init, clipboardData: data })
      : new DragEvent(type, { ...init, dataTransfer: data }),
  )
}

/** Moves two fingers apart around the center of the viewport. */
async function pinch(page: Page, factor: number) {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const cdp = await page.context().newCDPSession(page)
  const fingers = (distance: number) => [
    { x: width / 2 - distance / 2, y: height / 2, id: 0 },
    { x: width / 2 + distance / 2, y: height / 2, id: 1 },
  ]
  await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 })
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(100) })
  for (const step of [0.25, 0.5, 0.75, 1])
    await cdp.send('Input.dispatchTouchEvent', {
      type: 'touchMove',
      touchPoints: fingers(100 * (1 + (factor - 1) * step)),
    })
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: false })
  await cdp.detach()
}
