import { type MessageId } from '@hither/contract/ids.ts'
import { type ConversationDetails, type Message } from '@hither/contract/messages.ts'
import { describe, expect, test } from 'vitest'
import {
  mergedSummaries,
  type OpenConversation,
  withMessage,
  withNewest,
  withOlder,
  withoutMessage,
} from './chat-changes.ts'
import { ann, at, bob, groupOf, messageFrom, summaryOf } from './harness.ts'

function pageOf(messages: Message[], has_more: boolean): ConversationDetails {
  const page = { messages, total: 0, limit: 40, offset: 0, has_more }
  return { ...groupOf(ann, bob), message_details: page }
}

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => messageFrom(bob, first + index))
const ids = (open: OpenConversation | undefined) => new Set(open?.messages.map(({ id }) => id))
const seqs = (open: OpenConversation) => open.messages.map(({ seq }) => seq)
const first = withNewest(undefined, pageOf(range(11, 15), true), new Set())

describe('reading the newest messages again', () => {
  test('keeps the pages above that were read before', () => {
    const scrolled = withOlder(first, pageOf(range(8, 10), true))
    const again = withNewest(scrolled, pageOf(range(13, 17), true), ids(scrolled))
    expect(seqs(again)).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16, 17])
    expect(again).toMatchObject({ hasMore: true, lastSeq: 17 })
  })

  test('lets go of what is above where something between may be missing', () => {
    const again = withNewest(first, pageOf(range(20, 24), true), ids(first))
    expect(seqs(again)).toEqual([20, 21, 22, 23, 24])
    expect(again.hasMore).toBe(true)
  })

  test('drops what was erased meanwhile, and keeps what arrived while it was read', () => {
    const arrived = withMessage(first, messageFrom(bob, 16))
    const page = range(11, 15).filter(({ seq }) => seq !== 13)
    expect(seqs(withNewest(arrived, pageOf(page, true), ids(first)))).toEqual([11, 12, 14, 15, 16])
  })

  test('does not bring back what was erased while it was read', () => {
    const erased = withoutMessage(first, 'm15' as MessageId)
    expect(seqs(withNewest(erased, pageOf(range(11, 15), true), ids(first)))).toEqual([11, 12, 13, 14])
  })

  test('finds an emptied conversation empty', () => {
    expect(seqs(withNewest(first, pageOf([], false), ids(first)))).toEqual([])
  })
})

test('an older page joins what is there without a double', () => {
  const whole = withOlder(first, pageOf(range(1, 11), false))
  expect(seqs(whole)).toEqual(range(1, 15).map(({ seq }) => seq))
  expect(whole.hasMore).toBe(false)
})

describe('a read of the list', () => {
  const before = [summaryOf({ last_message: messageFrom(bob, 2), updated_at: at(2) })]

  test('does not take back a message that came while it was under way', () => {
    const held = [summaryOf({ last_message: messageFrom(bob, 3), updated_at: at(3), unread_count: 1 })]
    expect(mergedSummaries(before, before, held)[0]).toMatchObject({ unread_count: 1, last_message: { seq: 3 } })
  })

  test('is right about a latest message that is no more', () => {
    const read = [summaryOf({ last_message: messageFrom(bob, 1), updated_at: at(1) })]
    expect(mergedSummaries(read, before, before)[0]?.last_message?.seq).toBe(1)
  })
})
