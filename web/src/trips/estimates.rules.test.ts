import { describe, expect, test } from 'vitest'
import { estimate, nextUpdate, type Position } from './estimates.rules.ts'

const minuteMs = 60_000
const pin = { latitude: 45.52, longitude: -122.68 }
/** A position north of the pin. A degree of latitude has 111,195 m on the sphere that distances use. */
const away = (meters: number, accuracyM = 20): Position => ({
  latitude: pin.latitude + meters / 111_195,
  longitude: pin.longitude,
  accuracyM,
})

test.each([
  [0, 'walk', 1],
  [64, 'walk', 1],
  [65, 'walk', 2],
  [1000, 'walk', 16],
  [1000, 'bike', 6],
  [1000, 'drive', 3],
  [40_000, 'drive', 100],
] as const)('%i m by the mode %s take %i minutes', (meters, mode, minutes) => {
  expect(estimate(away(meters), pin, mode)).toEqual({ minutes })
})

test('a position with an error of more than 500 m, or more than three hours away, gives no minutes', () => {
  expect(estimate(away(100, 500), pin, 'walk')).toEqual({ minutes: 2 })
  expect(estimate(away(100, 501), pin, 'walk')).toEqual({ problem: 'imprecise' })
  expect(estimate(away(11_500), pin, 'walk')).toEqual({ minutes: 180 })
  expect(estimate(away(11_600), pin, 'walk')).toEqual({ problem: 'too far' })
})

describe('a new position', () => {
  const nowMs = Date.parse('2026-11-21T19:00:00.000Z')
  const sent = (minutes: number, agoMs = minuteMs) => ({ atMs: nowMs - agoMs, arrivesMs: nowMs + minutes * minuteMs })

  test.each([
    [60, 20, true],
    [60, 100, true],
    [60, 101, false],
    [74, 20, true],
    [76, 20, false],
    [300, 20, false],
  ])('%i m away with an error of %i m is an arrival: %s', (meters, accuracyM, expected) => {
    const update = nextUpdate(away(meters, accuracyM), pin, 'walk', sent(1, 0), nowMs)
    expect(update?.kind === 'arrived').toBe(expected)
  })

  test('sends new minutes if the arrival differs by two minutes or more', () => {
    // 16 minutes on foot.
    const position = away(1000)
    const send = { kind: 'minutes', minutes: 16 }
    for (const minutes of [10, 14, 18, 30])
      expect(nextUpdate(position, pin, 'walk', sent(minutes), nowMs)).toEqual(send)
    for (const minutes of [14.1, 16, 17.9]) expect(nextUpdate(position, pin, 'walk', sent(minutes), nowMs)).toBeNull()
  })

  test('sends no minutes within 60 seconds of the last ones', () => {
    expect(nextUpdate(away(1000), pin, 'walk', sent(30, minuteMs - 1), nowMs)).toBeNull()
    expect(nextUpdate(away(1000), pin, 'walk', sent(30, minuteMs), nowMs)).not.toBeNull()
  })

  test('sends nothing if it is imprecise or too far away', () => {
    expect(nextUpdate(away(1000, 501), pin, 'walk', sent(30), nowMs)).toBeNull()
    expect(nextUpdate(away(50_000), pin, 'walk', sent(30), nowMs)).toBeNull()
  })
})
