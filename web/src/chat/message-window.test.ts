import type { MessageId } from '@hither/contract/ids.ts'
import type { ConversationDetails } from '@hither/contract/messages/messages.ts'
import { describe, expect, test } from 'vitest'
import { newestOf, type OpenConversation, withMessage, withNewest, withOlder, withoutMessage } from './chat-changes.ts'
import { ann, at, bob, groupOf, messageFrom } from './harness.ts'
import { shownOf, withAround, withNewer, withoutWindow } from './message-window.ts'

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => messageFrom(bob, first + index))

function pageOf(first: number, last: number, has_more: boolean, has_newer: boolean): ConversationDetails {
  const page = { messages: range(first, last), total: 0, limit: 5, offset: 0, has_more, has_newer }
  return { ...groupOf(ann, bob), message_details: page }
}

const newest = withNewest(undefined, pageOf(96, 100, true, false), new Set())
const id = (seq: number) => `m${seq}` as MessageId
const around = withAround(newest, pageOf(48, 52, true, true), id(50))
const shown = (open: OpenConversation) => shownOf(open).messages.map(({ seq }) => seq)

describe('messages around an older one', () => {
  test('are shown alone while those up to the newest pages are missing', () => {
    expect(shown(around)).toEqual([48, 49, 50, 51, 52])
    expect(shownOf(around)).toMatchObject({ hasMore: true, hasNewer: true })
    expect(around.messages).toBe(newest.messages)
  })

  test('are extended in both directions', () => {
    const older = withOlder(around, pageOf(45, 47, false, true))
    expect(shown(withNewer(older, pageOf(53, 54, true, true)))).toEqual([45, 46, 47, 48, 49, 50, 51, 52, 53, 54])
    expect(shownOf(older).hasMore).toBe(false)
    expect(older.messages).toBe(newest.messages)
  })

  test('become part of the newest pages once they reach them', () => {
    const whole = withNewer(around, pageOf(53, 95, true, true))
    expect(whole.window).toBeNull()
    expect(shown(whole)).toEqual(range(48, 100).map(({ seq }) => seq))
    expect(shownOf(whole)).toMatchObject({ hasMore: true, hasNewer: false })
  })

  test('are part of the newest pages at once if they overlap', () => {
    const whole = withAround(newest, pageOf(94, 98, true, true), id(96))
    expect(whole.window).toBeNull()
    expect(shown(whole)).toEqual([94, 95, 96, 97, 98, 99, 100])
  })

  test('join them where the messages between were deleted', () => {
    expect(shown(withNewer(around, pageOf(53, 54, true, false)))).toEqual([
      48, 49, 50, 51, 52, 53, 54, 96, 97, 98, 99, 100,
    ])
  })

  test('follow changes and deletions, and new messages join the newest pages', () => {
    const edited = { ...messageFrom(bob, 50, { content: 'new', edited_at: at(200) }) }
    expect(shownOf(withMessage(around, edited)).messages[2]?.content).toBe('new')
    expect(shown(withoutMessage(around, id(50)))).toEqual([48, 49, 51, 52])
    const arrived = withMessage(around, messageFrom(bob, 101))
    expect(shown(arrived)).toEqual([48, 49, 50, 51, 52])
    expect(shown(withoutWindow(arrived))).toEqual([96, 97, 98, 99, 100, 101])
  })

  test('do not restore a message that was deleted meanwhile', () => {
    const erased = withoutMessage(newest, id(50))
    expect(shown(withAround(erased, pageOf(48, 52, true, true), id(50)))).toEqual([48, 49, 51, 52])
  })

  test('are not stored on the device', () => {
    expect(newestOf(around).window).toBeNull()
  })
})
