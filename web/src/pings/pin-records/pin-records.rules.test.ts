import type { PingId } from '@hither/contract/ids.ts'
import type { OwnPing } from '@hither/contract/pings.ts'
import { expect, test } from 'vitest'
import { type PinRecord, recordLimits, withSeenPings } from './pin-records.rules.ts'

const nowMs = Date.parse('2026-11-22T12:00:00Z')
const dayMs = 86_400_000

/** A ping of an hour that was created `daysAgo`. */
function pingOf(id: string, daysAgo: number, change: Partial<OwnPing> = {}): OwnPing {
  const createdMs = nowMs - daysAgo * dayMs
  return {
    id: id as PingId,
    name: id,
    message: null,
    latitude: 40.7,
    longitude: -74,
    address: null,
    created_at: new Date(createdMs).toISOString(),
    activates_at: null,
    expires_at: new Date(createdMs + 3_600_000).toISOString(),
    updated_at: new Date(createdMs - 1).toISOString(),
    canceled_at: null,
    is_public: false,
    invited_all: true,
    audience: { circle_ids: [], recipient_ids: [], former_friend_count: 0 },
    responses_visible: true,
    exact_place_for: 'everyone',
    area_km: 1,
    conversation_id: null,
    ...change,
  } as unknown as OwnPing
}

const idsOf = (records: readonly PinRecord[]) => records.map(({ ping_id }) => ping_id)

test('the newest 200 records are stored, each for 30 days after the creation of its ping', () => {
  const many = Array.from({ length: 250 }, (_, n) => pingOf(`ping ${n}`, n / 100))
  const records = withSeenPings([], many, nowMs)
  expect(records).toHaveLength(recordLimits.count)
  expect(idsOf(records)[0]).toBe('ping 0')
  expect(idsOf(records)).not.toContain('ping 200')
  const old = withSeenPings([], [pingOf('old', 29.99), pingOf('older', 30)], nowMs)
  expect(idsOf(old)).toEqual(['old'])
  expect(withSeenPings(old, [], nowMs + dayMs)).toEqual([])
})

test('a changed ping replaces its record, and the same ping changes nothing', () => {
  const records = withSeenPings([], [pingOf('coffee', 1)], nowMs)
  expect(withSeenPings(records, [pingOf('coffee', 1)], nowMs)).toBe(records)
  const renamed = withSeenPings(records, [pingOf('coffee', 1, { name: 'Tea' })], nowMs)
  expect(renamed).toMatchObject([{ ping_id: 'coffee', name: 'Tea' }])
})

test('a ping that is ended early keeps its planned duration', () => {
  const records = withSeenPings([], [pingOf('coffee', 1)], nowMs)
  const endedAt = new Date(nowMs - dayMs + 60_000).toISOString() as OwnPing['updated_at']
  const ended = pingOf('coffee', 1, { expires_at: endedAt, updated_at: endedAt })
  expect(withSeenPings(records, [ended], nowMs)).toMatchObject([{ duration_minutes: 60 }])
  expect(withSeenPings([], [ended], nowMs)).toMatchObject([{ duration_minutes: 30 }])
})
