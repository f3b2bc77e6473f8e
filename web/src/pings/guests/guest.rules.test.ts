import type { GuestId, PingId } from '@hither/contract/ids.ts'
import type { Guest } from '@hither/contract/pings.ts'
import { refusals } from '@hither/contract/refusals.ts'
import { guestTexts } from '@hither/contract/runtime/guests.ts'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import {
  afterRefusal,
  countsText,
  hasResponse,
  isDue,
  isOutdated,
  nameErrorOf,
  pollAfterMs,
  type StoredGuest,
  tokenOfFragment,
  withoutErased,
} from './guest.rules.ts'
import { isGuestName } from './guest-name.rules.ts'
import { countWaiting, guestsText, orderGuests } from './owner/guest-list.rules.ts'
import { newGuestToken } from './stored-guests.ts'

const token = 'aB3_-'.padEnd(43, 'x')
const endsAt = '2026-11-21T12:00:00.000Z'
const endsAtMs = Date.parse(endsAt)
const answer = { name: 'Mia', response_type: 'accepted' } as const
const stored: StoredGuest = { token, name: 'Mia', expires_at: endsAt, isSent: true, unsent: answer, isWithdrawn: false }

function guest(id: string, state: Guest['state'], created_at = endsAt): Guest {
  return {
    ...{ id: id as GuestId, ping_id: 'ping' as PingId, user_id: null, name: id, response_type: 'accepted' },
    ...{ state, revision: 0, created_at, updated_at: created_at },
  }
}

describe('a guest token', () => {
  test('is read from a fragment that contains nothing else', () => {
    expect(tokenOfFragment(`#guest=${token}`)).toBe(token)
    for (const hash of ['', '#', `#${token}`, `#guest=${token}x`, `#guest=${token}&x=1`, '#guest=short'])
      expect(tokenOfFragment(hash)).toBeNull()
  })

  test('is 32 random bytes in base64url', () => {
    const tokens = Array.from({ length: 200 }, newGuestToken)
    for (const one of tokens) expect(tokenOfFragment(`#guest=${one}`)).toBe(one)
    expect(new Set(tokens).size).toBe(200)
  })

  test('is erased 24 hours after the end of its ping', () => {
    expect(isOutdated(stored, endsAtMs + 86_399_999)).toBe(false)
    expect(isOutdated(stored, endsAtMs + 86_400_000)).toBe(true)
    expect(isOutdated({ expires_at: null }, endsAtMs + 86_400_000)).toBe(false)
    const guests = { a: { ...stored, isSent: false }, b: { ...stored, expires_at: null } }
    expect(Object.keys(withoutErased(guests, endsAtMs + 86_399_999))).toEqual(['a', 'b'])
    expect(Object.keys(withoutErased(guests, endsAtMs + 86_400_000))).toEqual(['b'])
  })
})

test.each([
  ['Mia', true],
  [' Zoë-Ann 2 ', true],
  ['🎉', true],
  ['a'.repeat(30), true],
  ['a'.repeat(31), false],
  ['', false],
  ['--', false],
  ['x:y', false],
  ['<b>', false],
  ['a\nb', false],
  ['a‮b', false],
])('whether the name %j is valid is %s', (name, isValid) => {
  expect(isGuestName(name)).toBe(isValid)
})

describe('after a refusal', () => {
  const gone = new ApiError(404, refusals.guest_not_found.detail, { code: 'guest_not_found' })

  test('the token stays stored, so that somebody who was removed stays removed', () => {
    for (const guest of [stored, { ...stored, isSent: false }])
      for (const refusal of [refusals.guests_not_allowed, refusals.ping_expired, refusals.ping_not_found])
        expect(afterRefusal(guest, new ApiError(refusal.status, refusal.detail))).toEqual({ ...guest, unsent: null })
    const kept = { token, name: '', expires_at: endsAt, isSent: false, unsent: null, isWithdrawn: false }
    expect(afterRefusal(stored, gone)).toEqual(kept)
    expect(hasResponse(kept)).toBe(false)
    expect(afterRefusal({ ...stored, expires_at: null }, gone)).toBeNull()
  })

  test('the token of a response that was moved to an account is dropped', () => {
    expect(afterRefusal({ ...stored, isSent: false }, gone)).toBeNull()
  })

  test('an error of the name belongs to its field', () => {
    const error = { loc: ['body', 'name'], msg: guestTexts.nameInvalid, type: 'x' }
    expect(nameErrorOf(new ApiError(422, '', { fieldErrors: [error] }))).toBe(guestTexts.nameInvalid)
    expect(nameErrorOf(gone)).toBeNull()
  })
})

test('an answer is sent until its ping ends, and a removal also afterwards', () => {
  expect([isDue(stored, endsAtMs - 1), isDue(stored, endsAtMs)]).toEqual([true, false])
  expect(isDue({ ...stored, expires_at: null }, endsAtMs)).toBe(true)
  expect(isDue({ ...stored, unsent: null }, endsAtMs - 1)).toBe(false)
  expect(isDue({ ...stored, unsent: null, isWithdrawn: true }, endsAtMs)).toBe(true)
})

test('a waiting guest is read every 10 seconds, an approved one every 30, and none after the end', () => {
  expect(pollAfterMs(guest('mia', 'waiting'), false)).toBe(10_000)
  expect(pollAfterMs(guest('mia', 'approved'), false)).toBe(30_000)
  expect(pollAfterMs(guest('mia', 'approved'), true)).toBe(false)
  expect(pollAfterMs(null, false)).toBe(false)
})

test('the numbers of responses leave out what nobody has answered', () => {
  expect(countsText({ accepted: 4, tentative: 2 })).toBe('4 going, 2 maybe')
  expect(countsText({ accepted: 0, tentative: 2 })).toBe('2 maybe')
  expect(countsText({ accepted: 0, tentative: 0 })).toBeNull()
  expect(countsText(null)).toBeNull()
})

describe('the list of guests', () => {
  const guests = [
    guest('mia', 'approved', '2026-11-21T11:00:00.000Z'),
    guest('noah', 'waiting', '2026-11-21T11:02:00.000Z'),
    guest('zoe', 'waiting', '2026-11-21T11:01:00.000Z'),
  ]

  test('counts the guests and those who wait', () => {
    expect(guestsText(guests)).toBe('3 guests · 2 waiting')
    expect(guestsText(guests.slice(0, 1))).toBe('1 guest')
    expect(guestsText([])).toBe('No guests yet')
    expect(countWaiting(guests)).toBe(2)
  })

  test('starts with those who wait, in the order of their responses', () => {
    expect(orderGuests(guests).map(({ id }) => id)).toEqual(['zoe', 'noah', 'mia'])
  })
})
