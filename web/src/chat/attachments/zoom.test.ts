import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitted, scales, wholeImage, within, zoomed } from './zoom.ts'

const frame = { width: 390, height: 844 }

test('keeps the image point under the fingers in its place', () => {
  const at = { x: 100, y: -50 }
  expect(zoomed(wholeImage, 2, at)).toEqual({ scale: 2, x: -100, y: 50 })
  const coordinate = fc.integer({ min: -400, max: 400 })
  fc.assert(
    fc.property(fc.double({ min: 0.2, max: 5, noNaN: true }), coordinate, coordinate, (factor, x, y) => {
      const before = { scale: 2, x: 30, y: -20 }
      const after = zoomed(before, factor, { x, y })
      expect((x - after.x) / after.scale).toBeCloseTo((x - before.x) / before.scale)
      expect((y - after.y) / after.scale).toBeCloseTo((y - before.y) / before.scale)
    }),
  )
})

test('limits the zoom', () => {
  expect(zoomed(wholeImage, 100, { x: 0, y: 0 }).scale).toBe(scales.max)
  expect(zoomed({ ...wholeImage, scale: 2 }, 0.01, { x: 0, y: 0 }).scale).toBe(scales.min)
})

test('never shows space beside a zoomed image, and centers one that is smaller than the frame', () => {
  const image = { width: 390, height: 260 }
  expect(within({ scale: 1, x: 80, y: 80 }, frame, image)).toEqual({ scale: 1, x: 0, y: 0 })
  expect(within({ scale: 2, x: 500, y: 80 }, frame, image)).toEqual({ scale: 2, x: 195, y: 0 })
  expect(within({ scale: 6, x: 0, y: -900 }, frame, image)).toEqual({ scale: 6, x: 0, y: -358 })
})

test('fits a large image into the frame and does not enlarge a small one', () => {
  expect(fitted({ width: 1600, height: 1200 }, frame)).toEqual({ width: 390, height: 292.5 })
  expect(fitted({ width: 100, height: 50 }, frame)).toEqual({ width: 100, height: 50 })
})
