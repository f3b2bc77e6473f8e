import type { Circle } from '@hither/contract/circles.ts'
import type { CircleId, UserId } from '@hither/contract/ids.ts'
import type { OwnPing } from '@hither/contract/pings.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WaitingPing } from '../outbox/outbox.rules.ts'
import { recordOf } from '../pin-records/pin-records.rules.ts'
import {
  groupKeyOf,
  needsCircles,
  scoreOf,
  suggestionsOf,
  unexpiredKeysOf,
  waitingKeysOf,
} from './suggestions.rules.ts'

const nowMs = Date.parse('2026-11-22T12:00:00Z')
const dayMs = 86_400_000
const [bob, cat, dan] = ['bob', 'cat', 'dan'] as [UserId, UserId, UserId]
const close = 'close' as CircleId
const unknown = { friendIds: null, circles: null }
let lastId = 0

/** A ping that was created `daysAgo` and ended half an hour later. */
function pingOf(name: string, daysAgo: number, change: Partial<OwnPing> = {}): OwnPing {
  const createdMs = nowMs - daysAgo * dayMs
  return {
    id: `ping ${++lastId}`,
    access: 'owner',
    name,
    latitude: 40.7,
    longitude: -74,
    created_at: new Date(createdMs).toISOString(),
    activates_at: null,
    expires_at: new Date(createdMs + 30 * 60_000).toISOString(),
    updated_at: new Date(createdMs).toISOString(),
    canceled_at: null,
    is_public: false,
    invited_all: true,
    audience: { circle_ids: [], recipient_ids: [], former_friend_count: 0 },
    recipients: [],
    conversation_id: null,
    ...change,
  } as unknown as OwnPing
}

const keyOf = (ping: OwnPing) => groupKeyOf(recordOf(ping))
/** The device has a record of each of the pings. */
const suggestedOf = (pings: OwnPing[], addressees: Parameters<typeof suggestionsOf>[1] = unknown) =>
  suggestionsOf(pings.map(recordOf), addressees, nowMs, unexpiredKeysOf(pings, nowMs))
const namesOf = (...given: Parameters<typeof suggestedOf>) => suggestedOf(...given).map(({ record }) => record.name)
const selected = (recipient_ids: UserId[], circle_ids: CircleId[] = [], former_friend_count = 0) => ({
  invited_all: false,
  audience: { circle_ids, recipient_ids, former_friend_count },
})
const circleOf = (member_ids: UserId[]) => ({ id: close, name: 'Close friends', member_ids }) as unknown as Circle

test('two equal pings make a suggestion, and one makes none', () => {
  expect(namesOf([pingOf('Coffee', 1), pingOf('Coffee', 2), pingOf('Tea', 1)])).toEqual(['Coffee'])
})

test('public pings and pings older than 30 days do not count', () => {
  expect(namesOf([pingOf('Coffee', 1, { is_public: true }), pingOf('Coffee', 2)])).toEqual([])
  expect(namesOf([pingOf('Coffee', 1), pingOf('Coffee', 30.01)])).toEqual([])
  expect(namesOf([pingOf('Coffee', 1), pingOf('Coffee', 29.99)])).toEqual(['Coffee'])
})

test('an active or a scheduled ping hides its group and no other', () => {
  const active = { expires_at: new Date(nowMs + 60_000).toISOString() }
  const scheduled = { ...active, activates_at: new Date(nowMs + 30_000).toISOString() }
  const tea = [pingOf('Tea', 1), pingOf('Tea', 2)]
  expect(namesOf([pingOf('Coffee', 0.01, active), pingOf('Coffee', 2), ...tea])).toEqual(['Tea'])
  expect(namesOf([pingOf('Coffee', 0.01, scheduled), pingOf('Coffee', 2), ...tea])).toEqual(['Tea'])
  const canceled = { ...active, canceled_at: new Date(nowMs).toISOString() as OwnPing['canceled_at'] }
  expect(namesOf([pingOf('Coffee', 0.01, canceled), pingOf('Coffee', 2)])).toEqual(['Coffee'])
})

test('a score halves in seven days, so five old pings come after three new ones', () => {
  expect(scoreOf(0)).toBe(1)
  expect(scoreOf(7 * dayMs)).toBeCloseTo(0.5)
  expect(scoreOf(-dayMs)).toBe(1)
  const old = Array.from({ length: 5 }, () => pingOf('Old', 14))
  const recent = Array.from({ length: 3 }, () => pingOf('Recent', 1))
  expect(namesOf([...old, ...recent])).toEqual(['Recent', 'Old'])
})

test('the best three are suggested, and of equal scores the group with the newest ping is first', () => {
  const pings = ['A', 'B', 'C', 'D'].flatMap((name, n) => [pingOf(name, n + 1), pingOf(name, n + 1)])
  expect(namesOf(pings)).toEqual(['A', 'B', 'C'])
  const old = Array.from({ length: 4 }, () => pingOf('Old', 14))
  const newer = Array.from({ length: 2 }, () => pingOf('Newer', 7))
  expect(namesOf([...old, ...newer])).toEqual(['Newer', 'Old'])
})

test('the content is that of the newest ping', () => {
  const pings = [pingOf('coffee ', 3, { message: 'old' }), pingOf('Coffee', 1, { message: 'new' }), pingOf('COFFEE', 2)]
  const [suggestion] = suggestedOf(pings)
  expect(suggestion?.record).toMatchObject({ name: 'Coffee', message: 'new', duration_minutes: 30 })
})

test('names without case and space, places of three decimals and audiences in any order make a group', () => {
  const key = keyOf(pingOf('Coffee', 1, selected([bob, cat])))
  expect(keyOf(pingOf(' coffee ', 2, { ...selected([cat, bob]), latitude: 40.70049 }))).toBe(key)
  for (const change of [{ latitude: 40.70051 }, { longitude: -74.001 }, selected([bob]), { invited_all: true }])
    expect(keyOf(pingOf('Coffee', 2, { ...selected([bob, cat]), ...change }))).not.toBe(key)
})

test('a group that nobody would receive is left out', () => {
  const twice = (change: Partial<OwnPing>) => [pingOf('Coffee', 1, change), pingOf('Coffee', 2, change)]
  expect(namesOf(twice({}), { friendIds: new Set(), circles: [] })).toEqual([])
  expect(namesOf(twice(selected([], [], 2)))).toEqual([])
  expect(namesOf(twice(selected([bob])), { friendIds: new Set([cat]), circles: [] })).toEqual([])
  expect(namesOf(twice(selected([], [close])), { friendIds: null, circles: [circleOf([])] })).toEqual([])
  expect(namesOf(twice(selected([], [close])), { friendIds: null, circles: [circleOf([bob])] })).toEqual(['Coffee'])
})

test('the audience is named by its circles, all friends or a number, and each person counts once', () => {
  const friendIds = new Set([bob, cat, dan])
  const known = { friendIds, circles: [circleOf([bob, cat])] }
  const of = (change: Partial<OwnPing>, addressees: Parameters<typeof suggestionsOf>[1] = known) => {
    const [suggestion] = suggestedOf([pingOf('Coffee', 1, change), pingOf('Coffee', 2, change)], addressees)
    return [suggestion?.audience, suggestion?.friendsCount]
  }
  expect(of({})).toEqual(['All friends', 3])
  expect(of({}, unknown)).toEqual(['All friends', null])
  expect(of(selected([bob, cat]))).toEqual(['2 friends', 2])
  expect(of(selected([], [close]))).toEqual(['Close friends', 2])
  expect(of(selected([bob, dan], [close]))).toEqual(['Close friends and 2 friends', 3])
})

test('a group is left out while one of its pins waits to be sent after its first attempt', () => {
  const pings = [pingOf('Coffee', 1, selected([bob], [close])), pingOf('Coffee', 2, selected([bob], [close]))]
  const known = { friendIds: new Set([bob]), circles: [circleOf([bob])] }
  const input = { name: 'coffee', latitude: 40.7, longitude: -74, recipient_ids: [bob], circle_ids: [close] }
  const unsent = { client_id: 'a', written_at: nowMs, input, image: null, wants_chat: false, refusal: null, made: null }
  const namesWith = (...waiting: WaitingPing[]) =>
    suggestionsOf(pings.map(recordOf), known, nowMs, waitingKeysOf(waiting, nowMs)).map(({ record }) => record.name)
  expect(namesWith(unsent)).toEqual([])
  // Deleted circles and former friends are left out of the request, so the button says which group it is of.
  const button = keyOf(pings[0] as OwnPing)
  expect(namesWith({ ...unsent, button, input: { ...input, recipient_ids: [], circle_ids: [] } })).toEqual([])
  expect(namesWith({ ...unsent, input: { ...input, circle_ids: [] } })).toEqual(['Coffee'])
  expect(namesWith({ ...unsent, send_after: nowMs })).toEqual(['Coffee'])
  expect(namesWith({ ...unsent, refusal: 'Circle not found' })).toEqual(['Coffee'])
  expect(namesWith({ ...unsent, written_at: nowMs - dayMs })).toEqual(['Coffee'])
})

test('a group for circles is left out while the circles are unknown, and needs them unless it is for all friends', () => {
  const twice = (change: Partial<OwnPing>) => [pingOf('Coffee', 1, change), pingOf('Coffee', 2, change)]
  const recipients = [{}] as unknown as OwnPing['recipients']
  const forCircle = { ...selected([], [close], 2), recipients }
  expect(namesOf([...twice(forCircle), pingOf('Tea', 1), pingOf('Tea', 2)])).toEqual(['Tea'])
  expect(needsCircles(twice(forCircle).map(recordOf), nowMs)).toBe(true)
  expect(needsCircles(twice(selected([bob])).map(recordOf), nowMs)).toBe(false)
  expect(needsCircles(twice({ ...forCircle, invited_all: true }).map(recordOf), nowMs)).toBe(false)
  expect(needsCircles([pingOf('Coffee', 1, forCircle)].map(recordOf), nowMs)).toBe(false)
})

test('suggestions are at most three groups of two or more, in the order of their scores, whatever the order of the pings', () => {
  const anyPing = fc
    .record({ name: fc.constantFrom('A', 'B', 'C', 'D', 'E'), hoursAgo: fc.integer({ min: 1, max: 960 }) })
    .map(({ name, hoursAgo }) => pingOf(name, hoursAgo / 24))
  fc.assert(
    fc.property(fc.uniqueArray(anyPing, { maxLength: 40, selector: ({ created_at }) => created_at }), (pings) => {
      const names = namesOf(pings)
      expect(names.length).toBeLessThanOrEqual(3)
      const ages = (name: string) =>
        pings.filter((ping) => ping.name === name).map(({ created_at }) => nowMs - Date.parse(created_at))
      const counted = (name: string) => ages(name).filter((ageMs) => ageMs <= 30 * dayMs)
      const scores = names.map((name) => counted(name).reduce((sum, ageMs) => sum + scoreOf(ageMs), 0))
      for (const name of names) expect(counted(name).length).toBeGreaterThanOrEqual(2)
      for (const [index, score] of scores.entries())
        expect(score).toBeGreaterThanOrEqual((scores[index + 1] ?? 0) - 1e-9)
      expect(namesOf([...pings].reverse())).toEqual(names)
    }),
  )
})
