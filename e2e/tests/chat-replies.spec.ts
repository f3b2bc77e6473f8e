import { blockUser } from '@hither/contract/friends.ts'
import { deleteMessage, editMessage, sendMessage } from '@hither/contract/messages/messages.ts'
import type { Locator } from '@playwright/test'
import { makeDirect, makeGroup, messageMenu, messagesOf, postMessage, textsOf, typeMessage } from '../conversations.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { recordHighlights } from '../recorded-texts.ts'
import { swipeRight } from '../touch.ts'

test('a reply quotes its message for both, follows its edit and marks its deletion', { tag: '@quick' }, async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const direct = await makeDirect(baseURL, bob, ann)
  const { id } = await postMessage(baseURL, direct.id, 'See you at 8', bob)
  const [annPage, bobPage] = [await browserOf(ann), await browserOf(bob)]
  for (const page of [annPage, bobPage]) await page.goto(`/chat/${direct.id}`)

  const menu = await messageMenu(annPage, 'See you at 8')
  await menu.getByRole('menuitem', { name: 'Reply' }).click()
  const bar = annPage.getByRole('group', { name: `Replying to ${bob.username}` })
  await expect(bar).toContainText('See you at 8')
  const field = annPage.getByRole('textbox', { name: 'Type a message...' })
  await expect(field).toBeFocused()
  await annPage.getByRole('button', { name: 'Cancel reply' }).click()
  await expect(bar).toBeHidden()

  await messageMenu(annPage, 'See you at 8')
  await menu.getByRole('menuitem', { name: 'Reply' }).click()
  await typeMessage(annPage, 'Can we say 9?')
  await expect(bar).toBeHidden()
  for (const page of [annPage, bobPage])
    await expect(messagesOf(page).getByRole('button', { name: /^Reply to .+: See you at 8$/ })).toBeVisible()

  await api(editMessage, { params: { id }, body: { content: 'See you at 9' } }, bob)
  for (const page of [annPage, bobPage])
    await expect(messagesOf(page).getByRole('button', { name: /^Reply to .+: See you at 9$/ })).toBeVisible()
  await annPage.reload()
  await expect(messagesOf(annPage).getByRole('button', { name: /Reply to .*: See you at 9/ })).toBeVisible()

  await api(deleteMessage, { params: { id } }, bob)
  for (const page of [annPage, bobPage]) {
    await expect(messagesOf(page).getByText('Message deleted')).toBeVisible()
    await expect.poll(() => textsOf(page)).toEqual(['Can we say 9?'])
  }
  await bobPage.reload()
  await expect(messagesOf(bobPage).getByText('Message deleted')).toBeVisible()
  await expectAccessible(bobPage)
})

test('a swipe to the right replies, and a short one does not', async ({ baseURL, browserOf, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const direct = await makeDirect(baseURL, bob, ann)
  await postMessage(baseURL, direct.id, 'See you at 8', bob)
  const page = await browserOf(ann, { hasTouch: true, isMobile: true })
  await page.goto(`/chat/${direct.id}`)
  const bubble = messagesOf(page).getByText('See you at 8')
  await swipeRight(bubble, 40)
  await expect(page.getByRole('group', { name: /Replying to/ })).toBeHidden()
  await swipeRight(bubble, 120)
  await expect(page.getByRole('group', { name: `Replying to ${bob.username}` })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('group', { name: /Replying to/ })).toBeHidden()
})

test('the quote of a message that is not loaded opens it among its neighbors, and the button goes back to the reply', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const direct = await makeDirect(baseURL, bob, ann)
  const { id } = await postMessage(baseURL, direct.id, 'message 1', bob)
  for (let count = 2; count <= 200; count++)
    await postMessage(baseURL, direct.id, `message ${count}`, count % 3 === 2 ? ann : bob)
  await api(sendMessage, { body: { conversation_id: direct.id, content: 'the reply', reply_to_id: id } }, ann)
  const [page, bobPage] = [await browserOf(ann), await browserOf(bob)]
  const text = (content: string): Locator =>
    messagesOf(page)
      .locator('p')
      .filter({ hasText: new RegExp(`^${content}(Sent|Read)?$`) })
  const [highlights, bobHighlights] = [await recordHighlights(page), await recordHighlights(bobPage)]
  await page.goto(`/chat/${direct.id}`)
  await expect(text('the reply')).toBeInViewport()

  await messagesOf(page)
    .getByRole('button', { name: `Reply to ${bob.username}: message 1` })
    .click()
  await expect(text('message 1')).toBeInViewport()
  await expect.poll(highlights).toEqual([expect.stringMatching(/^message 1(Sent|Read)?\d\d:\d\d$/)])
  await expect(messagesOf(page).locator('[data-message]').first()).toBeFocused()
  await expect(messagesOf(page).locator('[data-highlighted="true"]')).toHaveCount(0)
  await expect(text('message 2')).toBeInViewport()
  await expect(text('the reply')).toHaveCount(0)

  // A message that arrives meanwhile does not move the list.
  await postMessage(baseURL, direct.id, 'meanwhile', bob)
  await expect(page.getByRole('button', { name: 'New messages' })).toBeVisible()
  await expect(text('message 2')).toBeInViewport()
  await page.getByRole('button', { name: 'New messages' }).click()
  await expect(text('meanwhile')).toBeInViewport()

  await messagesOf(page)
    .getByRole('button', { name: /Reply to .*: message 1$/ })
    .click()
  await expect(text('message 2')).toBeInViewport()
  await page.getByRole('button', { name: 'Back to the reply' }).click()
  await expect(text('the reply')).toBeInViewport()
  await expect.poll(async () => (await highlights()).at(-1)).toContain('the reply')

  // A tap right after the list has moved counts, too.
  const quote = messagesOf(page).getByRole('button', { name: /Reply to .*: message 1$/ })
  await page.mouse.click(...(await centerAfterScroll(quote, -5)))
  await expect(text('message 2')).toBeInViewport()

  // Scrolling down from the quoted message loads every message up to the newest one.
  const seen = new Set<string>()
  await expect(async () => {
    for (const content of await textsOf(page)) seen.add(content)
    await messagesOf(page).evaluate((list) => list.scrollBy(0, 500))
    expect(seen).toContain('meanwhile')
  }).toPass({ intervals: [50] })
  expect([...seen].filter((content) => /^message \d+$/.test(content))).toHaveLength(200)

  // The address of a found message opens it in the same way.
  await bobPage.goto(`/chat/${direct.id}?message=${id}`)
  await expect(messagesOf(bobPage).getByText('message 2', { exact: true })).toBeInViewport()
  await expect.poll(bobHighlights).toEqual([expect.stringMatching(/^message 1(Sent|Read)?\d\d:\d\d$/)])
  await expect(bobPage).toHaveURL(`/chat/${direct.id}`)
})

test('the quote of a reply that waits shows the text of a later edit', async ({
  api,
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
  const { id } = await postMessage(baseURL, direct.id, 'See you at 8', bob)
  const page = await browserOf(ann)
  await page.route('**/api/messages/send', (route) => route.abort())
  await page.goto(`/chat/${direct.id}`)
  const menu = await messageMenu(page, 'See you at 8')
  await menu.getByRole('menuitem', { name: 'Reply' }).click()
  await typeMessage(page, 'Fine')
  await expect(messagesOf(page).getByRole('img', { name: 'Waiting to be sent' })).toBeVisible()
  await api(editMessage, { params: { id }, body: { content: 'See you at 9' } }, bob)
  await page.reload()
  const quote = messagesOf(page).getByRole('button', { name: `Reply to ${bob.username}: See you at 9` })
  await expect(quote).toBeVisible()
  await expect(messagesOf(page).getByRole('img', { name: 'Waiting to be sent' })).toBeVisible()
})

test('replies written offline are sent once with their quotes after the page is reopened', async ({
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
  await postMessage(baseURL, direct.id, 'See you at 8', bob)
  const page = await browserOf(ann)
  await page.route('**/api/messages/send', (route) => route.abort())
  await page.goto(`/chat/${direct.id}`)
  const menu = await messageMenu(page, 'See you at 8')
  await menu.getByRole('menuitem', { name: 'Reply' }).click()
  await typeMessage(page, 'Fine')
  const quote = messagesOf(page).getByRole('button', { name: `Reply to ${bob.username}: See you at 8` })
  await expect(quote).toBeVisible()
  await expect(messagesOf(page).getByRole('img', { name: 'Waiting to be sent' })).toBeVisible()
  await page.unroute('**/api/messages/send')
  await page.reload()
  await expect(messagesOf(page).getByRole('img', { name: 'Sent' })).toBeVisible()
  await expect(quote).toBeVisible()
  await expect.poll(() => textsOf(page)).toEqual(['See you at 8', 'Fine'])
})

test('quotes and messages of someone whom the viewer has blocked are folded in a group', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, eve] = [await person('ann'), await person('bob'), await person('eve')]
  await friends(ann, bob)
  await friends(ann, eve)
  const group = await makeGroup(baseURL, 'Choir', [bob, eve], ann)
  const { id } = await postMessage(baseURL, group.id, 'Rude words', eve)
  await api(sendMessage, { body: { conversation_id: group.id, content: 'Stop it', reply_to_id: id } }, bob)
  await api(blockUser, { params: { username: eve.username } }, ann)
  const page = await browserOf(ann)
  await page.goto(`/chat/${group.id}`)
  await expect(messagesOf(page).getByText('Stop it')).toBeVisible()
  await expect(messagesOf(page).getByText('1 message from someone you blocked')).toBeVisible()
  await expect(messagesOf(page).getByText('Rude words')).toHaveCount(0)
  await expect(messagesOf(page).getByText(eve.username)).toHaveCount(0)
  await messagesOf(page).getByRole('button', { name: 'A message from someone you blocked' }).click()
  await expect(messagesOf(page).getByRole('button', { name: `Reply to ${eve.username}: Rude words` })).toBeVisible()
})

test('a group shows no messages as long as it is unknown whom the viewer has blocked', async ({
  api,
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of 500/)
  const [ann, bob, eve] = [await person('ann'), await person('bob'), await person('eve')]
  await friends(ann, bob)
  await friends(ann, eve)
  const group = await makeGroup(baseURL, 'Choir', [bob, eve], ann)
  await postMessage(baseURL, group.id, 'Rude words', eve)
  await api(blockUser, { params: { username: eve.username } }, ann)
  const page = await browserOf(ann, { viewport: { width: 1280, height: 800 } })
  await page.route('**/api/friends/blocked', (route) => route.fulfill({ status: 500, json: { detail: 'Failed' } }))
  await page.goto(`/chat/${group.id}`)
  const failure = page.getByRole('alert').filter({ hasText: 'Failed to load messages' })
  await expect(failure).toBeVisible()
  await expect(page.getByText('Rude words')).toHaveCount(0)
  await page.unroute('**/api/friends/blocked')
  await failure.getByRole('button', { name: 'Retry' }).click()
  await expect(messagesOf(page).getByText('1 message from someone you blocked')).toBeVisible()
  await expect(page.getByText('A message from someone you blocked')).toBeVisible()
  await expect(page.getByText('Rude words')).toHaveCount(0)
})

test('a reply bar and a quote are accessible at 320 pixels, with text from right to left', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const direct = await makeDirect(baseURL, bob, ann)
  const { id } = await postMessage(baseURL, direct.id, `${'שלום '.repeat(30)}`, bob)
  for (const as of [ann, bob])
    await api(sendMessage, { body: { conversation_id: direct.id, content: 'مرحبا', reply_to_id: id } }, as)
  const page = await browserOf(ann, { viewport: { width: 320, height: 640 } })
  await page.goto(`/chat/${direct.id}`)
  await messageMenu(page, 'مرحبا')
  await page.getByRole('menuitem', { name: 'Reply' }).click()
  await expect(page.getByRole('group', { name: /Replying to/ })).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})

/** Scrolls the list of messages and returns where the center of the element is then, as x and y. */
function centerAfterScroll(element: Locator, byPx: number): Promise<[number, number]> {
  return element.evaluate((one, top) => {
    one.closest('section')?.scrollBy({ top })
    const { x, y, width, height } = one.getBoundingClientRect()
    return [x + width / 2, y + height / 2]
  }, byPx)
}
