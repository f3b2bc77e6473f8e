import type { ChatRow } from '@hither/contract/feeds.ts'
import { describe, expect, test } from 'vitest'
import { at, summaryOf } from '../harness.ts'
import { type ChatDate, hasEnded, isLastDay, keepStateOf, withDate, withDateOfRow } from './chat-date.rules.ts'

const none = { count: 0, is_mine: false } as const
const mine = { count: 1, is_mine: true } as const
const others = { count: 1, is_mine: false } as const
const dated = (keep_requests: ChatDate['keep_requests'] = none) => summaryOf({ erase_at: at(60), keep_requests })
const row = (change: Partial<ChatRow> = {}) =>
  ({ erase_at: at(60), kept_at: null, keep_count: 0, ...change }) as Pick<
    ChatRow,
    'erase_at' | 'kept_at' | 'keep_count'
  >

test('a chat has ended from its date on, and one without a date never', () => {
  const eraseMs = Date.parse(at(60))
  expect(hasEnded(dated(), eraseMs - 1)).toBe(false)
  expect(hasEnded(dated(), eraseMs)).toBe(true)
  expect(hasEnded(summaryOf(), Number.MAX_SAFE_INTEGER)).toBe(false)
})

test('the last day of a chat begins at the midnight before its date', () => {
  const eraseAt = new Date(2026, 11, 3, 21, 40)
  const isLast = (...time: [number, number, number]) =>
    isLastDay(eraseAt.toISOString(), new Date(2026, 11, ...time).getTime())
  expect(isLast(2, 23, 59)).toBe(false)
  expect(isLast(3, 0, 0)).toBe(true)
  expect(isLast(3, 21, 39)).toBe(true)
})

describe('a live row', () => {
  test('that changes nothing returns the same chat', () => {
    for (const chat of [dated(), dated(mine), dated(others)]) {
      const keep_count = chat.keep_requests?.count ?? 0
      expect(withDateOfRow(chat, row({ keep_count }))).toBe(chat)
    }
  })

  test('with a new request shows that of another member, and one without it none', () => {
    expect(withDateOfRow(dated(), row({ keep_count: 1 })).keep_requests).toEqual(others)
    expect(withDateOfRow(dated(mine), row()).keep_requests).toEqual(none)
  })

  test('with another date keeps who has asked', () => {
    const moved = withDateOfRow(dated(mine), row({ erase_at: at(90), keep_count: 1 }))
    expect(moved).toMatchObject({ erase_at: at(90), keep_requests: mine })
  })

  test('of a chat that was kept takes its date and its requests', () => {
    const kept = withDateOfRow(dated(others), row({ erase_at: null, kept_at: at(5) }))
    expect(kept).toMatchObject({ erase_at: null, kept_at: at(5), keep_requests: null })
  })
})

test('a response from before the chat was kept does not give it a date again', () => {
  const kept = summaryOf({ kept_at: at(5) })
  expect(withDate(kept, dated(mine))).toBe(kept)
  expect(withDate(dated(), dated(mine)).keep_requests).toEqual(mine)
})

test.each([
  { keep_requests: none, isOwner: false, state: { isMine: false, hasOtherAsked: false, keepsAtOnce: false } },
  { keep_requests: none, isOwner: true, state: { isMine: false, hasOtherAsked: false, keepsAtOnce: true } },
  { keep_requests: mine, isOwner: false, state: { isMine: true, hasOtherAsked: false, keepsAtOnce: false } },
  { keep_requests: others, isOwner: false, state: { isMine: false, hasOtherAsked: true, keepsAtOnce: true } },
  { keep_requests: others, isOwner: true, state: { isMine: false, hasOtherAsked: true, keepsAtOnce: true } },
])('the request of the owner ($isOwner) after $keep_requests', ({ keep_requests, isOwner, state }) => {
  expect(keepStateOf({ keep_requests }, isOwner)).toEqual(state)
})
