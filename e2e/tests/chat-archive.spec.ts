import { archiveConversation, listConversationSummaries, pinConversation } from '@hither/contract/messages/messages.ts'
import { muteConversation } from '@hither/contract/notifications.ts'
import type { Page } from '@playwright/test'
import { chooseOfRow, conversationsOf, makeGroup, messagesOf, postMessage } from '../conversations.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'

const chatTab = (page: Page) => page.getByRole('navigation').getByRole('link', { name: /^Chat/ })
const archivedOf = (page: Page) => page.getByRole('list', { name: 'Archived chats' }).getByRole('listitem')

test('pinned chats come first on every device of the user, and other members see no difference', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  const cat = await person('cat')
  await friends(ann, bob)
  await friends(ann, cat)
  for (const name of ['Alpha', 'Beta', 'Gamma']) {
    const { id } = await makeGroup(baseURL, name, [bob, cat], ann)
    await postMessage(baseURL, id, 'Hello', ann)
  }
  const [page, second, bobPage] = [await browserOf(ann), await browserOf(ann), await browserOf(bob)]
  for (const each of [page, second, bobPage]) {
    await each.goto('/chat')
    await expect(conversationsOf(each)).toContainText(['Gamma', 'Beta', 'Alpha'])
  }

  await chooseOfRow(page, 'Alpha', 'Pin chat')
  for (const each of [page, second]) {
    await expect(conversationsOf(each)).toContainText(['Alpha', 'Gamma', 'Beta'])
    await expect(conversationsOf(each).first().getByRole('img', { name: 'Pinned' })).toBeVisible()
  }
  await expect(conversationsOf(bobPage)).toContainText(['Gamma', 'Beta', 'Alpha'])
  await page.reload()
  await expect(conversationsOf(page)).toContainText(['Alpha', 'Gamma', 'Beta'])

  // A right click opens the same menu.
  await page.getByRole('link', { name: /Alpha/ }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Unpin chat' }).click()
  for (const each of [page, second]) await expect(conversationsOf(each)).toContainText(['Gamma', 'Beta', 'Alpha'])
})

test('pinning a sixth chat is reverted and the reason is shown', async ({
  api,
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of 409/)
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) {
    const { id } = await makeGroup(baseURL, name, [bob, cat], ann)
    if (name !== 'Six') await api(pinConversation, { params: { id } }, ann)
  }
  const page = await browserOf(ann)
  await page.goto('/chat')
  await expect(conversationsOf(page)).toHaveCount(6)
  await expect(conversationsOf(page).last()).toContainText('Six')
  await chooseOfRow(page, 'Six', 'Pin chat')
  await expect(page.getByText('You can pin up to 5 chats. Unpin one first.')).toBeVisible()
  await expect(conversationsOf(page).last()).toContainText('Six')
  await expect(conversationsOf(page).last().getByRole('img', { name: 'Pinned' })).toBeHidden()
})

test('an archived chat leaves the list and the badge until its next message, and Undo restores it', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
  const lunch = await makeGroup(baseURL, 'Lunch', [bob, cat], ann)
  await makeGroup(baseURL, 'Trip', [bob, cat], ann)
  await postMessage(baseURL, lunch.id, 'Are you coming?', bob)
  const [page, second] = [await browserOf(ann), await browserOf(ann)]
  for (const each of [page, second]) {
    await each.goto('/chat')
    await expect(chatTab(each)).toHaveAccessibleName(/1/)
  }
  await chooseOfRow(page, 'Lunch', 'Archive chat')
  await expect(page.getByText('Chat archived')).toBeVisible()
  // The notice stays while the pointer is on it.
  await page.getByText('Chat archived').hover()
  for (const each of [page, second]) {
    await expect(conversationsOf(each)).toContainText(['Trip', 'Archived (1)'])
    await expect(chatTab(each)).toHaveAccessibleName('Chat')
  }
  await page.getByRole('button', { name: 'Undo' }).click()
  for (const each of [page, second]) {
    await expect(conversationsOf(each)).toContainText(['Lunch', 'Trip'])
    await expect(conversationsOf(each)).toHaveCount(2)
    await expect(chatTab(each)).toHaveAccessibleName(/1/)
  }

  await chooseOfRow(page, 'Lunch', 'Archive chat')
  await page.getByRole('link', { name: 'Archived (1)' }).click()
  await expect(page).toHaveURL('/chat/archived')
  await expect(page.getByRole('heading', { name: 'Archived' })).toBeVisible()
  await archivedOf(page).getByRole('link', { name: /Lunch/ }).click()
  await expect(messagesOf(page).getByText('Are you coming?')).toBeVisible()
  await page.getByRole('button', { name: 'Back to messages' }).click()
  await expect(page).toHaveURL('/chat/archived')

  await postMessage(baseURL, lunch.id, 'We start at 8', bob)
  await expect(page.getByText('No archived chats')).toBeVisible()
  await expect(conversationsOf(second)).toContainText(['Lunch', 'Trip'])
  await expect(conversationsOf(second)).toHaveCount(2)
  await page.getByRole('button', { name: 'Back to messages' }).click()
  await expect(conversationsOf(page)).toContainText(['Lunch', 'Trip'])
})

test('a muted archived chat stays archived, and pinning unarchives it', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
  const { id } = await makeGroup(baseURL, 'Lunch', [bob, cat], ann)
  await api(muteConversation, { params: { conversationId: id }, body: { muted_until: null } }, ann)
  await api(archiveConversation, { params: { id } }, ann)
  const page = await browserOf(ann)
  await page.goto('/chat/archived')
  await expect(archivedOf(page)).toContainText(['Lunch'])
  await postMessage(baseURL, id, 'This is muted', bob)
  await expect(archivedOf(page)).toContainText(['This is muted'])
  await chooseOfRow(page, 'Lunch', 'Pin chat')
  await expect(page.getByText('No archived chats')).toBeVisible()
  await page.getByRole('button', { name: 'Back to messages' }).click()
  await expect(conversationsOf(page).first().getByRole('img', { name: 'Pinned' })).toBeVisible()
  const stored = async () => (await api(listConversationSummaries, {}, ann))[0]
  await expect.poll(stored).toMatchObject({ archived_at: null, pinned_at: expect.any(String) })
})

test('a swipe to the left archives a chat, and a long press opens its menu', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
  await makeGroup(baseURL, 'Lunch', [bob, cat], ann)
  const page = await browserOf(ann, { hasTouch: true })
  await page.goto('/chat')
  await expect(conversationsOf(page)).toHaveCount(1)
  await touchRow(page, 'Lunch', [-20, -40])
  await expect(conversationsOf(page)).toContainText(['Lunch'])
  await expect(page).toHaveURL('/chat')

  await touchRow(page, 'Lunch', [], async () => {
    await expect(page.getByRole('menuitem', { name: 'Mute' })).toBeVisible()
  })
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(page).toHaveURL('/chat')

  await touchRow(page, 'Lunch', [-20, -60, -120])
  await expect(page.getByText('Chat archived')).toBeVisible()
  await expect(conversationsOf(page)).toContainText(['Archived (1)'])
  await expect(page).toHaveURL('/chat')
})

test('a change of the list that does not reach the server is reverted', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/ERR_FAILED/)
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
  await makeGroup(baseURL, 'Lunch', [bob, cat], ann)
  const page = await browserOf(ann)
  await page.goto('/chat')
  await page.route('**/archive', (route) => route.abort())
  await chooseOfRow(page, 'Lunch', 'Archive chat')
  await expect(page.getByText(/^Hither cannot be reached/)).toBeVisible()
  await expect(conversationsOf(page)).toContainText(['Lunch'])
})

for (const { label, width, height } of [
  { label: '320 px', width: 320, height: 640 },
  { label: '1280 px', width: 1280, height: 800 },
]) {
  test(`pinned and archived chats are accessible and reachable by keyboard at ${label}`, async ({
    api,
    baseURL,
    browserOf,
    friends,
    person,
  }) => {
    const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
    await friends(ann, bob)
    await friends(ann, cat)
    const lunch = await makeGroup(baseURL, 'Lunch', [bob, cat], ann)
    const trip = await makeGroup(baseURL, 'الرحلة إلى البحر', [bob, cat], ann)
    await api(pinConversation, { params: { id: lunch.id } }, ann)
    await api(archiveConversation, { params: { id: trip.id } }, ann)
    const page = await browserOf(ann, { viewport: { width, height } })
    await page.goto('/chat')
    const options = page.getByRole('button', { name: 'More options for Lunch' })
    await options.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Unpin chat' })).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(options).toBeFocused()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Archived (1)' }).press('Enter')
    await expect(archivedOf(page)).toHaveCount(1)
    await expectAccessible(page)
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return { scrollWidth, clientWidth }
    })
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  })
}

/**
 * Touches the row of a conversation and moves the finger by these distances. `held` runs while the finger does not move; without
 * it the finger is lifted at once.
 */
async function touchRow(page: Page, name: string, steps: readonly number[], held?: () => Promise<void>) {
  const row = page.getByRole('link', { name: new RegExp(name) })
  // A menu that is closing still covers the row.
  await row.click({ trial: true })
  const box = await row.boundingBox()
  if (box === null) throw new Error('The row is not visible')
  const [x, y] = [box.x + box.width * 0.7, box.y + box.height / 2]
  const cdp = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', dx = 0) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: x + dx, y }] })
  await touch('touchStart')
  for (const dx of steps) await touch('touchMove', dx)
  await held?.()
  await touch('touchEnd')
  await cdp.detach()
}
