import type { UserId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import { describe, expect, test } from 'vitest'
import { ann, at, bob, cafe, eve, messageFrom } from '../harness.ts'
import type { Outgoing } from '../outbox/message-outbox.ts'
import { rowsOf } from './message-rows.ts'

function rows(messages: Message[], more: { blocked?: UserId[]; expanded?: string[]; outgoing?: Outgoing[] } = {}) {
  const { blocked = [], expanded = [], outgoing = [] } = more
  return rowsOf({ messages, outgoing, viewerId: ann, blocked: new Set(blocked), expanded: new Set(expanded) })
}

describe('runs of messages', () => {
  test('contain messages of one sender within a short time', () => {
    const look = rows([
      messageFrom(bob, 1),
      messageFrom(bob, 2),
      messageFrom(eve, 3),
      messageFrom(ann, 4),
      messageFrom(ann, 20),
    ]).map(({ startsRun, endsRun }) => [startsRun, endsRun])
    expect(look).toEqual([
      [true, false],
      [false, true],
      [true, true],
      [true, true],
      [true, true],
    ])
  })

  test('end at midnight', () => {
    const [first, second] = rows([
      messageFrom(bob, 1, { created_at: new Date(2026, 10, 21, 23, 59).toISOString() }),
      messageFrom(bob, 2, { created_at: new Date(2026, 10, 22, 0, 1).toISOString() }),
    ])
    expect([first?.startsDay, second?.startsDay, second?.startsRun]).toEqual([true, true, true])
  })
})

describe('messages of a blocked user', () => {
  const messages = [messageFrom(eve, 1), messageFrom(eve, 2), messageFrom(bob, 3), messageFrom(eve, 4)]

  test('are collapsed to one row per run', () => {
    const kinds = rows(messages, { blocked: [eve] }).map((row) => (row.kind === 'collapsed' ? row.count : row.kind))
    expect(kinds).toEqual([2, 'message', 1])
  })

  test('are expanded run by run', () => {
    const kinds = rows(messages, { blocked: [eve], expanded: ['m1'] }).map(({ kind }) => kind)
    expect(kinds).toEqual(['message', 'message', 'message', 'collapsed'])
  })
})

describe('an unsent message', () => {
  const waiting: Outgoing = {
    client_id: 'c1',
    conversation_id: cafe,
    content: 'hi',
    created_at: at(2),
    state: 'waiting',
  }

  test('is the last row and keeps its key after it was sent', () => {
    const before = rows([messageFrom(bob, 1)], { outgoing: [waiting] })
    const after = rows([messageFrom(bob, 1), messageFrom(ann, 2, { client_id: 'c1' })], { outgoing: [waiting] })
    expect(before.map(({ key }) => key)).toEqual(['m1', 'c1'])
    expect(after.map(({ key, kind }) => [key, kind])).toEqual([
      ['m1', 'message'],
      ['c1', 'message'],
    ])
  })

  test('is not confused with a message of another user with the same client_id', () => {
    const shown = rows([messageFrom(bob, 1, { client_id: 'c1' })], { outgoing: [waiting] })
    expect(shown.map(({ key }) => key)).toEqual(['m1', 'c1'])
  })
})
