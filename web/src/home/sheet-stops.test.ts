import { expect, test } from 'vitest'
import { handlePx, headingsPx, heightOf, peekOf, restingStop } from './sheet-stops.ts'

const peekPx = peekOf(724, false)

test('the three stops are in ascending order, also on a small phone', () => {
  for (const availablePx of [320, 480, 724, 900]) {
    for (const isLow of [false, true]) {
      const lowestPx = peekOf(availablePx, isLow)
      const [peek, half, full] = (['peek', 'half', 'full'] as const).map((stop) =>
        heightOf(stop, availablePx, lowestPx),
      )
      expect(peek).toBeLessThanOrEqual(half ?? 0)
      expect(half).toBeLessThanOrEqual(full ?? 0)
      expect(full).toBeLessThanOrEqual(availablePx)
    }
  }
})

test('the lowest stop shows the first row, at most half of the map, and on a low screen the handle', () => {
  expect(peekOf(724, false)).toBeGreaterThan(headingsPx + 100)
  expect(peekOf(400, false)).toBe(200)
  expect(peekOf(200, false)).toBe(headingsPx)
  expect(peekOf(302, true)).toBe(handlePx)
})

test('what is above the headings raises the lowest stop by its height, so that the lists stay where they are', () => {
  expect(peekOf(724, false, 56)).toBe(peekOf(724, false) + 56)
  expect(peekOf(400, false, 56)).toBe(256)
  expect(peekOf(302, true, 56)).toBe(handlePx)
})

test('a sheet released without speed moves to the nearest stop', () => {
  expect(restingStop(peekPx + 20, 0, 'half', 724, peekPx)).toBe('peek')
  expect(restingStop(380, 0, 'peek', 724, peekPx)).toBe('half')
  expect(restingStop(640, 0, 'peek', 724, peekPx)).toBe('full')
})

test('a flick moves to the next stop, at most to the last one', () => {
  expect(restingStop(300, 1, 'peek', 724, peekPx)).toBe('half')
  expect(restingStop(600, 1, 'full', 724, peekPx)).toBe('full')
  expect(restingStop(600, -1, 'full', 724, peekPx)).toBe('half')
  expect(restingStop(260, -1, 'peek', 724, peekPx)).toBe('peek')
})
