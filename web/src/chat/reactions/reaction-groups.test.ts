import type { MessageId } from '@hither/contract/ids.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ann, bob, cafe, eve, messageFrom } from '../harness.ts'
import type { OutgoingReaction } from '../outbox/outbox-items.ts'
import { emojiOf, withoutBlocked, withoutReaction, withPendingReaction, withReaction } from './reaction-groups.ts'

const both = [
  { emoji: '👍', user_ids: [ann, bob] },
  { emoji: '🎉', user_ids: [eve] },
]

describe('a reaction', () => {
  test('joins the group of its emoji, or begins a new one at the end', () => {
    expect(withReaction([{ emoji: '👍', user_ids: [ann] }], bob, '👍')).toEqual([{ emoji: '👍', user_ids: [ann, bob] }])
    expect(withReaction([{ emoji: '👍', user_ids: [ann] }], bob, '🎉')).toEqual([
      { emoji: '👍', user_ids: [ann] },
      { emoji: '🎉', user_ids: [bob] },
    ])
  })

  test('replaces the earlier one of the same user, and an empty group disappears', () => {
    expect(withReaction(both, eve, '👍')).toEqual([{ emoji: '👍', user_ids: [ann, bob, eve] }])
  })

  test('that arrives twice changes nothing', () => {
    expect(withReaction(both, bob, '👍')).toBe(both)
    expect(withoutReaction([{ emoji: '👍', user_ids: [ann] }], bob)).toEqual([{ emoji: '👍', user_ids: [ann] }])
  })

  test('of each user counts at most once, whatever the order of the changes', () => {
    const change = fc.tuple(fc.constantFrom(ann, bob, eve), fc.constantFrom('👍', '🎉', '🙏', null))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const groups = changes.reduce(
          (before, [userId, emoji]) =>
            emoji === null ? withoutReaction(before, userId) : withReaction(before, userId, emoji),
          [] as ReturnType<typeof withReaction>,
        )
        for (const userId of [ann, bob, eve]) {
          const last = changes.findLast(([other]) => other === userId)?.[1] ?? undefined
          expect(emojiOf(groups, userId)).toBe(last)
        }
        expect(groups.every(({ user_ids }) => user_ids.length > 0)).toBe(true)
        expect(new Set(groups.map(({ emoji }) => emoji)).size).toBe(groups.length)
        const users = groups.flatMap(({ user_ids }) => user_ids)
        expect(new Set(users).size).toBe(users.length)
      }),
    )
  })
})

test('reactions of blocked users are left out', () => {
  expect(withoutBlocked(both, new Set([eve]))).toEqual([{ emoji: '👍', user_ids: [ann, bob] }])
  expect(withoutBlocked(both, new Set([bob]))).toEqual([
    { emoji: '👍', user_ids: [ann] },
    { emoji: '🎉', user_ids: [eve] },
  ])
  expect(withoutBlocked(both, new Set())).toBe(both)
})

describe('a choice that waits in the outbox', () => {
  const row = { message: messageFrom(bob, 1, { reactions: both }) }
  const waiting = (emoji: string | null, state: 'waiting' | 'failed' = 'waiting') =>
    new Map<MessageId, OutgoingReaction>([
      [
        row.message.id,
        {
          kind: 'reaction',
          client_id: 'c',
          conversation_id: cafe,
          created_at: '',
          state,
          message_id: row.message.id,
          emoji,
        },
      ],
    ])

  test('is shown at once', () => {
    expect(emojiOf(withPendingReaction(row, waiting('🙏'), ann).message.reactions, ann)).toBe('🙏')
    expect(emojiOf(withPendingReaction(row, waiting(null), ann).message.reactions, ann)).toBeUndefined()
  })

  test('is not shown after the server refused it', () => {
    expect(withPendingReaction(row, waiting('🙏', 'failed'), ann)).toBe(row)
  })
})
