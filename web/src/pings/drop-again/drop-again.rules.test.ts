import type { Circle } from '@hither/contract/circles.ts'
import type { CircleId, ConversationId, PingId, UserId } from '@hither/contract/ids.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyPingForm, newPingOf } from '../create/create-ping.rules.ts'
import { durationOf, type PinRecord, recordOf } from '../pin-records/pin-records.rules.ts'
import { draftOfPing, inputOfPing } from './drop-again.rules.ts'

type RepeatedPing = Parameters<typeof recordOf>[0]

const [bob, cat, dan] = ['bob', 'cat', 'dan'] as [UserId, UserId, UserId]
const [close, chess] = ['close', 'chess'] as [CircleId, CircleId]
const unknown = { friendIds: null, circles: null }
const startMs = Date.parse('2026-11-01T18:00:00Z')

function pingOf(change: Partial<RepeatedPing> = {}): RepeatedPing {
  return {
    id: 'ping' as PingId,
    name: 'Coffee',
    is_unnamed: false,
    message: 'Upstairs',
    latitude: 40.7,
    longitude: -74,
    address: '2 Hudson Street',
    created_at: new Date(startMs).toISOString(),
    activates_at: null,
    expires_at: new Date(startMs + 60 * 60_000).toISOString(),
    updated_at: new Date(startMs).toISOString() as RepeatedPing['updated_at'],
    canceled_at: null,
    responses_visible: false,
    exact_place_for: 'going',
    area_km: 5,
    is_public: false,
    conversation_id: null,
    invited_all: true,
    audience: { circle_ids: [], recipient_ids: [], former_friend_count: 0 },
    ...change,
  }
}

function record(change: Partial<RepeatedPing> = {}): PinRecord {
  return recordOf(pingOf(change))
}

function selected(recipient_ids: UserId[], circle_ids: CircleId[] = [], former_friend_count = 0): PinRecord {
  return record({ invited_all: false, audience: { circle_ids, recipient_ids, former_friend_count } })
}

function circleOf(id: CircleId, member_ids: UserId[]): Circle {
  const at = '2026-01-01T00:00:00Z' as Circle['created_at']
  return { id, name: id, emoji: null, member_ids, created_at: at, updated_at: at }
}

test('the request has the content of the ping and neither its schedule nor its public link', () => {
  const activates_at = new Date(startMs + 30 * 60_000).toISOString()
  expect(inputOfPing(record({ is_public: true, activates_at }), unknown)).toEqual({
    name: 'Coffee',
    message: 'Upstairs',
    latitude: 40.7,
    longitude: -74,
    address: '2 Hudson Street',
    duration_minutes: 30,
    is_public: false,
    responses_visible: false,
    exact_place_for: 'going',
    area_km: 5,
  })
})

test('a ping for all friends names nobody, and one for some friends names those who are left', () => {
  expect(inputOfPing(record(), unknown)).not.toHaveProperty('recipient_ids')
  const friendIds = new Set([bob, dan])
  expect(inputOfPing(selected([bob, cat]), { friendIds, circles: null }).recipient_ids).toEqual([bob])
  expect(inputOfPing(selected([bob, cat]), unknown).recipient_ids).toEqual([bob, cat])
})

test('a circle is sent as its id with an empty list of people, and left out if it is deleted or empty', () => {
  const circles = [circleOf(close, [bob]), circleOf(chess, [])]
  const ping = selected([], [close, chess])
  expect(inputOfPing(ping, unknown)).toMatchObject({ recipient_ids: [], circle_ids: [close, chess] })
  expect(inputOfPing(ping, { friendIds: null, circles })).toMatchObject({ recipient_ids: [], circle_ids: [close] })
  const none = inputOfPing(ping, { friendIds: null, circles: [] })
  expect(none.recipient_ids).toEqual([])
  expect(none).not.toHaveProperty('circle_ids')
})

test('the form says who was left out and that the public link is off', () => {
  const linkOff = 'The public link is off for this pin.'
  const twoLeftOut = "2 people aren't your friends anymore and were left out."
  expect(draftOfPing(record(), unknown).notes).toEqual([])
  expect(draftOfPing(record({ is_public: true }), unknown).notes).toEqual([linkOff])
  expect(draftOfPing(selected([bob], [], 2), unknown).notes).toEqual([twoLeftOut])
  expect(draftOfPing(selected([bob, cat], [], 1), { friendIds: new Set([bob]), circles: null }).notes).toEqual([
    twoLeftOut,
  ])
  expect(draftOfPing(selected([], [], 1), unknown).notes).toEqual([
    "1 person isn't your friend anymore and was left out.",
  ])
})

test('if nobody is left, Selected friends is chosen and empty', () => {
  const { form } = draftOfPing(selected([bob], [], 1), { friendIds: new Set(), circles: null })
  expect(form).toMatchObject({ audience: 'selected', recipientIds: [] })
})

test('if the exact place is for people who are going, the owner approves guests', () => {
  expect(draftOfPing(record(), unknown).form).toMatchObject({ exactPlaceFor: 'going', guestPolicy: 'approval' })
  const forInvited = draftOfPing(record({ exact_place_for: 'invited' }), unknown).form
  expect(forInvited).toMatchObject({ exactPlaceFor: 'invited', guestPolicy: 'open' })
})

test('the form starts a group chat if the ping had one, is not scheduled, and replaces nothing', () => {
  const withChat = draftOfPing(record({ conversation_id: 'chat' as ConversationId }), unknown)
  expect(withChat).toMatchObject({
    image: null,
    replaces: null,
    form: { groupChat: true, isScheduled: false, startsAt: '' },
  })
  expect(draftOfPing(record(), unknown).form.groupChat).toBe(false)
})

test('the duration is offered, and not shorter than the life of the ping unless that is longer than all', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 300 }), (minutes) => {
      const expires_at = new Date(startMs + minutes * 60_000).toISOString()
      const updated_at = new Date(startMs - 1).toISOString() as RepeatedPing['updated_at']
      const duration = durationOf(pingOf({ expires_at, updated_at }))
      expect(pingLimits.durationsMinutes).toContain(duration)
      expect(duration).toBeGreaterThanOrEqual(Math.min(minutes, 240))
      const shorter = pingLimits.durationsMinutes.filter((offered) => offered < duration)
      for (const offered of shorter) expect(offered).toBeLessThan(minutes)
    }),
  )
})

test('a ping that was ended or canceled early is offered with the default duration, or a longer one that it has lived', () => {
  const at = (minutes: number) => new Date(startMs + minutes * 60_000).toISOString() as RepeatedPing['updated_at']
  const ended = (minutes: number) => pingOf({ expires_at: at(minutes), updated_at: at(minutes) })
  expect(durationOf(ended(4))).toBe(30)
  expect(durationOf(ended(70))).toBe(120)
  expect(durationOf(pingOf({ expires_at: at(4), updated_at: at(4), canceled_at: at(4) }))).toBe(30)
  expect(durationOf(pingOf({ expires_at: at(15), updated_at: at(5) }))).toBe(15)
  expect(inputOfPing(recordOf(ended(4)), unknown, 120).duration_minutes).toBe(120)
  expect(draftOfPing(recordOf(ended(4)), unknown, { duration: 120 }).form.duration).toBe(120)
})

test('without the exact place, the form has all other fields and no place', () => {
  const { place, form } = draftOfPing(record(), unknown, { hasPlace: false })
  expect(place).toBeUndefined()
  expect(form).toMatchObject({ name: 'Coffee', message: 'Upstairs', duration: 60, exactPlaceFor: 'going', areaKm: 5 })
})

test('an unnamed pin that is dropped again stays unnamed until it gets another name', () => {
  const quick = record({ name: 'My Pin', is_unnamed: true })
  expect(inputOfPing(quick, unknown)).toMatchObject({ name: 'My Pin', is_unnamed: true })
  const form = { ...emptyPingForm, ...draftOfPing(quick, unknown).form }
  expect(newPingOf(form, { latitude: 1, longitude: 2 })).toMatchObject({ name: 'My Pin', is_unnamed: true })
  expect(newPingOf({ ...form, name: 'Tea' }, { latitude: 1, longitude: 2 })).not.toHaveProperty('is_unnamed')
})
