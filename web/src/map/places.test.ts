import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coordinatesIn, coordinatesText } from './coordinates.ts'
import { distanceM, distanceText } from './distance.ts'

test.each([
  ['40.7589, -73.9851', { latitude: 40.7589, longitude: -73.9851 }],
  ['40.7589 -73.9851', { latitude: 40.7589, longitude: -73.9851 }],
  ['33.8568° S, 151.2153° E', { latitude: -33.8568, longitude: 151.2153 }],
  ['91, 0', null],
  ['10, 181', null],
  ['10 Downing Street', null],
  ['5th Avenue 10', null],
  ['10012', null],
])('%j is read as %j', (text, place) => {
  expect(coordinatesIn(text)).toEqual(place)
})

test('coordinates that are written can be read', () => {
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

const timesSquare = { latitude: 40.758, longitude: -73.9855 }

test('distances are those of a globe', () => {
  expect(distanceM(timesSquare, timesSquare)).toBe(0)
  expect(distanceM(timesSquare, { latitude: 40.7484, longitude: -73.9857 })).toBeCloseTo(1067, -2)
  expect(distanceM({ latitude: 0, longitude: 179.9 }, { latitude: 0, longitude: -179.9 })).toBeCloseTo(22_239, -2)
})

test.each([
  [3, 'de-DE', '10 m away, 1 min walk'],
  [640, 'en-AU', '640 m away, 10 min walk'],
  [2500, 'en-AU', '2.5 km away, 39 min walk'],
  [12_000, 'en-AU', '12 km away'],
  [50, 'en-US', '160 ft away, 1 min walk'],
  [1609, 'en-US', '1 mi away, 25 min walk'],
])('%i metres read in %s: %s', (metres, locale, text) => {
  expect(distanceText(metres, locale)).toBe(text)
})
