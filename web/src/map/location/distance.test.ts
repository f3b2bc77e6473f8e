import { expect, test } from 'vitest'
import { distanceM, distanceText } from './distance.ts'

const timesSquare = { latitude: 40.758, longitude: -73.9855 }

test('distanceM returns great-circle distances', () => {
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
  [1609, 'de,es-US', '1 mi away, 25 min walk'],
])('%i metres are formatted for %s as %s', (metres, languages, text) => {
  expect(distanceText(metres, languages.split(','))).toBe(text)
})
