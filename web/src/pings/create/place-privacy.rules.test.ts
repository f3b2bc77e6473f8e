import { expect, test } from 'vitest'
import {
  exactPlaceChoices,
  hasArea,
  isOpenToAnyone,
  offeredChoice,
  withExactPlaceFor,
  withPublicLink,
} from './place-privacy.rules.ts'

test('everyone can be chosen only with a public link', () => {
  expect(exactPlaceChoices(false)).toEqual(['invited', 'going'])
  expect(exactPlaceChoices(true)).toEqual(['invited', 'going', 'everyone'])
  expect(offeredChoice('everyone', false)).toBe('invited')
  expect(offeredChoice('everyone', true)).toBe('everyone')
  expect(offeredChoice('going', false)).toBe('going')
})

test.each([
  { exactPlaceFor: 'everyone', isPublic: true, expected: false },
  { exactPlaceFor: 'invited', isPublic: true, expected: true },
  { exactPlaceFor: 'invited', isPublic: false, expected: false },
  { exactPlaceFor: 'going', isPublic: true, expected: true },
  { exactPlaceFor: 'going', isPublic: false, expected: true },
] as const)('somebody sees the area for $exactPlaceFor, public: $isPublic: $expected', ({ expected, ...privacy }) => {
  expect(hasArea(privacy)).toBe(expected)
})

test('a public link that is switched on keeps the exact place for the invitees', () => {
  expect(withPublicLink({ exactPlaceFor: 'everyone' }, true)).toEqual({ isPublic: true, exactPlaceFor: 'invited' })
  expect(withPublicLink({ exactPlaceFor: 'everyone' }, false)).toEqual({ isPublic: false, exactPlaceFor: 'invited' })
  expect(withPublicLink({ exactPlaceFor: 'going' }, true)).toEqual({ isPublic: true, exactPlaceFor: 'going' })
})

test('an exact place for people who are going preselects the approval of guests', () => {
  expect(withExactPlaceFor({ guestPolicy: 'open' }, 'going').guestPolicy).toBe('approval')
  expect(withExactPlaceFor({ guestPolicy: 'off' }, 'going').guestPolicy).toBe('off')
  expect(withExactPlaceFor({ guestPolicy: 'open' }, 'invited').guestPolicy).toBe('open')
})

test('only a link with which everyone may answer at once opens an exact place for people who are going', () => {
  const open = { exactPlaceFor: 'going', isPublic: true, guestPolicy: 'open' } as const
  expect(isOpenToAnyone(open)).toBe(true)
  for (const change of [{ guestPolicy: 'approval' }, { isPublic: false }, { exactPlaceFor: 'invited' }] as const)
    expect(isOpenToAnyone({ ...open, ...change })).toBe(false)
})
