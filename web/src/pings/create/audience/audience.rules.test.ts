import type { CircleId, UserId } from '@hither/contract/ids.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  audienceInput,
  type ChosenAudience,
  chosenAudienceOf,
  recipientsCount,
  withAllFriends,
  withCircle,
  withoutDeletedCircles,
  withSelectedFriends,
} from './audience.rules.ts'

const [bob, cat, dan] = ['bob', 'cat', 'dan'] as UserId[] as [UserId, UserId, UserId]
const [work, band] = ['work', 'band'] as CircleId[] as [CircleId, CircleId]
const circles = [
  { id: work, member_ids: [bob, cat] },
  { id: band, member_ids: [cat, dan] },
]
const everybody: ChosenAudience = { audience: 'all', circleIds: [], recipientIds: [] }
const count = (value: ChosenAudience) => recipientsCount(value, { friendsCount: 9, circles })

describe('the audience of a new pin', () => {
  test('is all friends until a circle or selected friends are chosen', () => {
    expect(audienceInput(everybody)).toEqual({})
    expect(count(everybody)).toBe(9)
    const forWork = withCircle(everybody, work)
    expect(forWork).toEqual({ audience: 'circles', circleIds: [work], recipientIds: [] })
    expect(audienceInput(forWork)).toEqual({ recipient_ids: [], circle_ids: [work] })
    expect(withAllFriends(withCircle(forWork, band))).toEqual(everybody)
  })

  test('combines circles with selected friends', () => {
    const both = withSelectedFriends(withCircle(everybody, work))
    expect(both).toMatchObject({ audience: 'selected', circleIds: [work] })
    expect(audienceInput({ ...both, recipientIds: [dan] })).toEqual({ recipient_ids: [dan], circle_ids: [work] })
    expect(withSelectedFriends({ ...both, recipientIds: [dan] })).toMatchObject({
      audience: 'circles',
      circleIds: [work],
    })
  })

  test('is nobody, and never all friends, after the last choice was undone', () => {
    const nobody = { audience: 'selected', circleIds: [], recipientIds: [] }
    // An earlier selection does not come back by itself either.
    expect(withCircle({ ...withCircle(everybody, work), recipientIds: [bob] }, work)).toEqual(nobody)
    expect(withSelectedFriends({ ...withSelectedFriends(everybody), recipientIds: [bob] })).toEqual(nobody)
    expect(count(withCircle(withCircle(everybody, work), work))).toBe(0)
  })

  test('counts each person once', () => {
    const forBoth = withCircle(withCircle(everybody, work), band)
    expect(count(forBoth)).toBe(3)
    expect(count({ ...forBoth, audience: 'selected', recipientIds: [bob, 'eve' as UserId] })).toBe(4)
    // A selection by hand that is not in use does not count.
    expect(count({ ...forBoth, recipientIds: ['eve' as UserId] })).toBe(3)
  })

  test('never becomes all friends because circles were deleted', () => {
    const forWork = withCircle(everybody, work)
    expect(withoutDeletedCircles(forWork, circles)).toBe(forWork)
    const nobody = withoutDeletedCircles({ ...forWork, recipientIds: [bob] }, [])
    expect(nobody).toEqual({ audience: 'selected', circleIds: [], recipientIds: [] })
    expect(count(nobody)).toBe(0)
  })

  test('is the same after it was sent and edited again', () => {
    const anyIds = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'))
    fc.assert(
      fc.property(
        fc.constantFrom('all', 'circles', 'selected'),
        anyIds,
        anyIds,
        (audience, circleIds, recipientIds) => {
          const value = { audience, circleIds, recipientIds } as unknown as ChosenAudience
          expect(audienceInput(chosenAudienceOf(audienceInput(value)))).toEqual(audienceInput(value))
        },
      ),
    )
  })

  test('has recipient_ids whenever it is not all friends, whatever is pressed', () => {
    const press = fc.oneof(
      fc.constant(withAllFriends),
      fc.constant(withSelectedFriends),
      fc.constantFrom(work, band).map((id) => (value: ChosenAudience) => withCircle(value, id)),
    )
    fc.assert(
      fc.property(fc.array(press), (presses) => {
        const value = presses.reduce((before, next) => next(before), everybody)
        const { circle_ids, recipient_ids } = audienceInput(value)
        expect(recipient_ids === undefined).toBe(value.audience === 'all')
        expect(circle_ids === undefined).toBe(value.circleIds.length === 0)
        const isForAll = presses.length === 0 || presses.at(-1) === withAllFriends
        expect(value.audience === 'all').toBe(isForAll)
        if (isForAll) expect(value.circleIds).toEqual([])
      }),
    )
  })
})
