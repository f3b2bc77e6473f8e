import type { PingId } from '@hither/contract/ids.ts'
import type { Trip } from '@hither/contract/trips.ts'
import { expect, test } from 'vitest'
import { msUntilDrop, nextStep, type UnsentTrip, unsentShare, withUnsent } from './unsent-trips.rules.ts'

const minuteMs = 60_000
const nowMs = Date.parse('2026-11-21T19:00:00.000Z')

test.each([
  [10, 0, 10],
  [10, 1, 9],
  [10, 2, 8],
  [1, 2, 1],
  [180, 1, 179],
])('a start with %i minutes that is sent after %i minutes has %i', (minutes, waited, eta_minutes) => {
  const unsent = unsentShare({ minutes }, nowMs)
  expect(nextStep(unsent, nowMs + waited * minuteMs)).toEqual({ kind: 'share', eta_minutes })
})

test('a start that waited for more than two minutes is dropped', () => {
  const unsent = unsentShare({ minutes: 10 }, nowMs)
  expect(nextStep(unsent, nowMs + 2 * minuteMs + 1)).toEqual({ kind: 'dropped' })
  expect(nextStep(unsent, nowMs + 3 * minuteMs)).toEqual({ kind: 'dropped' })
})

test('a stop is sent however long it has waited', () => {
  expect(nextStep({ kind: 'stop' }, nowMs + 24 * 60 * minuteMs)).toEqual({ kind: 'stop' })
})

test('the next start is dropped when it has waited for two minutes, and stops are not', () => {
  const [first, second] = [unsentShare({ minutes: 10 }, nowMs), unsentShare({ minutes: 20 }, nowMs + minuteMs)]
  const leftMs = msUntilDrop([second, first, { kind: 'stop' }], nowMs + minuteMs)
  expect(leftMs).toBe(minuteMs + 1)
  expect(nextStep(first, nowMs + minuteMs + (leftMs ?? 0))).toEqual({ kind: 'dropped' })
  expect(msUntilDrop([first], nowMs + 9 * minuteMs)).toBe(0)
  expect(msUntilDrop([{ kind: 'stop' }], nowMs)).toBeNull()
})

test('only the latest decision about a pin waits, with the trip that the server knows', () => {
  const trip = { started_at: '2026-11-21T18:55:00.000Z' } as Trip
  const item = (client_id: string, ping_id: string, before: Trip | null = null): UnsentTrip => ({
    ...unsentShare({ minutes: 10 }, nowMs),
    client_id,
    ping_id: ping_id as PingId,
    before,
  })
  const waiting = withUnsent(withUnsent([], item('a', 'p', trip)), item('b', 'q'))
  const stop = { kind: 'stop', client_id: 'c', ping_id: 'p' as PingId, before: null } as const
  expect(withUnsent(waiting, stop)).toEqual([item('b', 'q'), { ...stop, before: trip }])
})
