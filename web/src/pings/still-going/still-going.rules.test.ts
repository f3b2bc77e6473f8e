import { expect, test } from 'vitest'
import { clockTime } from '../../ui/format-time.ts'
import { questionText } from './still-going.rules.ts'

const nowMs = new Date(2026, 10, 21, 12).getTime()
const startMs = new Date(2026, 10, 21, 20, 30).getTime()
const ping = { created_at: new Date(nowMs).toISOString(), activates_at: new Date(startMs).toISOString() }
const going = { response_type: 'accepted', revision: 1 } as const
const maybe = { response_type: 'tentative', revision: 1 } as const

test.each([
  ['the time', { time_revision: 2, place_revision: 1 }, `the time to ${clockTime(startMs)}`],
  ['the place', { time_revision: 0, place_revision: 2 }, 'the place'],
  ['both', { time_revision: 3, place_revision: 2 }, 'the time and place'],
])('names %s if that has changed since the response', (_what, revisions, text) => {
  expect(questionText('sam', { ...ping, ...revisions }, going, nowMs)).toBe(`sam changed ${text}. Still going?`)
  expect(questionText('sam', { ...ping, ...revisions }, maybe, nowMs)).toBe(`sam changed ${text}. Are you going?`)
})

test('names the day of a start on another day', () => {
  const tomorrow = new Date(startMs + 86_400_000)
  const later = { ...ping, activates_at: tomorrow.toISOString(), time_revision: 2, place_revision: 0 }
  expect(questionText('sam', later, going, nowMs)).toBe(
    `sam changed the time to Sun ${clockTime(tomorrow.getTime())}. Still going?`,
  )
})
