import type { StoredItem } from '@hither/contract/stored-data.ts'
import { expect, test } from 'vitest'
import { storedText } from './stored-data.rules.ts'

const item = (kind: StoredItem['kind'], count: number): StoredItem => ({
  kind,
  count,
  oldest_at: null,
  erasure: 'date',
  first_erased_at: '2026-11-28T12:00:00.000Z',
  last_erased_at: '2026-12-03T12:00:00.000Z',
})

test('messages in chats that end go by the date of the last chat', () => {
  expect(storedText(item('ending_messages', 41))).toBe('41 messages in chats that end. All go by Dec 3.')
  expect(storedText(item('ending_messages', 1))).toBe('1 message in chats that end. It goes Dec 3.')
  expect(storedText(item('exact_places', 2))).toBe('2 exact places of your pins. The last one goes Dec 3.')
})
