import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { Trip } from '@hither/contract/trips.ts'
import { expect, test } from 'vitest'
import { isContinued, readStoredEstimate } from './stored-estimate.rules.ts'

const stored = { ping_id: 'p' as PingId, started_at: '2026-11-21T19:00:00.000Z', mode: 'bike' } as const
const trip: Trip = {
  ping_id: stored.ping_id,
  user_id: 'bob' as UserId,
  username: 'bob',
  state: 'en_route',
  arrives_at: '2026-11-21T19:42:00.000Z',
  started_at: stored.started_at,
  updated_at: '2026-11-21T19:05:00.000Z',
}

test('a stored estimate is read without other fields, and a value of another form is none', () => {
  expect(readStoredEstimate({ ...stored, latitude: 45.5 })).toEqual(stored)
  for (const value of [null, 'p', {}, { ...stored, mode: 'fly' }, { ...stored, started_at: 1 }, { mode: 'walk' }])
    expect(readStoredEstimate(value)).toBeNull()
})

test('an estimate goes on as long as the same trip is on the way', () => {
  expect(isContinued(stored, trip)).toBe(true)
  expect(isContinued(stored, undefined)).toBe(false)
  expect(isContinued(stored, { ...trip, state: 'arrived' })).toBe(false)
  expect(isContinued(stored, { ...trip, started_at: '2026-11-21T19:01:00.000Z' })).toBe(false)
  expect(isContinued(stored, { ...trip, ping_id: 'q' as PingId })).toBe(false)
})
