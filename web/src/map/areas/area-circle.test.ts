import { areaOf } from '@hither/contract/runtime/areas.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distanceM } from '../location/distance.ts'
import { circleOf, zoomOfCircle } from './area-circle.ts'

test.each([1000, 5000])('all corners of a circle of %d m have its distance from the center', (radiusM) => {
  fc.assert(
    fc.property(
      fc.double({ min: -89.9, max: 89.9, noNaN: true }),
      fc.double({ min: -180, max: 180, noNaN: true }),
      (latitude, longitude) => {
        const [ring = []] = circleOf({ latitude, longitude }, radiusM).coordinates
        for (const [lng = 0, lat = 0] of ring)
          expect(
            Math.abs(distanceM({ latitude, longitude }, { latitude: lat, longitude: lng }) - radiusM),
          ).toBeLessThan(1)
      },
    ),
  )
})

test('a circle is closed, and crosses the date line without a jump', () => {
  const [ring = []] = circleOf(areaOf(10.5, 180, 5), 5000).coordinates
  expect(ring[0]).toEqual(ring.at(-1))
  const longitudes = ring.map(([lng = 0]) => lng)
  expect(Math.max(...longitudes) - Math.min(...longitudes)).toBeLessThan(0.1)
})

test('the zoom of a circle shows its diameter', () => {
  const berlin = { latitude: 52.525, longitude: 13.411861 }
  // One more zoom level doubles the size on the screen.
  expect(zoomOfCircle(berlin, 1000, 200) - zoomOfCircle(berlin, 1000, 100)).toBeCloseTo(1)
  expect(zoomOfCircle(berlin, 1000, 200) - zoomOfCircle(berlin, 5000, 200)).toBeCloseTo(Math.log2(5))
  expect(zoomOfCircle({ latitude: 0, longitude: 0 }, 1000, 200)).toBeCloseTo(12.93, 1)
  expect(zoomOfCircle({ latitude: 90, longitude: 0 }, 1000, 200)).toBeGreaterThan(1)
})
