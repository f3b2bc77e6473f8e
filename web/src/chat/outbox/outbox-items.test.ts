import type { MessageId } from '@hither/contract/ids.ts'
import { expect, test } from 'vitest'
import { at, cafe } from '../harness.ts'
import { type OutboxItem, pendingChangesOf, withItem } from './outbox-items.ts'

let count = 0
const base = () => ({
  client_id: `c${++count}`,
  conversation_id: cafe,
  created_at: at(count),
  state: 'waiting' as const,
})
const text = (content: string): OutboxItem => ({ ...base(), content })
const reaction = (id: string, emoji: string | null): OutboxItem => ({
  ...base(),
  kind: 'reaction',
  message_id: id as MessageId,
  emoji,
})
const edit = (id: string, content: string): OutboxItem => ({
  ...base(),
  kind: 'edit',
  message_id: id as MessageId,
  content,
})

test('only the last reaction and the last text of each message are stored, in the order of the last ones', () => {
  const items = [
    text('one'),
    reaction('m1', '👍'),
    edit('m2', 'first'),
    reaction('m2', '🎉'),
    reaction('m1', null),
    edit('m2', 'second'),
    text('two'),
  ].reduce(withItem, [] as readonly OutboxItem[])
  expect(items.map((item) => (item.kind === 'reaction' ? [item.message_id, item.emoji] : item.content))).toEqual([
    'one',
    ['m2', '🎉'],
    ['m1', null],
    'second',
    'two',
  ])
})

test('a new text replaces one that the server refused', () => {
  const refused = { ...edit('m1', 'late'), state: 'failed', reason: 'too late' } as OutboxItem
  const { edits } = pendingChangesOf(withItem([refused], edit('m1', 'again')))
  expect(edits.get('m1' as MessageId)).toMatchObject({ content: 'again', state: 'waiting' })
})
