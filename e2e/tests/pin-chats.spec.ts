import { keepConversation, leaveConversation } from '@hither/contract/messages/messages.ts'
import type { Page } from '@playwright/test'
import { conversationsOf, messagesOf, postMessage, typeMessage } from '../conversations.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { withoutLiveChannel } from '../live-frames.ts'
import { call, type Person } from '../people.ts'
import { makePinChat, setChatDate } from '../pin-chats.ts'

const locale = 'en-US'
const timeZone = 'America/New_York'
const name = 'Coffee at Nero Chat'
const hint = 'It stays if one more member asks.'
const stays = 'This chat stays. You can delete your own messages or leave.'
const headerOf = (page: Page) => page.getByRole('button', { name: new RegExp(`^${name}`) })
const sheetOf = (page: Page) => page.getByRole('dialog', { name: /^Until / })
const keepOf = (page: Page) => sheetOf(page).getByRole('button', { name: 'Keep this chat' })
const questionOf = (page: Page) => page.getByRole('alertdialog', { name: 'Keep this chat for all 3 members?' })

let folder: string
let ann: Person
let bob: Person
let cat: Person

test.beforeEach(async ({ person, friends }) => {
  folder = process.env['E2E_DATA_DIR'] ?? ''
  ;[ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
})

/** Opens the chat of a pin of ann as these people. */
async function openAs(
  browserOf: (person: Person, options: object) => Promise<Page>,
  chat: { id: string },
  ...people: Person[]
): Promise<Page[]> {
  const pages = []
  for (const person of people) {
    const page = await browserOf(person, { locale })
    await page.goto(`/chat/${chat.id}`)
    await expect(headerOf(page)).toBeVisible()
    pages.push(page)
  }
  return pages
}

function inZone(at: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale, { timeZone, ...options }).format(new Date(at))
}

test('the header has the date of the chat, and its sheet asks to keep it by keyboard, at 320 px', async ({
  baseURL,
  browserOf,
}) => {
  const chat = await makePinChat(baseURL ?? '', ann, [bob, cat])
  const [page] = (await openAs(browserOf, chat, bob)) as [Page]
  const eraseAt = chat.erase_at ?? ''
  const day = inZone(eraseAt, { month: 'short', day: 'numeric' })
  await expect(headerOf(page)).toHaveAccessibleName(`${name} 3 members · until ${day}`)
  await page.setViewportSize({ width: 320, height: 640 })
  await expect(headerOf(page).getByText(`3 members · until ${day}`)).toBeInViewport({ ratio: 1 })
  await expectAccessible(page)

  await headerOf(page).focus()
  await page.keyboard.press('Enter')
  const [longDay, time] = [inZone(eraseAt, { month: 'long', day: 'numeric' }), inZone(eraseAt, { timeStyle: 'short' })]
  await expect(page.getByRole('dialog', { name: `Until ${longDay}, ${time}` })).toBeVisible()
  await expect(
    sheetOf(page).getByText(
      '7 days after the pin ends, this chat is deleted for everyone, with all messages, photos and places.',
    ),
  ).toBeVisible()
  await expect(sheetOf(page).getByText(hint)).toBeVisible()
  await expectAccessible(page)
  await keepOf(page).focus()
  await page.keyboard.press('Enter')
  await expect(sheetOf(page).getByText(`You asked to keep this chat. ${hint}`)).toBeVisible()
  await expect(sheetOf(page).getByRole('button', { name: 'Take back' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(keepOf(page)).toBeFocused()
  await expect(sheetOf(page).getByText(hint, { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheetOf(page)).toBeHidden()
  await expect(headerOf(page)).toBeFocused()
  // The members are listed by their own button.
  await page.getByRole('button', { name: 'Participants' }).click()
  await expect(page.getByRole('dialog').getByText(cat.username)).toBeVisible()
})

test('two members keep a chat, which everyone sees at once, and every other member reads it once', async ({
  baseURL,
  browserOf,
}) => {
  const chat = await makePinChat(baseURL ?? '', ann, [bob, cat])
  const [bobs, cats] = (await openAs(browserOf, chat, bob, cat)) as [Page, Page]
  for (const page of [bobs, cats]) await headerOf(page).click()
  await expect(sheetOf(cats).getByText(hint)).toBeVisible()

  await keepOf(bobs).click()
  const asked = 'Someone asked to keep this chat. If you ask too, it stays for everyone.'
  await expect(sheetOf(cats).getByText(asked)).toBeVisible()
  // Nobody sees who has asked.
  await expect(sheetOf(cats).getByText(bob.username)).toHaveCount(0)
  await expect(sheetOf(cats).getByText(hint, { exact: true })).toBeHidden()
  await sheetOf(bobs).getByRole('button', { name: 'Take back' }).click()
  await expect(sheetOf(cats).getByText(asked)).toBeHidden()
  await keepOf(bobs).click()
  await expect(sheetOf(cats).getByText(asked)).toBeVisible()
  await expectAccessible(cats)

  await keepOf(cats).click()
  await expect(questionOf(cats).getByText("It won't be deleted by itself anymore.")).toBeVisible()
  await expectAccessible(cats)
  await questionOf(cats).getByRole('button', { name: 'Cancel' }).click()
  await expect(questionOf(cats)).toBeHidden()
  await expect(sheetOf(bobs)).toBeVisible()
  await keepOf(cats).click()
  await questionOf(cats).getByRole('button', { name: 'Keep', exact: true }).click()
  await expect(cats.getByText('This chat stays', { exact: true })).toBeVisible()
  await expect(sheetOf(cats)).toBeHidden()
  await expect(cats.getByText(stays)).toHaveCount(0)

  await expect(sheetOf(bobs)).toBeHidden()
  await expect(bobs.getByRole('status').getByText(stays)).toBeVisible()
  for (const page of [bobs, cats]) await expect(headerOf(page)).toHaveAccessibleName(`${name} 3 members`)
  await bobs.setViewportSize({ width: 320, height: 640 })
  await expectAccessible(bobs)
  await bobs.getByRole('button', { name: 'OK' }).click()
  await expect(bobs.getByText(stays)).toBeHidden()
  await typeMessage(bobs, 'Still here')
  await bobs.reload()
  await expect(messagesOf(bobs).getByText('Still here')).toBeVisible()
  await expect(bobs.getByText(stays)).toHaveCount(0)

  const [anns] = (await openAs(browserOf, chat, ann)) as [Page]
  await expect(anns.getByText(stays)).toBeVisible()
})

test('the owner keeps the chat for all after a question, and not without a network', async ({
  baseURL,
  browserOf,
  expectConsole,
}) => {
  expectConsole(/ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket connection/)
  const chat = await makePinChat(baseURL ?? '', ann, [bob, cat])
  const [page] = (await openAs(browserOf, chat, ann)) as [Page]
  await headerOf(page).click()
  await expect(sheetOf(page).getByText('It stays for all 3 members.')).toBeVisible()
  await page.context().setOffline(true)
  await keepOf(page).click()
  await expect(page.getByText("You're offline. Connect to keep this chat.")).toBeVisible()
  await expect(questionOf(page)).toHaveCount(0)
  await page.context().setOffline(false)
  await expect(async () => {
    await keepOf(page).click()
    await expect(questionOf(page)).toBeVisible({ timeout: 1000 })
  }).toPass()
  await questionOf(page).getByRole('button', { name: 'Keep', exact: true }).click()
  await expect(page.getByText('This chat stays', { exact: true })).toBeVisible()
  await expect(headerOf(page)).toHaveAccessibleName(`${name} 3 members`)
})

test('the owner of an ended pin who is no admin keeps the chat with one request, and other admins do not', async ({
  baseURL,
  browserOf,
}) => {
  const base = baseURL ?? ''
  const chat = await makePinChat(base, ann, [bob, cat])
  const [anns, bobs] = (await openAs(browserOf, chat, ann, bob)) as [Page, Page]
  // Bob becomes the admin, and ann comes back as a member.
  const params = { id: chat.id }
  await call(base, leaveConversation, { params }, ann)
  await expect(anns).toHaveURL('/chat')
  await anns.goto(`/pins/${chat.ping_id}`)
  await anns.getByRole('button', { name: 'Open chat' }).click()
  await expect(headerOf(anns)).toBeVisible()
  await headerOf(anns).click()
  await expect(sheetOf(anns).getByText('It stays for all 3 members.')).toBeVisible()
  await headerOf(bobs).click()
  await expect(sheetOf(bobs).getByText(hint)).toBeVisible()
})

test('a chat that stays already says so if someone else has kept it', async ({ baseURL, browserOf, expectConsole }) => {
  expectConsole(/409/)
  const base = baseURL ?? ''
  const chat = await makePinChat(base, ann, [bob, cat])
  const page = await browserOf(bob, { locale })
  await withoutLiveChannel(page)
  await page.goto(`/chat/${chat.id}`)
  await headerOf(page).click()
  await expect(sheetOf(page).getByText(hint)).toBeVisible()
  await call(base, keepConversation, { params: { id: chat.id } }, ann)
  await keepOf(page).click()
  await expect(page.getByText('This chat stays', { exact: true })).toBeVisible()
  await expect(headerOf(page)).toHaveAccessibleName(`${name} 3 members`)
})

test('a chat that is open at its date returns to the list, also if no deletion arrives, and takes its unread messages with it', async ({
  baseURL,
  browserOf,
  expectConsole,
}) => {
  expectConsole(/404/)
  const base = baseURL ?? ''
  const chat = await makePinChat(base, ann, [bob, cat])
  await postMessage(base, chat.id, 'Secret supper', ann)
  const eraseAt = new Date(Date.now() + 25_000)
  await setChatDate(folder, chat.id, eraseAt)

  // Both know the date only from what they have read.
  const [opened, listed] = [await browserOf(bob, { locale }), await browserOf(cat, { locale })]
  await withoutLiveChannel(opened)
  await listed.goto('/')
  await expect(listed.getByRole('link', { name: /^Chat/ })).toHaveAccessibleName(/1/)
  await opened.goto(`/chat/${chat.id}`)
  const time = inZone(eraseAt.toISOString(), { timeStyle: 'short' })
  await expect(headerOf(opened)).toHaveAccessibleName(`${name} 3 members · until ${time}`)
  await opened.getByRole('textbox', { name: 'Type a message...' }).fill('half a sentence')

  await expect(opened.getByText(`${name} has ended`)).toBeVisible({ timeout: 60_000 })
  await expect(opened).toHaveURL('/chat')
  await expect(conversationsOf(opened)).toHaveCount(0)
  expect(await opened.evaluate(() => JSON.stringify(localStorage))).not.toContain('half a sentence')
  await expect(listed.getByRole('link', { name: /^Chat/ })).not.toHaveAccessibleName(/1/, { timeout: 30_000 })
  await expect(listed.getByText(`${name} has ended`)).toHaveCount(0)
  // The server has erased it as well.
  await expect(opened.getByText('Secret supper')).toHaveCount(0)
  await opened.goto(`/chat/${chat.id}`)
  await expect(opened.getByText('Conversation not found')).toBeVisible()
})

test('a message into a chat that has ended is dropped with a sentence', async ({
  baseURL,
  browserOf,
  expectConsole,
}) => {
  expectConsole(/404/)
  const base = baseURL ?? ''
  const chat = await makePinChat(base, ann, [bob, cat])
  const page = await browserOf(bob, { locale })
  await withoutLiveChannel(page)
  await page.goto(`/chat/${chat.id}`)
  await expect(headerOf(page)).toBeVisible()
  // The app does not know that the date has passed.
  await setChatDate(folder, chat.id, new Date())
  await typeMessage(page, 'Anyone?')
  await expect(page).toHaveURL('/chat')
  await expect(page.getByText(`${name} has ended, so 1 message wasn't sent.`)).toBeVisible()
  await expect(conversationsOf(page)).toHaveCount(0)
})

test('What is left counts the messages in chats that end, and when the last one goes', async ({
  baseURL,
  browserOf,
}) => {
  const base = baseURL ?? ''
  const chat = await makePinChat(base, ann, [bob, cat])
  for (const text of ['Who is coming?', 'Me too']) await postMessage(base, chat.id, text, ann)
  const page = await browserOf(ann, { locale })
  await page.goto('/profile/stored')
  const day = inZone(chat.erase_at ?? '', { month: 'short', day: 'numeric' })
  await page.getByRole('link', { name: `2 messages in chats that end. All go by ${day}.` }).click()
  await expect(page).toHaveURL('/chat')
})
