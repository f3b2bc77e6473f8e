import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { Trip } from '@hither/contract/trips.ts'
import { describe, expect, test } from 'vitest'
import { clockTime } from '../ui/format-time.ts'
import { audienceText, barText, cardLine, endWarning, rowName, rowText } from './trip-texts.rules.ts'

const minuteMs = 60_000
const arrivesMs = Date.parse('2026-11-21T19:42:00.000Z')
const time = clockTime(arrivesMs)
const trip: Trip = {
  ping_id: 'p' as PingId,
  user_id: 'bob' as UserId,
  username: 'bob',
  state: 'en_route',
  arrives_at: new Date(arrivesMs).toISOString(),
  started_at: '2026-11-21T19:00:00.000Z',
  updated_at: '2026-11-21T19:00:00.000Z',
}
/** The trip at this many minutes before its arrival, updated this many minutes before. */
const at = (leftMinutes: number, ageMinutes: number, state: Trip['state'] = 'en_route') => {
  const nowMs = arrivesMs - leftMinutes * minuteMs
  return [{ ...trip, state, updated_at: new Date(nowMs - ageMinutes * minuteMs).toISOString() }, nowMs] as const
}

describe('the row of a trip', () => {
  test.each([
    [12, 0, '12 min', `Arrives ${time}`],
    [11.2, 1.9, '12 min', `Arrives ${time}`],
    [12, 2, '12 min', `Arrives ${time} · updated 2 min ago`],
    [65, 6.5, '1 h 5 min', `Arrives ${time} · updated 6 min ago`],
    [0.01, 0, '1 min', `Arrives ${time}`],
    [0, 9, 'Arriving now', `Arrives ${time} · updated 9 min ago`],
    [-10, 19, 'Arriving now', `Arrives ${time} · updated 19 min ago`],
    [-10.01, 14, 'Should be here by now', 'Updated 14 min ago'],
  ])('%d minutes before the arrival, updated %d minutes ago, reads %s, %s', (left, age, main, second) => {
    expect(rowText(...at(left, age))).toEqual({ main, second, isHere: false })
  })

  test('of somebody who has arrived reads Here, however long ago', () => {
    for (const left of [5, -90])
      expect(rowText(...at(left, 100, 'arrived'))).toEqual({ main: 'Here', second: `Since ${time}`, isHere: true })
  })

  test.each([
    [12, 6, 'en_route', `Bob, arrives in 12 minutes, at ${time}, updated 6 minutes ago`],
    [12, 1, 'en_route', `Bob, arrives in 12 minutes, at ${time}`],
    [-1, 9, 'en_route', `Bob, arriving now, at ${time}, updated 9 minutes ago`],
    [-14, 14, 'en_route', 'Bob, should be here by now, updated 14 minutes ago'],
    [0, 9, 'arrived', `Bob, here since ${time}`],
  ] as const)('%d minutes before the arrival, updated %d minutes ago, %s, is named %s', (left, age, state, name) => {
    expect(rowName('Bob', ...at(left, age, state))).toBe(name)
  })
})

test('the card counts people on the way and those who have arrived', () => {
  const here: Trip = { ...trip, state: 'arrived' }
  expect(cardLine([])).toBeNull()
  expect(cardLine([trip])).toBe('1 on the way')
  expect(cardLine([here, here])).toBe('2 here')
  expect(cardLine([trip, here, trip])).toBe('2 on the way, 1 here')
})

test('the bar names the earliest arrival and the number of other trips', () => {
  const coffee = { name: 'Coffee at Nero', arrives_at: trip.arrives_at }
  const later = { name: 'Cinema', arrives_at: new Date(arrivesMs + minuteMs).toISOString() }
  expect(barText([])).toBeNull()
  expect(barText([coffee])).toBe(`On your way to Coffee at Nero · arriving ${time}`)
  expect(barText([later, coffee])).toBe(`On your way to Coffee at Nero · arriving ${time} and 1 more`)
})

test.each([
  [[], 'Nobody is going yet. People who answer Going will see it.'],
  [['Sam'], 'Only Sam will see when you arrive.'],
  [['Sam', 'Mia'], 'Sam and Mia will see when you arrive.'],
  [['Sam', 'Mia', 'Tom', 'Ida'], 'Sam and 3 others will see when you arrive.'],
])('the audience %j is described as %s', (names, text) => {
  expect(audienceText(names)).toBe(text)
})

test('a warning says that the pin ends before the arrival', () => {
  const nowMs = arrivesMs - 10 * minuteMs
  expect(endWarning(trip.arrives_at, 10, nowMs)).toBeNull()
  expect(endWarning(trip.arrives_at, 11, nowMs)).toBe(`This pin ends at ${time}, before you get there.`)
})
