import type { MessageId } from '@hither/contract/ids.ts'
import type { ConversationDetails, Message } from '@hither/contract/messages/messages.ts'
import { describe, expect, test } from 'vitest'
import {
  mergedSummaries,
  type OpenConversation,
  withMessage,
  withNewest,
  withOlder,
  withoutMessage,
} from './chat-changes.ts'
import { ann, at, bob, groupOf, lastFrom, messageFrom, summaryOf } from './harness.ts'
import { quoteOf } from './quotes.ts'

function pageOf(messages: Message[], has_more: boolean): ConversationDetails {
  const page = { messages, total: 0, limit: 40, offset: 0, has_more, has_newer: false }
  return { ...groupOf(ann, bob), message_details: page }
}

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => messageFrom(bob, first + index))
const ids = (open: OpenConversation | undefined) => new Set(open?.messages.map(({ id }) => id))
const seqs = (open: OpenConversation) => open.messages.map(({ seq }) => seq)
const first = withNewest(undefined, pageOf(range(11, 15), true), new Set())

describe('refetching the newest messages', () => {
  test('keeps the older pages that were loaded before', () => {
    const scrolled = withOlder(first, pageOf(range(8, 10), true))
    const again = withNewest(scrolled, pageOf(range(13, 17), true), ids(scrolled))
    expect(seqs(again)).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16, 17])
    expect(again).toMatchObject({ hasMore: true, lastSeq: 17 })
  })

  test('drops older pages if messages between may be missing', () => {
    const again = withNewest(first, pageOf(range(20, 24), true), ids(first))
    expect(seqs(again)).toEqual([20, 21, 22, 23, 24])
    expect(again.hasMore).toBe(true)
  })

  test('drops messages that were deleted, and keeps messages that arrived during the read', () => {
    const arrived = withMessage(first, messageFrom(bob, 16))
    const page = range(11, 15).filter(({ seq }) => seq !== 13)
    expect(seqs(withNewest(arrived, pageOf(page, true), ids(first)))).toEqual([11, 12, 14, 15, 16])
  })

  test('does not restore a message that was deleted during the read', () => {
    const erased = withoutMessage(first, 'm15' as MessageId)
    expect(seqs(withNewest(erased, pageOf(range(11, 15), true), ids(first)))).toEqual([11, 12, 13, 14])
  })

  test('does not restore the text of a message that was deleted during the read in a quote of it', () => {
    const [quoted, reply] = quotedAndReply()
    const before = withNewest(undefined, pageOf([quoted, reply], true), new Set())
    const erased = withoutMessage(before, quoted.id)
    const again = withNewest(erased, pageOf([quoted, reply], true), ids(before))
    expect(again.messages).toMatchObject([{ id: reply.id, reply_to: { kind: 'deleted', excerpt: null } }])
  })

  test('removes all messages of a conversation that is empty now', () => {
    expect(seqs(withNewest(first, pageOf([], false), ids(first)))).toEqual([])
  })
})

test('adds an older page without duplicates', () => {
  const whole = withOlder(first, pageOf(range(1, 11), false))
  expect(seqs(whole)).toEqual(range(1, 15).map(({ seq }) => seq))
  expect(whole.hasMore).toBe(false)
})

test('an older page that was read before a message was deleted has no quote of its text', () => {
  const [quoted, reply] = quotedAndReply()
  const older = withOlder(withoutMessage(first, quoted.id), pageOf([quoted, reply], false))
  expect(older.messages[0]).toMatchObject({ id: reply.id, reply_to: { kind: 'deleted', excerpt: null } })
})

function quotedAndReply(): [Message, Message] {
  const quoted = messageFrom(bob, 6)
  return [quoted, messageFrom(ann, 7, { reply_to: quoteOf(quoted) })]
}

describe('a refetch of the conversation list', () => {
  const before = [summaryOf({ last_message: lastFrom(bob, 2), updated_at: at(2) })]

  test('does not remove a message that arrived during the read', () => {
    const cached = [summaryOf({ last_message: lastFrom(bob, 3), updated_at: at(3), unread_count: 1 })]
    expect(mergedSummaries(before, before, cached)[0]).toMatchObject({ unread_count: 1, last_message: { seq: 3 } })
  })

  test('removes a latest message that was deleted', () => {
    const read = [summaryOf({ last_message: lastFrom(bob, 1), updated_at: at(1) })]
    expect(mergedSummaries(read, before, before)[0]?.last_message?.seq).toBe(1)
  })
})
