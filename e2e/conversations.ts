import type { UnsentPhoto } from '@hither/contract/files.ts'
import type { ConversationId } from '@hither/contract/ids.ts'
import { type Conversation, createConversation, type Message, sendMessage } from '@hither/contract/messages/messages.ts'
import { expect, type Locator, type Page } from '@playwright/test'
import { call, type Person } from './people.ts'

/** Creates a group as `as`, whose friends the members must be. */
export function makeGroup(
  base: string | undefined,
  name: string,
  members: Person[],
  as: Person,
): Promise<Conversation> {
  const participant_ids = members.map(({ session }) => session.user.id)
  return call(base ?? '', createConversation, { body: { name, participant_ids } }, as)
}

export function makeDirect(base: string | undefined, other: Person, as: Person): Promise<Conversation> {
  return call(base ?? '', createConversation, { body: { participant_ids: [other.session.user.id] } }, as)
}

export async function postMessage(
  base: string | undefined,
  conversation_id: ConversationId,
  content: string,
  as: Person,
): Promise<Message> {
  return (await call(base ?? '', sendMessage, { body: { conversation_id, content } }, as)).message
}

/** Types and sends a message in the open conversation. */
export async function typeMessage(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Type a message...' }).fill(text)
  await page.keyboard.press('Enter')
}

export function messagesOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Messages', exact: true })
}

/** The texts of the rendered messages, from the top. */
export async function textsOf(page: Page): Promise<string[]> {
  return messagesOf(page).evaluate((list) =>
    [...list.querySelectorAll('li p')]
      .map((bubble) => ({ top: bubble.getBoundingClientRect().top, text: bubble.firstChild?.textContent ?? '' }))
      .sort((a, b) => a.top - b.top)
      .map(({ text }) => text),
  )
}

/** Uploads a photo and sends it. */
export async function postPhoto(
  base: string | undefined,
  conversation_id: ConversationId,
  file: Blob,
  as: Person,
  caption = '',
): Promise<Message> {
  const form = new FormData()
  form.append('file', file)
  const response = await fetch(`${base}/api/messages/conversations/${conversation_id}/photos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as.session.access_token}` },
    body: form,
  })
  const { photo_id } = (await response.json()) as UnsentPhoto
  const body = { conversation_id, photo_id, ...(caption !== '' && { content: caption }) }
  return (await call(base ?? '', sendMessage, { body }, as)).message
}

/** The row of a conversation in the list, in the order of the list. */
export function conversationsOf(page: Page): Locator {
  return page.getByRole('list', { name: 'Conversations' }).getByRole('listitem')
}

/** Chooses an entry of the menu of a conversation in the list. */
export async function chooseOfRow(page: Page, conversation: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `More options for ${conversation}` }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

/** Opens the menu of the message with this text. */
export async function messageMenu(page: Page, text: string): Promise<Locator> {
  const row = messagesOf(page).locator('[data-message]').filter({ hasText: text }).last()
  await row.hover()
  await row.getByRole('button', { name: 'Message options' }).click()
  const menu = page.getByRole('dialog', { name: 'Message options' })
  await expect(menu).toBeVisible()
  return menu
}
