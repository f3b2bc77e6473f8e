import { type ConversationId } from '@hither/contract/ids.ts'
import { type Conversation, createConversation, type Message, sendMessage } from '@hither/contract/messages.ts'
import { type Locator, type Page } from '@playwright/test'
import { call, type Person } from './people.ts'

/** The last one is who makes it; all are their friends. */
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

export async function say(
  base: string | undefined,
  conversation_id: ConversationId,
  content: string,
  as: Person,
): Promise<Message> {
  return (await call(base ?? '', sendMessage, { body: { conversation_id, content } }, as)).message
}

/** Writes into the conversation on screen. */
export async function write(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Type a message...' }).fill(text)
  await page.keyboard.press('Enter')
}

export function messagesOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Messages', exact: true })
}

/** What the bubbles on screen say, from the top. */
export async function textsOf(page: Page): Promise<string[]> {
  return messagesOf(page).evaluate((list) =>
    [...list.querySelectorAll('li p')]
      .map((bubble) => ({ top: bubble.getBoundingClientRect().top, text: bubble.firstChild?.textContent ?? '' }))
      .sort((a, b) => a.top - b.top)
      .map(({ text }) => text),
  )
}
