import { deleteMessage, editMessage } from '@hither/contract/messages/messages.ts'
import { refusals } from '@hither/contract/refusals.ts'
import { makeDirect, messageMenu, messagesOf, postMessage, textsOf } from '../conversations.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'

const sentence = 'Messages can be edited for 15 minutes after sending.'

test('the sender edits a message: both see the new text and "Edited", and the draft comes back', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const direct = await makeDirect(baseURL, bob, ann)
  await postMessage(baseURL, direct.id, 'See you at 8', ann)
  await postMessage(baseURL, direct.id, 'Fine', bob)
  const wide = { viewport: { width: 1280, height: 800 } }
  const [annPage, bobPage] = [await browserOf(ann, wide), await browserOf(bob, wide)]
  for (const page of [annPage, bobPage]) await page.goto(`/chat/${direct.id}`)
  const writing = annPage.getByRole('textbox', { name: 'Type a message...' })
  const editing = annPage.getByRole('textbox', { name: 'Edit message' })
  await writing.fill('half a thou')

  const others = await messageMenu(annPage, 'Fine')
  await expect(others.getByRole('menuitem', { name: 'Edit' })).toBeHidden()
  await annPage.keyboard.press('Escape')
  const menu = await messageMenu(annPage, 'See you at 8')
  await menu.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(editing).toBeFocused()
  await expect(editing).toHaveValue('See you at 8')
  await expectAccessible(annPage)
  await editing.fill('  ')
  await expect(annPage.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true')
  await annPage.keyboard.press('Escape')
  await expect(writing).toHaveValue('half a thou')

  await messageMenu(annPage, 'See you at 8')
  await menu.getByRole('menuitem', { name: 'Edit' }).click()
  await annPage.getByRole('button', { name: 'Cancel' }).click()
  await expect(writing).toHaveValue('half a thou')

  await messageMenu(annPage, 'See you at 8')
  await menu.getByRole('menuitem', { name: 'Edit' }).click()
  await editing.fill('See you at 9')
  await annPage.getByRole('button', { name: 'Save' }).click()
  await expect(writing).toHaveValue('half a thou')
  for (const page of [annPage, bobPage]) {
    await expect.poll(() => textsOf(page)).toEqual(['See you at 9', 'Fine'])
    await expect(messagesOf(page).locator('p').first()).toHaveText(/See you at 9.*Edited/)
    await expect(messagesOf(page).getByText('See you at 8')).toHaveCount(0)
  }
  // Screen readers do not find the former text of a message that was announced.
  const secret = await postMessage(baseURL, direct.id, 'The code is 1234', ann)
  const announced = bobPage.getByRole('status').filter({ hasText: 'The code is' })
  await expect(announced).toHaveText(/The code is 1234/)
  await api(editMessage, { params: { id: secret.id }, body: { content: 'The code is secret' } }, ann)
  await expect.poll(() => textsOf(bobPage)).toContain('The code is secret')
  await expect(announced).toHaveCount(0)
  await api(deleteMessage, { params: { id: secret.id } }, ann)
  await expect.poll(() => textsOf(bobPage)).toEqual(['See you at 9', 'Fine'])
  await expect(bobPage.getByRole('link', { name: 'Chat', exact: true })).toBeVisible()
  await bobPage.reload()
  await expect(messagesOf(bobPage).locator('p').first()).toHaveText(/See you at 9.*Edited/)
})

test('a refused edit shows the sentence of the server, and the text stays in the composer', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of 409/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const direct = await makeDirect(baseURL, bob, ann)
  await postMessage(baseURL, direct.id, 'See you at 8', ann)
  const page = await browserOf(ann, { viewport: { width: 320, height: 640 } })
  await page.route('**/api/messages/messages/*', (route) =>
    route.fulfill({ status: 409, json: { detail: refusals.edit_too_late.detail } }),
  )
  await page.goto(`/chat/${direct.id}`)
  await (await messageMenu(page, 'See you at 8')).getByRole('menuitem', { name: 'Edit' }).click()
  const editing = page.getByRole('textbox', { name: 'Edit message' })
  await editing.fill('See you at 9')
  await page.keyboard.press('Enter')
  await expect(page.getByText(sentence)).toBeVisible()
  await expect(editing).toHaveValue('See you at 9')
  await expect.poll(() => textsOf(page)).toEqual(['See you at 8'])
  await expectAccessible(page)
})

test('of the texts saved offline only the last one is sent, once, also after the page is reopened', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/Failed to load resource/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const direct = await makeDirect(baseURL, bob, ann)
  await postMessage(baseURL, direct.id, 'See you at 8', ann)
  const [page, bobPage] = [await browserOf(ann), await browserOf(bob)]
  await bobPage.goto(`/chat/${direct.id}`)
  await page.route('**/api/messages/messages/*', (route) => route.abort())
  await page.goto(`/chat/${direct.id}`)
  for (const [before, after] of [
    ['See you at 8', 'See you at 9'],
    ['See you at 9', 'See you at 10'],
  ] as const) {
    await (await messageMenu(page, before)).getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Edit message' }).fill(after)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: 'Type a message...' })).toBeVisible()
    await expect.poll(() => textsOf(page)).toEqual([after])
  }
  await expect(messagesOf(page).getByRole('img', { name: 'Waiting to be sent' })).toBeVisible()

  // The page must not send it by itself before it is left.
  const address = page.url()
  await page.goto('about:blank')
  await page.unroute('**/api/messages/messages/*')
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH' && /\/messages\/messages\//.test(request.url())) sent.push(request.postDataJSON())
  })
  await page.goto(address)
  await expect(messagesOf(bobPage).getByText('See you at 10')).toBeVisible()
  await expect(messagesOf(page).getByText('See you at 10')).toBeVisible()
  await expect(messagesOf(page).getByRole('img', { name: 'Waiting to be sent' })).toHaveCount(0)
  expect(sent).toEqual([{ content: 'See you at 10' }])
})

test('an edit that waited too long shows an error after reconnecting, and can be discarded', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/Failed to load resource/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const direct = await makeDirect(baseURL, bob, ann)
  await postMessage(baseURL, direct.id, 'See you at 8', ann)
  const page = await browserOf(ann)
  await page.route('**/api/messages/messages/*', (route) => route.abort())
  await page.goto(`/chat/${direct.id}`)
  await (await messageMenu(page, 'See you at 8')).getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Edit message' }).fill('See you at 9')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Type a message...' })).toBeVisible()
  await page.route('**/api/messages/messages/*', (route) =>
    route.fulfill({ status: 409, json: { detail: refusals.edit_too_late.detail } }),
  )
  await page.reload()
  await expect(messagesOf(page).getByText(`Not saved. ${sentence}`)).toBeVisible()
  await expect.poll(() => textsOf(page)).toEqual(['See you at 8'])
  await expectAccessible(page)
  await messagesOf(page).getByRole('button', { name: 'Discard' }).click()
  await expect(messagesOf(page).getByText(/Not saved/)).toHaveCount(0)
})
