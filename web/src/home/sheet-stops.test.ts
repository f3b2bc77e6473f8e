import { expect, test } from 'vitest'
import { heightOf, peekPx, restingStop } from './sheet-stops.ts'

test('the three stops rise, on a small phone too', () => {
  for (const availablePx of [320, 480, 724, 900]) {
    const [peek, half, full] = (['peek', 'half', 'full'] as const).map((stop) => heightOf(stop, availablePx))
    expect(peek).toBeLessThanOrEqual(half ?? 0)
    expect(half).toBeLessThanOrEqual(full ?? 0)
    expect(full).toBeLessThanOrEqual(availablePx)
  }
})

test('let go of without speed, the sheet rests at the nearest stop', () => {
  expect(restingStop(peekPx + 20, 0, 'half', 724)).toBe('peek')
  expect(restingStop(380, 0, 'peek', 724)).toBe('half')
  expect(restingStop(640, 0, 'peek', 724)).toBe('full')
})

test('a flick goes one stop on, and no further than the last', () => {
  expect(restingStop(200, 1, 'peek', 724)).toBe('half')
  expect(restingStop(200, 1, 'full', 724)).toBe('full')
  expect(restingStop(600, -1, 'full', 724)).toBe('half')
  expect(restingStop(160, -1, 'peek', 724)).toBe('peek')
})
