import { blockUser, listFriends, removeFriend } from '@hither/contract/friends.ts'
import { leaveConversation } from '@hither/contract/messages/messages.ts'
import { setReaction } from '@hither/contract/messages/reactions.ts'
import { makeDirect, makeGroup, messageMenu, messagesOf, postMessage } from '../conversations.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { textsIn } from '../texts.ts'
import { longPress } from '../touch.ts'

test('a reaction is added, changed and removed: both see each step, and unread counts and the order of the list stay', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
  const direct = await makeDirect(baseURL, bob, ann)
  await postMessage(baseURL, direct.id, 'See you at 8', ann)
  await postMessage(baseURL, (await makeDirect(baseURL, cat, ann)).id, 'Later', ann)
  const wide = { viewport: { width: 1280, height: 800 } }
  const [annPage, bobPage] = [await browserOf(ann, wide), await browserOf(bob)]
  for (const page of [annPage, bobPage]) await page.goto(`/chat/${direct.id}`)
  await expect(annPage.getByRole('listitem').first()).toContainText(cat.username)

  const menu = await messageMenu(bobPage, 'See you at 8')
  await menu.getByRole('button', { name: 'thumbs up' }).click()
  await expect(menu).toBeHidden()
  await expect(messagesOf(bobPage).getByRole('button', { name: 'You reacted with thumbs up' })).toBeVisible()
  const seen = messagesOf(annPage).getByRole('button', { name: /reacted with/ })
  await expect(seen).toHaveAccessibleName(`${bob.username} reacted with thumbs up`)
  await expect(messagesOf(annPage).getByRole('img', { name: 'Read' })).toBeAttached()

  await messageMenu(bobPage, 'See you at 8')
  await menu.getByRole('button', { name: 'More emoji' }).click()
  const picker = bobPage.getByRole('dialog', { name: 'Choose an emoji' })
  await picker.getByRole('searchbox', { name: 'Search emoji' }).fill('nothing like this')
  await expect(picker.getByText('No emoji found')).toBeVisible()
  await picker.getByRole('searchbox').fill('party')
  await picker.getByRole('button', { name: 'party popper' }).click()
  await expect(seen).toHaveAccessibleName(`${bob.username} reacted with 🎉`)
  await expect(seen).toHaveCount(1)

  const annMenu = await messageMenu(annPage, 'See you at 8')
  await annMenu.getByRole('button', { name: 'red heart' }).click()
  await expect(seen).toHaveCount(2)
  await messagesOf(annPage).getByRole('button', { name: 'You reacted with red heart' }).click()
  const sheet = annPage.getByRole('dialog', { name: 'Reactions' })
  await expect(sheet.getByRole('listitem')).toHaveText([new RegExp(`${bob.username}.*🎉`), /You.*Tap to remove.*❤️/])
  await annPage.keyboard.press('Escape')
  await expect(sheet).toBeHidden()

  // The same emoji again, and the row of the sheet, remove the reaction.
  await messageMenu(annPage, 'See you at 8')
  await annMenu.getByRole('button', { name: 'red heart', pressed: true }).click()
  await expect(messagesOf(bobPage).getByRole('button', { name: /reacted with/ })).toHaveCount(1)
  await messagesOf(bobPage).getByRole('button', { name: 'You reacted with 🎉' }).click()
  await bobPage.getByRole('dialog', { name: 'Reactions' }).getByText('Tap to remove').click()
  await expect(seen).toHaveCount(0)
  await expect(annPage.getByRole('link', { name: 'Chat', exact: true })).toBeVisible()
  await expect(annPage.getByRole('listitem').first()).toContainText(cat.username)
  await annPage.reload()
  await expect(messagesOf(annPage).getByText('See you at 8')).toBeVisible()
  await expect(seen).toHaveCount(0)
})

test('a long press opens the menu on a touch screen, and a tap does not', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const direct = await makeDirect(baseURL, bob, ann)
  await postMessage(baseURL, direct.id, 'See you at 8', bob)
  const page = await browserOf(ann, { hasTouch: true, isMobile: true })
  await page.goto(`/chat/${direct.id}`)
  const bubble = messagesOf(page).getByText('See you at 8')
  const menu = page.getByRole('dialog', { name: 'Message options' })
  await bubble.tap()
  await expect(messagesOf(page).locator('time')).toBeVisible()
  await expect(menu).toBeHidden()
  await longPress(bubble, () => expect(menu).toBeVisible())
  // Lifting the finger does not close it.
  await menu.getByRole('button', { name: 'folded hands' }).tap()
  await expect(messagesOf(page).getByRole('button', { name: 'You reacted with folded hands' })).toBeVisible()
})

test('every action of a message works with the keyboard, and the focus returns', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const direct = await makeDirect(baseURL, bob, ann)
  await postMessage(baseURL, direct.id, 'See you at 8', ann)
  const page = await browserOf(ann, { viewport: { width: 1280, height: 800 } })
  await page.goto(`/chat/${direct.id}`)
  const options = messagesOf(page).getByRole('button', { name: 'Message options' })
  await options.focus()
  await page.keyboard.press('Enter')
  const menu = page.getByRole('dialog', { name: 'Message options' })
  await expect(menu.getByRole('button', { name: 'thumbs up' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(menu.getByRole('button', { name: 'red heart' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(options).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(menu.getByRole('button', { name: 'thumbs up' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const chip = messagesOf(page).getByRole('button', { name: 'You reacted with red heart' })
  await expect(chip).toBeVisible()

  await options.focus()
  await page.keyboard.press('Enter')
  await menu.getByRole('button', { name: 'More emoji' }).focus()
  await page.keyboard.press('Enter')
  const picker = page.getByRole('dialog', { name: 'Choose an emoji' })
  await expect(picker).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(options).toBeFocused()
  await page.keyboard.press('Enter')
  await menu.getByRole('button', { name: 'More emoji' }).focus()
  await page.keyboard.press('Enter')
  const first = picker.getByRole('button', { name: 'grinning face', exact: true })
  await first.focus()
  await page.keyboard.press('ArrowRight')
  await expect(picker.getByRole('button', { name: 'grinning face with big eyes' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowLeft')
  await expect(first).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(messagesOf(page).getByRole('button', { name: 'You reacted with 😀' })).toBeVisible()

  // The next emoji of a right-to-left language is on the left.
  const ar = textsIn('ar')
  const arabic = await browserOf(ann, { locale: 'ar-EG', viewport: { width: 1280, height: 800 } })
  await arabic.goto(`/chat/${direct.id}`)
  await arabic.getByRole('button', { name: ar('chat.message.options'), exact: true }).focus()
  await arabic.keyboard.press('Enter')
  const emoji = arabic.getByRole('group', { name: ar('chat.reaction.quick') }).getByRole('button')
  await expect(emoji.first()).toBeFocused()
  await arabic.keyboard.press('ArrowLeft')
  await expect(emoji.nth(1)).toBeFocused()
})

test('of the reactions chosen offline only the last one is sent, once, also after the page is reopened', async ({
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
  const [page, bobPage] = [await browserOf(ann), await browserOf(bob)]
  await bobPage.goto(`/chat/${direct.id}`)
  await page.route('**/api/messages/messages/**', (route) => route.abort())
  await page.goto(`/chat/${direct.id}`)
  for (const name of ['thumbs up', 'red heart']) {
    const menu = await messageMenu(page, 'See you at 8')
    await menu.getByRole('button', { name }).click()
    await expect(menu).toBeHidden()
  }
  await expect(messagesOf(page).getByRole('button', { name: 'You reacted with red heart' })).toBeVisible()
  await expect(messagesOf(page).getByRole('button', { name: /thumbs up/ })).toHaveCount(0)
  await expect(messagesOf(bobPage).getByRole('button', { name: /reacted with/ })).toHaveCount(0)

  // The page must not send it by itself before it is left.
  const address = page.url()
  await page.goto('about:blank')
  await page.unroute('**/api/messages/messages/**')
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (/\/reaction$/.test(request.url())) sent.push([request.method(), request.postDataJSON()])
  })
  await page.goto(address)
  await expect(
    messagesOf(bobPage).getByRole('button', { name: `${ann.username} reacted with red heart` }),
  ).toBeVisible()
  await expect(messagesOf(page).getByRole('button', { name: 'You reacted with red heart' })).toBeVisible()
  expect(sent).toEqual([['PUT', { emoji: '❤️' }]])
})

test('reactions of someone whom the viewer has blocked are not drawn in a group', async ({
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
  const { id } = await postMessage(baseURL, group.id, 'See you at 8', bob)
  await api(setReaction, { params: { id }, body: { emoji: '👍' } }, eve)
  await api(setReaction, { params: { id }, body: { emoji: '❤️' } }, eve)
  await api(setReaction, { params: { id }, body: { emoji: '👍' } }, bob)
  await api(blockUser, { params: { username: eve.username } }, ann)
  const page = await browserOf(ann)
  await page.goto(`/chat/${group.id}`)
  const drawn = messagesOf(page).getByRole('button', { name: /reacted with/ })
  await expect(drawn).toHaveAccessibleName(`${bob.username} reacted with thumbs up`)
  await drawn.click()
  await expect(page.getByRole('dialog', { name: 'Reactions' }).getByRole('listitem')).toHaveCount(1)
})

test('a person who has left the group is named in the list of reactions, and is a former member until then', async ({
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
  const { id } = await postMessage(baseURL, group.id, 'See you at 8', bob)
  await api(setReaction, { params: { id }, body: { emoji: '👍' } }, eve)
  await api(leaveConversation, { params: { id: group.id } }, eve)
  const page = await browserOf(ann)
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/messages/messages/*/reactions', async (route) => {
    await mayAnswer
    await route.continue()
  })
  await page.goto(`/chat/${group.id}`)
  await messagesOf(page).getByRole('button', { name: 'A former member reacted with thumbs up' }).click()
  const rows = page.getByRole('dialog', { name: 'Reactions' }).getByRole('listitem')
  await expect(rows).toContainText(['A former member'])
  answer()
  await expect(rows).toContainText([eve.username])
})

test('after the friendship has ended only the own reaction can be removed', async ({
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
  await api(setReaction, { params: { id }, body: { emoji: '👍' } }, ann)
  const [friend] = await api(listFriends, {}, bob)
  if (friend !== undefined) await api(removeFriend, { params: { id: friend.id } }, bob)
  const page = await browserOf(ann)
  await page.goto(`/chat/${direct.id}`)
  await expect(page.getByText('You can only message friends')).toBeVisible()
  const menu = await messageMenu(page, 'See you at 8')
  await expect(menu.getByRole('menuitem', { name: 'Reply' })).toBeHidden()
  await expect(menu.getByRole('group', { name: 'React with' }).getByRole('button')).toHaveCount(1)
  await menu.getByRole('button', { name: 'thumbs up', pressed: true }).click()
  await expect(messagesOf(page).getByRole('button', { name: /reacted with/ })).toHaveCount(0)
  await page.reload()
  // The menu shows the message as it was when the menu was opened, so the stored messages must have been replaced.
  await expect(page.getByText('You can only message friends')).toBeVisible()
  await expect(messagesOf(page).getByText('See you at 8')).toBeVisible()
  await expect(messagesOf(page).getByRole('button', { name: /reacted with/ })).toHaveCount(0)
  await messageMenu(page, 'See you at 8')
  await expect(menu.getByRole('group', { name: 'React with' })).toHaveCount(0)
})

for (const width of [320, 1280]) {
  test(`the menu, the picker and the list of reactions are accessible at ${width} pixels`, async ({
    api,
    baseURL,
    browserOf,
    friends,
    person,
  }) => {
    const [ann, bob] = [await person('ann'), await person('bob')]
    await friends(ann, bob)
    const direct = await makeDirect(baseURL, bob, ann)
    const { id } = await postMessage(baseURL, direct.id, 'שלום, see you at 8', bob)
    for (const [emoji, as] of [
      ['🎉', ann],
      ['👍', bob],
    ] as const)
      await api(setReaction, { params: { id }, body: { emoji } }, as)
    const page = await browserOf(ann, { viewport: { width, height: 800 } })
    await page.goto(`/chat/${direct.id}`)
    await expect(messagesOf(page).getByRole('button', { name: /reacted with/ })).toHaveCount(2)
    await expectAccessible(page)
    const menu = await messageMenu(page, 'see you at 8')
    await expectAccessible(page)
    await menu.getByRole('button', { name: 'More emoji' }).click()
    await expect(page.getByRole('dialog', { name: 'Choose an emoji' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await messagesOf(page)
      .getByRole('button', { name: /reacted with/ })
      .first()
      .click()
    await expect(page.getByRole('dialog', { name: 'Reactions' })).toBeVisible()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  })
}
