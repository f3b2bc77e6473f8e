import type { UserId } from '@hither/contract/ids.ts'
import { pingLimits, pingTexts } from '@hither/contract/runtime/pings.ts'
import { describe, expect, test } from 'vitest'
import { hourOfDay, localInputOf, momentOfLocalInput, nextFullHour } from '../../ui/local-input.ts'
import { lengthOf } from '../../ui/text-length.ts'
import {
  audienceSentence,
  emptyPingForm,
  newPingOf,
  offersGroupChat,
  type PingForm,
  pingFormErrors,
  serverFieldErrors,
} from './create-ping.rules.ts'

const bob = 'bob' as UserId
const nowMs = Date.parse('2026-11-21T12:00:00.000Z')
const minuteMs = 60_000
const place = { latitude: 40.7589, longitude: -73.9851 }
const context = { place, friendsCount: 12, circles: [], nowMs }
const filled: PingForm = { ...emptyPingForm, name: 'Coffee at Nero' }

describe('a form', () => {
  test('with a name, a place and friends is valid', () => {
    expect(pingFormErrors(filled, context)).toEqual({})
  })

  test('needs a name of 1 to 50 code points after trimming', () => {
    expect(pingFormErrors({ ...filled, name: '  ' }, context)).toEqual({ name: pingTexts.nameMissing })
    expect(pingFormErrors({ ...filled, name: '🎉'.repeat(50) }, context)).toEqual({})
    expect(pingFormErrors({ ...filled, name: '🎉'.repeat(51) }, context)).toEqual({ name: pingTexts.nameTooLong })
    expect(lengthOf('🎉')).toBe(1)
  })

  test('accepts a message of 500 characters', () => {
    expect(pingFormErrors({ ...filled, message: 'a'.repeat(500) }, context)).toEqual({})
    expect(pingFormErrors({ ...filled, message: 'a'.repeat(501) }, context)).toHaveProperty('message')
  })

  test('needs a place', () => {
    expect(pingFormErrors(filled, { ...context, place: null })).toEqual({ place: pingTexts.locationMissing })
  })

  test('for all friends is invalid if the user is known to have none', () => {
    expect(pingFormErrors(filled, { ...context, friendsCount: 0 })).toEqual({ audience: pingTexts.noFriends })
    expect(pingFormErrors(filled, { ...context, friendsCount: null })).toEqual({})
    expect(pingFormErrors({ ...filled, isPublic: true }, { ...context, friendsCount: 0 })).toEqual({})
  })

  test('for selected friends needs at least one', () => {
    const selected: PingForm = { ...filled, audience: 'selected' }
    expect(pingFormErrors(selected, context)).toEqual({ recipientIds: pingTexts.noRecipients })
    expect(pingFormErrors({ ...selected, recipientIds: [bob] }, context)).toEqual({})
  })

  test('accepts a start in the future and within 30 days', () => {
    const startingAt = (atMs: number): PingForm => ({ ...filled, isScheduled: true, startsAt: localInputOf(atMs) })
    const wrong = { startsAt: pingTexts.scheduleInvalid }
    expect(pingFormErrors({ ...filled, isScheduled: true }, context)).toEqual(wrong)
    expect(pingFormErrors(startingAt(nowMs), context)).toEqual(wrong)
    expect(pingFormErrors(startingAt(nowMs + minuteMs), context)).toEqual({})
    expect(pingFormErrors(startingAt(nowMs + pingLimits.scheduleHorizonMs), context)).toEqual({})
    expect(pingFormErrors(startingAt(nowMs + pingLimits.scheduleHorizonMs + minuteMs), context)).toEqual(wrong)
  })
})

describe('the request body', () => {
  test('has no recipients for all friends and no empty fields', () => {
    expect(newPingOf({ ...filled, name: ' Coffee at Nero ' }, place)).toEqual({
      name: 'Coffee at Nero',
      ...place,
      duration_minutes: 30,
      is_public: false,
      responses_visible: true,
      exact_place_for: 'invited',
      area_km: 1,
    })
  })

  test('of a public ping has who may respond with the link, by default anyone', () => {
    expect(newPingOf(filled, place)).not.toHaveProperty('guest_policy')
    expect(newPingOf({ ...filled, isPublic: true }, place).guest_policy).toBe('open')
    expect(newPingOf({ ...filled, isPublic: true, guestPolicy: 'off' }, place).guest_policy).toBe('off')
  })

  test('has who sees the exact place, and the size of the area for all others', () => {
    const sent = newPingOf({ ...filled, exactPlaceFor: 'going', areaKm: 5 }, place)
    expect(sent).toMatchObject({ exact_place_for: 'going', area_km: 5, ...place })
  })

  test('has the address if it is known', () => {
    expect(newPingOf(filled, place)).not.toHaveProperty('address')
    expect(newPingOf(filled, place, '1564 Broadway')).toMatchObject({ address: '1564 Broadway' })
  })

  test('has the selected friends and the start as an ISO timestamp', () => {
    const startsAt = localInputOf(nowMs + 60 * minuteMs)
    const sent = newPingOf({ ...filled, audience: 'selected', recipientIds: [bob], isScheduled: true, startsAt }, place)
    expect(sent.recipient_ids).toEqual([bob])
    expect(sent.activates_at).toBe('2026-11-21T13:00:00.000Z')
  })

  test('a local time is the same after formatting and parsing', () => {
    expect(momentOfLocalInput(localInputOf(nowMs))).toBe(nowMs)
    expect(momentOfLocalInput('')).toBeNaN()
  })
})

test('a scheduled start is proposed for the next full hour, and for an hour of another day', () => {
  const lateMs = new Date(2026, 10, 30, 23, 20).getTime()
  expect(nextFullHour(lateMs)).toBe(new Date(2026, 11, 1).getTime())
  expect(nextFullHour(new Date(2026, 10, 30, 9).getTime())).toBe(new Date(2026, 10, 30, 10).getTime())
  expect(hourOfDay(lateMs, 1, 12)).toBe(new Date(2026, 11, 1, 12).getTime())
})

test('a group chat is offered with at least two recipients', () => {
  const selected: PingForm = { ...filled, audience: 'selected', recipientIds: [bob] }
  expect(offersGroupChat(filled, context)).toBe(true)
  expect(offersGroupChat(filled, { ...context, friendsCount: 1 })).toBe(false)
  expect(offersGroupChat(filled, { ...context, friendsCount: null })).toBe(false)
  expect(offersGroupChat(selected, context)).toBe(false)
  expect(offersGroupChat({ ...selected, recipientIds: [bob, 'cat' as UserId] }, context)).toBe(true)
})

describe('the audience in one sentence', () => {
  test('has the number of friends and the public link', () => {
    expect(audienceSentence(filled, context)).toMatch(/^12 friends, until /)
    expect(audienceSentence({ ...filled, isPublic: true }, context)).toMatch(/^12 friends and anyone with the link, /)
    expect(audienceSentence({ ...filled, isPublic: true }, { ...context, friendsCount: 0 })).toMatch(/^anyone with /)
    expect(audienceSentence({ ...filled, audience: 'selected', recipientIds: [bob] }, context)).toMatch(/^1 friend, /)
  })

  test('is null while the number of friends is unknown', () => {
    expect(audienceSentence(filled, { ...context, friendsCount: null })).toBeNull()
    expect(audienceSentence({ ...filled, audience: 'selected' }, context)).toBeNull()
    expect(audienceSentence({ ...filled, isScheduled: true }, context)).toBeNull()
  })
})

test("the server's errors are assigned to their fields", () => {
  const fieldErrors = [
    { loc: ['body', 'recipient_ids'], msg: pingTexts.recipientsNotFriends, type: 'x' },
    { loc: ['body', 'address'], msg: 'unheard of', type: 'x' },
  ]
  expect(serverFieldErrors(fieldErrors)).toEqual({ recipientIds: pingTexts.recipientsNotFriends })
})
