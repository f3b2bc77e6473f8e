import { type UserId } from '@hither/contract/ids.ts'
import { pingLimits, pingTexts } from '@hither/contract/pings.ts'
import { describe, expect, test } from 'vitest'
import {
  audienceSentence,
  emptyPingForm,
  faultsOf,
  faultsOfServer,
  lengthOf,
  newPingOf,
  offersGroupChat,
  type PingForm,
} from './create-ping.rules.ts'
import { localInputOf, momentOfLocalInput } from './times.ts'

const bob = 'bob' as UserId
const nowMs = Date.parse('2026-11-21T12:00:00.000Z')
const minuteMs = 60_000
const place = { latitude: 40.7589, longitude: -73.9851 }
const context = { place, friendsCount: 12, nowMs }
const filled: PingForm = { ...emptyPingForm, name: 'Coffee at Nero' }

describe('a form', () => {
  test('with a name, a place and friends is good', () => {
    expect(faultsOf(filled, context)).toEqual({})
  })

  test('needs a name of 1 to 50 characters besides blanks, an emoji being one', () => {
    expect(faultsOf({ ...filled, name: '  ' }, context)).toEqual({ name: pingTexts.nameMissing })
    expect(faultsOf({ ...filled, name: '🎉'.repeat(50) }, context)).toEqual({})
    expect(faultsOf({ ...filled, name: '🎉'.repeat(51) }, context)).toEqual({ name: pingTexts.nameTooLong })
    expect(lengthOf('🎉')).toBe(1)
  })

  test('takes a message of 500 characters', () => {
    expect(faultsOf({ ...filled, message: 'a'.repeat(500) }, context)).toEqual({})
    expect(faultsOf({ ...filled, message: 'a'.repeat(501) }, context)).toHaveProperty('message')
  })

  test('needs a place', () => {
    expect(faultsOf(filled, { ...context, place: null })).toEqual({ place: pingTexts.locationMissing })
  })

  test('for all friends needs friends, once it is known that there are none', () => {
    expect(faultsOf(filled, { ...context, friendsCount: 0 })).toEqual({ audience: pingTexts.noFriends })
    expect(faultsOf(filled, { ...context, friendsCount: null })).toEqual({})
    expect(faultsOf({ ...filled, isPublic: true }, { ...context, friendsCount: 0 })).toEqual({})
  })

  test('for selected friends needs one of them', () => {
    const selected: PingForm = { ...filled, audience: 'selected' }
    expect(faultsOf(selected, context)).toEqual({ recipientIds: pingTexts.noRecipients })
    expect(faultsOf({ ...selected, recipientIds: [bob] }, context)).toEqual({})
  })

  test('takes a start in the future and within 30 days', () => {
    const startingAt = (atMs: number): PingForm => ({ ...filled, isScheduled: true, startsAt: localInputOf(atMs) })
    const wrong = { startsAt: pingTexts.scheduleInvalid }
    expect(faultsOf({ ...filled, isScheduled: true }, context)).toEqual(wrong)
    expect(faultsOf(startingAt(nowMs), context)).toEqual(wrong)
    expect(faultsOf(startingAt(nowMs + minuteMs), context)).toEqual({})
    expect(faultsOf(startingAt(nowMs + pingLimits.scheduleHorizonMs), context)).toEqual({})
    expect(faultsOf(startingAt(nowMs + pingLimits.scheduleHorizonMs + minuteMs), context)).toEqual(wrong)
  })
})

describe('what is sent', () => {
  test('leaves out the recipients for all friends, and what is empty', () => {
    expect(newPingOf({ ...filled, name: ' Coffee at Nero ' }, place)).toEqual({
      name: 'Coffee at Nero',
      ...place,
      duration_minutes: 30,
      is_public: false,
      responses_visible: true,
    })
  })

  test('takes the address along where one is known', () => {
    expect(newPingOf(filled, place)).not.toHaveProperty('address')
    expect(newPingOf(filled, place, '1564 Broadway')).toMatchObject({ address: '1564 Broadway' })
  })

  test('names selected friends and the start as a moment', () => {
    const startsAt = localInputOf(nowMs + 60 * minuteMs)
    const sent = newPingOf({ ...filled, audience: 'selected', recipientIds: [bob], isScheduled: true, startsAt }, place)
    expect(sent.recipient_ids).toEqual([bob])
    expect(sent.activates_at).toBe('2026-11-21T13:00:00.000Z')
  })

  test('reads a local time back as it was written', () => {
    expect(momentOfLocalInput(localInputOf(nowMs))).toBe(nowMs)
    expect(momentOfLocalInput('')).toBeNaN()
  })
})

test('a group chat is offered with two recipients and more', () => {
  const selected: PingForm = { ...filled, audience: 'selected', recipientIds: [bob] }
  expect(offersGroupChat(filled, context)).toBe(true)
  expect(offersGroupChat(filled, { ...context, friendsCount: 1 })).toBe(false)
  expect(offersGroupChat(filled, { ...context, friendsCount: null })).toBe(false)
  expect(offersGroupChat(selected, context)).toBe(false)
  expect(offersGroupChat({ ...selected, recipientIds: [bob, 'cat' as UserId] }, context)).toBe(true)
})

describe('the audience in one sentence', () => {
  test('counts friends and adds the public link', () => {
    expect(audienceSentence(filled, context)).toMatch(/^12 friends, until /)
    expect(audienceSentence({ ...filled, isPublic: true }, context)).toMatch(/^12 friends and anyone with the link, /)
    expect(audienceSentence({ ...filled, isPublic: true }, { ...context, friendsCount: 0 })).toMatch(/^anyone with /)
    expect(audienceSentence({ ...filled, audience: 'selected', recipientIds: [bob] }, context)).toMatch(/^1 friend, /)
  })

  test('is not said while it is not known', () => {
    expect(audienceSentence(filled, { ...context, friendsCount: null })).toBeNull()
    expect(audienceSentence({ ...filled, audience: 'selected' }, context)).toBeNull()
    expect(audienceSentence({ ...filled, isScheduled: true }, context)).toBeNull()
  })
})

test("the server's faults stand beside the fields they are about", () => {
  const faults = [
    { loc: ['body', 'recipient_ids'], msg: pingTexts.recipientsNotFriends, type: 'x' },
    { loc: ['body', 'address'], msg: 'unheard of', type: 'x' },
  ]
  expect(faultsOfServer(faults)).toEqual({ recipientIds: pingTexts.recipientsNotFriends })
})
