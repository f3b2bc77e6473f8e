import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePlace } from './parse-place.ts'

const cafe = { latitude: 40.7033, longitude: -74.017 }

test.each([
  'geo:40.7033,-74.0170',
  'geo:40.7033,-74.0170,12;u=35',
  'geo:0,0?q=40.7033,-74.0170(Coffee at Nero)',
  'geo:40.7033,-74.0170?z=17',
  'GEO:40.7033,-74.0170',
  'https://www.google.com/maps/@40.7033,-74.0170,15z',
  'https://www.google.com/maps/place/Nero/@1.5,2.5,17z/data=!3m1!4b1!4m6!3m5!1s0x0:0x0!8m2!3d40.7033!4d-74.0170',
  'https://www.google.com/maps/search/?api=1&query=40.7033%2C-74.0170',
  'https://www.google.co.uk/maps?q=40.7033,-74.0170',
  'https://maps.google.com/maps?q=loc:40.7033,-74.0170',
  'https://www.google.com/maps/search/40.7033,+-74.0170',
  'https://www.google.com/maps/dir/?api=1&destination=40.7033,-74.0170',
  'https://www.openstreetmap.org/?mlat=40.7033&mlon=-74.0170#map=17/1/2',
  'https://www.openstreetmap.org/#map=17/40.7033/-74.0170',
  'https://www.openstreetmap.org/node/1#layers=N&map=17.5/40.7033/-74.0170',
  'https://maps.apple.com/?ll=40.7033,-74.0170&q=Nero',
  'https://maps.apple.com/?q=40.7033,-74.0170',
  'https://maps.apple.com/place?coordinate=40.7033,-74.0170&name=Nero',
  '40.7033, -74.0170',
  '40.7033° N, 74.0170° W',
])('finds the location in %s', (link) => {
  expect(parsePlace(link)?.place).toEqual(cafe)
  expect(parsePlace(`Come here:\n${link}\nsoon`)).toEqual({ place: cafe, words: link })
})

test.each([
  '',
  'Coffee at 4, bring 2',
  'https://maps.app.goo.gl/abcdef',
  'https://goo.gl/maps/abcdef',
  'https://example.org/maps/@40.7033,-74.0170,15z',
  'https://google.com.evil.example/maps/@40.7033,-74.0170,15z',
  'https://evilgoogle.com/maps/@40.7033,-74.0170,15z',
  'geo:91,0',
  'geo:0,0?q=Pioneer+Square',
  'geo:',
  'geo:,',
  '40.7, 181',
  'https://www.google.com/maps/@95.1,-74.0170,15z',
  'https://',
  'javascript:alert(1)',
])('finds no location in %j', (text) => {
  expect(parsePlace(text)).toBeNull()
})

test('any text gives a valid location or null, in linear time', () => {
  const bits = fc.constantFrom(
    'geo:',
    'https://www.google.com/maps/',
    '@',
    '!3d',
    '!4d',
    '?q=',
    ',',
    '-',
    '40.7',
    '%',
    '\n',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(bits, fc.string(), fc.integer().map(String)), { maxLength: 30 }), (parts) => {
      const found = parsePlace(parts.join(''))
      if (found === null) return
      expect(Math.abs(found.place.latitude)).toBeLessThanOrEqual(90)
      expect(Math.abs(found.place.longitude)).toBeLessThanOrEqual(180)
      expect(parts.join('')).toContain(found.words)
    }),
  )
})

test('any location is found in the formats of map apps', () => {
  const degrees = (max: number) => fc.integer({ min: -max * 1e5, max: max * 1e5 }).map((n) => n / 1e5)
  fc.assert(
    fc.property(degrees(90), degrees(180), (latitude, longitude) => {
      const pair = `${latitude.toFixed(5)},${longitude.toFixed(5)}`
      for (const link of [`geo:${pair}`, `https://maps.google.com/?q=${pair}`, `https://maps.apple.com/?ll=${pair}`])
        expect(parsePlace(link)?.place).toEqual({
          latitude: Number(latitude.toFixed(5)),
          longitude: Number(longitude.toFixed(5)),
        })
    }),
  )
})
