import type { Circle } from '@hither/contract/circles.ts'
import type { CircleId, UserId } from '@hither/contract/ids.ts'
import { circleTexts } from '@hither/contract/runtime/circles.ts'
import { describe, expect, test } from 'vitest'
import { changesOf, circleFormErrors, formOf, peopleOf, rebased, toggled } from './circles.rules.ts'

const [bob, cat, dan] = ['bob', 'cat', 'dan'] as UserId[] as [UserId, UserId, UserId]
const circle: Circle = {
  id: 'work' as CircleId,
  name: 'Work',
  emoji: '☕',
  member_ids: [bob, cat],
  created_at: '2026-11-21T12:00:00.000Z',
  updated_at: '2026-11-21T12:00:00.000Z',
}

describe('the form of a circle', () => {
  test('needs a name of 1 to 30 code points and a friend', () => {
    const both = { name: circleTexts.nameInvalid, memberIds: circleTexts.noMembers }
    expect(circleFormErrors(formOf(null), null)).toEqual(both)
    expect(circleFormErrors({ ...formOf(circle), name: '🎉'.repeat(31) }, circle)).toEqual({ name: both.name })
    expect(circleFormErrors({ ...formOf(circle), name: '🎉'.repeat(30) }, circle)).toEqual({})
    expect(circleFormErrors({ ...formOf(circle), memberIds: [] }, circle)).toEqual({ memberIds: both.memberIds })
  })

  test('allows a circle that has become empty to be renamed', () => {
    const empty = { ...circle, member_ids: [] }
    expect(circleFormErrors({ ...formOf(empty), name: 'Band' }, empty)).toEqual({})
  })

  test('sends only what has changed', () => {
    expect(changesOf({ name: ' Work ', emoji: '☕', memberIds: [cat, bob] }, circle)).toEqual({})
    expect(changesOf({ name: 'Band', emoji: ' ', memberIds: [bob] }, circle)).toEqual({
      name: 'Band',
      emoji: null,
      member_ids: [bob],
    })
  })

  test('keeps what was changed and takes over the rest when another device has saved the circle', () => {
    const saved = { ...circle, name: 'Office', emoji: null, member_ids: [bob, dan] }
    expect(rebased(formOf(circle), circle, saved)).toEqual(formOf(saved))
    const renamed = { ...formOf(circle), name: 'Colleagues' }
    expect(rebased(renamed, circle, saved)).toEqual({ name: 'Colleagues', emoji: '', memberIds: [bob, dan] })
    expect(rebased({ ...renamed, memberIds: [cat] }, circle, saved).memberIds).toEqual([dan])
    const both = { ...circle, member_ids: [bob] }
    expect(rebased({ ...formOf(both), memberIds: [bob, dan] }, both, saved).memberIds).toEqual([bob, dan])
  })
})

test('people of circles and selected friends count once, and a circle that is not known has none', () => {
  expect([...peopleOf([circle], [circle.id, 'gone' as CircleId], [cat])]).toEqual([bob, cat])
  expect([...peopleOf([circle], [], [cat])]).toEqual([cat])
})

test('a second choice of an item removes it', () => {
  expect(toggled(toggled([bob], cat), bob)).toEqual([cat])
})
