import { expect, test } from 'vitest'
import { bubbleSize } from './photo-size.ts'

test('reserves the space of a photo of up to 280 pixels in width', () => {
  expect(bubbleSize(1600, 1200)).toEqual({ width: 280, height: 210 })
  expect(bubbleSize(1200, 1600)).toEqual({ width: 255, height: 340 })
  expect(bubbleSize(200, 150)).toEqual({ width: 200, height: 150 })
})

test('leaves space for a finger on very long and very small photos', () => {
  expect(bubbleSize(1600, 100)).toEqual({ width: 280, height: 90 })
  expect(bubbleSize(50, 1600)).toEqual({ width: 120, height: 340 })
  expect(bubbleSize(8, 8)).toEqual({ width: 120, height: 90 })
})

test('reserves a usual size for a photo whose size is unknown', () => {
  expect(bubbleSize(null, null)).toEqual({ width: 280, height: 210 })
})
