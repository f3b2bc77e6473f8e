import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { coordinatesIn, plainCoordinates } from './coordinates.ts'

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
      const read = coordinatesIn(plainCoordinates(given))
      expect(read?.latitude).toBeCloseTo(given.latitude, 3)
      expect(read?.longitude).toBeCloseTo(given.longitude, 3)
    }),
  )
})

test.each([
  ['en', '40.7589, -73.9851'],
  ['ar', '\u206640.7589, -73.9851\u2069'],
])('the coordinates on a screen in %s are read from left to right', async (lang, text) => {
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.resetModules()
  vi.stubGlobal('document', { documentElement: { lang } })
  const { coordinatesText } = await import('./coordinates.ts')
  expect(coordinatesText({ latitude: 40.7589, longitude: -73.9851 })).toBe(text)
})
