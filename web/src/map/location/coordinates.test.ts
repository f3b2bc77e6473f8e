import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coordinatesIn, coordinatesText } from './coordinates.ts'

test.each([
  ['40.7589, -73.9851', { latitude: 40.7589, longitude: -73.9851 }],
  ['40.7589 -73.9851', { latitude: 40.7589, longitude: -73.9851 }],
  ['33.8568° S, 151.2153° E', { latitude: -33.8568, longitude: 151.2153 }],
  ['91, 0', null],
  ['10, 181', null],
  ['10 Downing Street', null],
  ['5th Avenue 10', null],
  ['10012', null],
])('coordinatesIn parses %j as %j', (text, place) => {
  expect(coordinatesIn(text)).toEqual(place)
})

test('formatted coordinates can be parsed', () => {
  const place = fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  })
  fc.assert(
    fc.property(place, (given) => {
      const read = coordinatesIn(coordinatesText(given))
      expect(read?.latitude).toBeCloseTo(given.latitude, 3)
      expect(read?.longitude).toBeCloseTo(given.longitude, 3)
    }),
  )
})
