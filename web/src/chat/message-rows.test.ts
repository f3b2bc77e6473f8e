import { type UserId } from '@hither/contract/ids.ts'
import { type Message } from '@hither/contract/messages.ts'
import { describe, expect, test } from 'vitest'
import { ann, at, bob, cafe, eve, messageFrom } from './harness.ts'
import { rowsOf } from './message-rows.ts'
import { type Outgoing } from './outbox.ts'

function rows(messages: Message[], more: { blocked?: UserId[]; unfolded?: string[]; outgoing?: Outgoing[] } = {}) {
  const { blocked = [], unfolded = [], outgoing = [] } = more
  return rowsOf({ messages, outgoing, viewerId: ann, blocked: new Set(blocked), unfolded: new Set(unfolded) })
}

describe('runs', () => {
  test('hold the messages of one person in short order', () => {
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

  test('end with the day', () => {
    const [first, second] = rows([
      messageFrom(bob, 1, { created_at: new Date(2026, 10, 21, 23, 59).toISOString() }),
      messageFrom(bob, 2, { created_at: new Date(2026, 10, 22, 0, 1).toISOString() }),
    ])
    expect([first?.startsDay, second?.startsDay, second?.startsRun]).toEqual([true, true, true])
  })
})

describe('messages of someone blocked', () => {
  const messages = [messageFrom(eve, 1), messageFrom(eve, 2), messageFrom(bob, 3), messageFrom(eve, 4)]

  test('are folded away, each run into one row', () => {
    const kinds = rows(messages, { blocked: [eve] }).map((row) => (row.kind === 'folded' ? row.count : row.kind))
    expect(kinds).toEqual([2, 'message', 1])
  })

  test('are shown again run by run', () => {
    const kinds = rows(messages, { blocked: [eve], unfolded: ['m1'] }).map(({ kind }) => kind)
    expect(kinds).toEqual(['message', 'message', 'message', 'folded'])
  })
})

describe('what is on its way', () => {
  const waiting: Outgoing = {
    client_id: 'c1',
    conversation_id: cafe,
    content: 'hi',
    created_at: at(2),
    state: 'waiting',
  }

  test('stands last, and keeps its key when the server has it', () => {
    const before = rows([messageFrom(bob, 1)], { outgoing: [waiting] })
    const after = rows([messageFrom(bob, 1), messageFrom(ann, 2, { client_id: 'c1' })], { outgoing: [waiting] })
    expect(before.map(({ key }) => key)).toEqual(['m1', 'c1'])
    expect(after.map(({ key, kind }) => [key, kind])).toEqual([
      ['m1', 'message'],
      ['c1', 'message'],
    ])
  })

  test("is not mistaken for another's message that bears the same client_id", () => {
    const shown = rows([messageFrom(bob, 1, { client_id: 'c1' })], { outgoing: [waiting] })
    expect(shown.map(({ key }) => key)).toEqual(['m1', 'c1'])
  })
})
