import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCoordinates } from './coordinates.ts'

test.each([
  ['40.75, -73.99', 40.75, -73.99],
  ['40.75,-73.99', 40.75, -73.99],
  [' 40.75 -73.99 ', 40.75, -73.99],
  ['40.75; -73.99', 40.75, -73.99],
  ['40.75° N, 73.99° W', 40.75, -73.99],
  ['40.75N 73.99W', 40.75, -73.99],
  ['73.99 W 40.75 N', 40.75, -73.99],
  ['33.8568 s, 151.2153 e', -33.8568, 151.2153],
  [`40°45'32.0"N 73°59'06.4"W`, 40.758889, -73.985111],
  ['40° 45′ 32″ N, 73° 59′ 6″ W', 40.758889, -73.985],
  [`40°45'N 73°59'W`, 40.75, -73.983333],
  ['0, 0', 0, 0],
  ['-90, 180', -90, 180],
])('parses %s as a point', (text, latitude, longitude) => {
  const point = readCoordinates(text)
  expect(point?.latitude).toBeCloseTo(latitude, 6)
  expect(point?.longitude).toBeCloseTo(longitude, 6)
})

test.each([
  'Hoboken',
  '40.75',
  '5th Avenue 350',
  '12, rue 5',
  '91, 0',
  '0, 181',
  '40 N 50 N',
  '-40 N, 73 W',
  `40°61'N 73°W`,
  '1 2 3',
  '10118',
  '40.75,',
  'NaN, NaN',
  '1e1, 2',
])('does not parse %s as a point', (text) => {
  expect(readCoordinates(text)).toBeNull()
})

test('every point written with a comma is parsed back to the same point', () => {
  const degrees = (most: number) =>
    fc.double({ min: -most, max: most, noNaN: true }).map((value) => Number(value.toFixed(6)))
  fc.assert(
    fc.property(degrees(90), degrees(180), (latitude, longitude) => {
      const point = readCoordinates(`${latitude.toFixed(6)}, ${longitude.toFixed(6)}`)
      expect(point?.latitude).toBeCloseTo(latitude, 6)
      expect(point?.longitude).toBeCloseTo(longitude, 6)
    }),
  )
})

test('a parsed point is on the globe, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...`0123456789.°'"NSEW,; -`), maxLength: 120 }), (text) => {
      const point = readCoordinates(text)
      if (point !== null) expect(Math.abs(point.latitude)).toBeLessThanOrEqual(90)
    }),
    { numRuns: 500 },
  )
})
