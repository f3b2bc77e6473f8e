import { deleteMessage, sendMessage } from '@hither/contract/messages/messages.ts'
import type { Page } from '@playwright/test'
import { makeDirect, makeGroup, messagesOf, postMessage } from '../conversations.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'

const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'Search messages' })
const foundOf = (page: Page) => page.getByRole('list', { name: 'Found messages' }).getByRole('listitem')

test('a message is found by the beginnings of its words in any order and opens in its conversation', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, eve] = [await person('ann'), await person('bob'), await person('eve')]
  await friends(ann, bob)
  await friends(ann, eve)
  await friends(bob, eve)
  const { id } = await makeDirect(baseURL, bob, ann)
  await postMessage(baseURL, id, 'The Concert starts at eight, in the old hall', bob)
  for (let number = 1; number <= 60; number++) await postMessage(baseURL, id, `Message ${number}`, ann)
  const place = { latitude: 40.7, longitude: -74, name: 'Concert Hall' }
  await api(sendMessage, { body: { conversation_id: id, place } }, ann)
  const others = await makeDirect(baseURL, eve, bob)
  await postMessage(baseURL, others.id, 'A secret concert in the hall', eve)

  const page = await browserOf(ann)
  await page.goto('/chat')
  await fieldOf(page).fill('hall CONC')
  await expect(foundOf(page)).toHaveCount(2)
  await expect(foundOf(page).first()).toContainText('📍 Concert Hall')
  await expect(foundOf(page).first()).toContainText('You')
  const older = foundOf(page).last()
  await expect(older).toContainText(bob.username)
  await expect(older.locator('b')).toHaveText(['Conc', 'hall'])
  await expect(page.getByText('A secret concert')).toBeHidden()

  await older.getByRole('link').click()
  await expect(messagesOf(page).getByText('The Concert starts at eight')).toBeInViewport()
  await page.getByRole('button', { name: 'Back to messages' }).click()
  await expect(fieldOf(page)).toHaveValue('hall CONC')
  await expect(foundOf(page)).toHaveCount(2)
})

test('the search starts with the second character and sends one request for a word', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const { id } = await makeDirect(baseURL, bob, ann)
  await postMessage(baseURL, id, 'Concert', bob)
  const page = await browserOf(ann)
  const queries: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/messages/search') queries.push(request.postDataJSON().q)
  })
  await page.goto('/chat')
  await fieldOf(page).pressSequentially('c')
  await expect(page.getByRole('list', { name: 'Conversations' })).toBeVisible()
  await fieldOf(page).pressSequentially('oncert')
  await expect(foundOf(page)).toHaveCount(1)
  await expect(page.getByRole('list', { name: 'Conversations' })).toBeHidden()
  await expect.poll(() => queries.at(-1)).toBe('concert')
  expect(queries).not.toContain('c')
  await fieldOf(page).press('Escape')
  await expect(page.getByRole('list', { name: 'Conversations' })).toBeVisible()
  await expect(fieldOf(page)).toBeFocused()
})

test('an empty result, a failure and a missing connection show different texts', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of 5\d\d|status of 422|ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const { id } = await makeDirect(baseURL, bob, ann)
  await postMessage(baseURL, id, 'Concert', bob)
  const page = await browserOf(ann)
  await page.goto('/chat')
  await fieldOf(page).fill('nothing')
  await expect(page.getByText('No messages found').last()).toBeVisible()
  await fieldOf(page).fill('👍👍')
  await expect(page.getByText('Please enter 2 to 100 characters with at least one letter or number.')).toBeVisible()

  await page.route('**/messages/search', (route) => route.fulfill({ status: 500, json: { detail: 'Broken' } }))
  await fieldOf(page).fill('conc')
  await expect(page.getByText('Search failed. Try again.')).toBeVisible()
  await page.unroute('**/messages/search')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(foundOf(page)).toHaveCount(1)

  await page.context().setOffline(true)
  await fieldOf(page).fill('concert')
  await expect(page.getByText('Connect to the internet to search messages.')).toBeVisible()
  await page.context().setOffline(false)
  await expect(foundOf(page)).toHaveCount(1)
})

test('a search in a chat finds only its messages, page by page, and a deleted message leaves the results', async ({
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
  const direct = await makeDirect(baseURL, bob, ann)
  await postMessage(baseURL, direct.id, 'Soup for two', bob)
  const first = await postMessage(baseURL, id, 'Soup 1', bob)
  for (let number = 2; number <= 25; number++) await postMessage(baseURL, id, `Soup ${number}`, bob)
  const page = await browserOf(ann)
  await page.goto(`/chat/${id}`)
  await page.getByRole('button', { name: 'More options', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Search in chat' }).click()
  const dialog = page.getByRole('dialog', { name: 'Search in chat' })
  await dialog.getByRole('textbox').fill('soup')
  await expect(foundOf(page)).toHaveCount(20)
  await postMessage(baseURL, id, 'Soup 26', cat)
  await dialog.getByRole('button', { name: 'Show more' }).click()
  await expect(foundOf(page).last()).toContainText('Soup 1')
  await expect(dialog.getByRole('button', { name: 'Show more' })).toBeHidden()
  await expect(dialog.getByText('for two')).toBeHidden()
  await api(deleteMessage, { params: { id: first.id } }, bob)
  await expect(foundOf(page).last()).toContainText('Soup 2')

  await foundOf(page).last().getByRole('link').click()
  await expect(dialog).toBeHidden()
  await expect(messagesOf(page).getByText('Soup 2', { exact: true })).toBeInViewport()
})

for (const { label, width, height } of [
  { label: '320 px', width: 320, height: 640 },
  { label: '1280 px', width: 1280, height: 800 },
]) {
  test(`the search is accessible and usable by keyboard at ${label}`, async ({
    baseURL,
    browserOf,
    friends,
    person,
  }) => {
    const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
    await friends(ann, bob)
    await friends(ann, cat)
    const { id } = await makeGroup(baseURL, 'Lunch', [bob, cat], ann)
    await postMessage(baseURL, id, 'مرحبا concert بكم', bob)
    await postMessage(baseURL, id, `${'A long text before it comes. '.repeat(20)} Concerts!`, ann)
    const page = await browserOf(ann, { viewport: { width, height } })
    await page.goto('/chat')
    await fieldOf(page).fill('concert')
    await expect(foundOf(page)).toHaveCount(2)
    await expect(foundOf(page).first().locator('b')).toBeInViewport()
    await expectAccessible(page)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Clear the search' })).toBeFocused()
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return { scrollWidth, clientWidth }
    })
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
    await foundOf(page).last().getByRole('link').press('Enter')
    await expect(messagesOf(page).getByText('مرحبا concert بكم')).toBeInViewport()
    await page.getByRole('button', { name: 'More options', exact: true }).press('Enter')
    await page.getByRole('menuitem', { name: 'Search in chat' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Search in chat' })
    await expect(dialog.getByRole('textbox')).toBeFocused()
    await dialog.getByRole('textbox').fill('concert')
    await expect(foundOf(page)).toHaveCount(2)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })
}

test('messages found in a group disappear when their sender is blocked', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, eve] = [await person('ann'), await person('bob'), await person('eve')]
  for (const other of [bob, eve]) await friends(ann, other)
  const group = await makeGroup(baseURL, 'Choir', [bob, eve], ann)
  await postMessage(baseURL, group.id, 'Rude words', eve)
  const page = await browserOf(ann)
  await page.goto('/chat')
  await fieldOf(page).fill('rude')
  await expect(foundOf(page)).toHaveCount(1)

  await page.getByRole('link', { name: /^Friends/ }).click()
  await page.getByRole('button', { name: `More about ${eve.username}` }).click()
  await page.getByRole('menuitem', { name: 'Block' }).click()
  const question = page.getByRole('alertdialog', { name: `Block ${eve.username}?` })
  await question.getByRole('button', { name: 'Block' }).click()
  await expect(page.getByText(`${eve.username} is blocked`)).toBeVisible()
  // From now on, searches get no response, so cached results would stay visible.
  await page.route('**/api/messages/search', () => undefined)
  const isRepeated = page.waitForRequest('**/api/messages/search')
  await page.getByRole('link', { name: /^Chat/ }).click()
  await fieldOf(page).fill('rude')
  await isRepeated
  await expect(foundOf(page)).toHaveCount(0)
})
