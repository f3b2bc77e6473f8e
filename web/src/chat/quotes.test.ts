import type { Message } from '@hither/contract/messages/messages.ts'
import { describe, expect, test } from 'vitest'
import { type OpenConversation, withCurrentQuote, withMessage, withoutMessage } from './chat-changes.ts'
import { ann, at, bob, groupOf, messageFrom } from './harness.ts'
import type { OutgoingEdit } from './outbox/outbox-items.ts'
import { quoteOf, withPendingText } from './quotes.ts'

const quoted = messageFrom(bob, 1, { content: 'See you at 8' })
const reply = messageFrom(ann, 2, { reply_to: quoteOf(quoted) })

function openWith(...messages: Message[]): OpenConversation {
  const lastSeq = messages.at(-1)?.seq ?? 0
  return { conversation: groupOf(ann, bob), messages, hasMore: false, lastSeq, erased: [], window: null }
}

const quoteIn = (open: OpenConversation) => open.messages.find(({ id }) => id === reply.id)?.reply_to
const edited = (content: string, minute: number): Message => ({ ...quoted, content, edited_at: at(minute) })

describe('the quote of a message', () => {
  test('has at most 140 code points', () => {
    const { excerpt } = quoteOf({ ...quoted, content: '😀'.repeat(200) })
    expect(excerpt).toBe('😀'.repeat(140))
  })

  test('follows an edit of the message, loaded or not', () => {
    expect(quoteIn(withMessage(openWith(quoted, reply), edited('at 9', 3)))?.excerpt).toBe('at 9')
    const older = { ...openWith(reply), hasMore: true }
    expect(quoteIn(withMessage(older, edited('at 9', 3)))?.excerpt).toBe('at 9')
  })

  test('follows an edit that the message has already', () => {
    const open = withMessage(openWith(edited('at 9', 3), reply), edited('at 9', 3))
    expect(quoteIn(open)?.excerpt).toBe('at 9')
    expect(withMessage(open, edited('at 9', 3))).toBe(open)
  })

  test('is marked when the message is deleted, loaded or not', () => {
    for (const open of [openWith(quoted, reply), openWith(reply)])
      expect(quoteIn(withoutMessage(open, quoted.id))).toMatchObject({ kind: 'deleted', excerpt: null })
  })

  test('does not go back when the first row of the message or of the reply arrives again', () => {
    const open = withMessage(openWith(quoted, reply), edited('at 9', 3))
    expect(withMessage(open, quoted)).toBe(open)
    expect(withMessage(open, reply)).toBe(open)
    expect(quoteIn(withMessage(openWith(edited('at 9', 3)), reply))?.excerpt).toBe('at 9')
  })

  test('of a deleted message is marked in a reply that arrives later', () => {
    const open = withoutMessage(openWith(quoted), quoted.id)
    expect(quoteIn(withMessage(open, reply))).toMatchObject({ kind: 'deleted', excerpt: null })
  })
})

describe('the quote of an unsent reply', () => {
  const unsent = { reply_to: quoteOf(quoted) }

  test('has the current text of the message, and is marked when the message is deleted', () => {
    const open = openWith(quoted)
    const after = withMessage(open, edited('at 9', 3))
    expect(withCurrentQuote(after, unsent).reply_to.excerpt).toBe('at 9')
    expect(withCurrentQuote(withoutMessage(open, quoted.id), unsent).reply_to).toMatchObject({ kind: 'deleted' })
    expect(withCurrentQuote(openWith(), unsent)).toBe(unsent)
  })

  test('has the text of an edit that waits, and not of a refused one or of another message', () => {
    const edit = { message_id: quoted.id, content: 'at 9', state: 'waiting' } as OutgoingEdit
    const quoteWith = (one: OutgoingEdit) => withPendingText(unsent.reply_to, new Map([[one.message_id, one]])).excerpt
    expect(quoteWith(edit)).toBe('at 9')
    expect(quoteWith({ ...edit, state: 'failed' })).toBe('See you at 8')
    expect(quoteWith({ ...edit, message_id: reply.id })).toBe('See you at 8')
  })
})

describe('an edit', () => {
  test('that is older than the cached one changes nothing', () => {
    const open = withMessage(openWith(quoted), edited('second', 4))
    expect(withMessage(open, edited('first', 3))).toBe(open)
  })

  test('keeps the reactions and the read mark, which its row does not have', () => {
    const reactions = [{ emoji: '👍', user_ids: [ann] }]
    const open = openWith({ ...quoted, reactions, read: true })
    expect(withMessage(open, edited('at 9', 3)).messages[0]).toMatchObject({ content: 'at 9', reactions, read: true })
  })
})
