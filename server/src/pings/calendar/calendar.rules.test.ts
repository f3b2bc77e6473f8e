import type { PingId } from '@hither/contract/ids.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { translatorOf } from '../../platform/languages/translator.ts'
import { calendarOf } from './calendar.rules.ts'

const ping = {
  id: '01900000-0000-7000-8000-000000000001' as PingId,
  username: 'ann',
  display_name: null,
  name: 'Coffee',
  latitude: 45.52,
  longitude: -122.68,
  address: null,
  activates_at: '2026-11-21T18:04:05.678Z',
  expires_at: '2026-11-21T22:04:05.678Z',
  is_public: false,
  message: null,
  updated_at: '2026-11-19T12:00:00.000Z',
  revision: 2,
  canceled_at: null,
}
const url = 'https://hither.example/pins/01900000-0000-7000-8000-000000000001'
const { t } = translatorOf('en')
const now = new Date('2026-11-20T00:00:00Z')

it('writes a calendar entry that calendar apps can read', () => {
  const fields = { name: 'Tea; cake, \\o/', address: 'First line\r\nSecond', message: 'Bring\nmugs' }
  expect(calendarOf({ ...ping, ...fields }, url, now, t)).toBe(
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Hither//Hither//EN',
      'BEGIN:VEVENT',
      'UID:01900000-0000-7000-8000-000000000001',
      'DTSTAMP:20261120T000000Z',
      'LAST-MODIFIED:20261119T120000Z',
      'SEQUENCE:2',
      'DTSTART:20261121T180405Z',
      'DTEND:20261121T220405Z',
      'SUMMARY:Tea\\; cake\\, \\\\o/',
      'LOCATION:First line\\nSecond',
      'GEO:45.520000;-122.680000',
      'DESCRIPTION:by ann\\nBring\\nmugs\\nhttps://hither.example/pins/01900000-0000-',
      ' 7000-8000-000000000001',
      'URL:https://hither.example/pins/01900000-0000-7000-8000-000000000001',
      'CLASS:PRIVATE',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  )
  expect(calendarOf(ping, url, now, t)).toContain('LOCATION:45.5200\\, -122.6800\r\n')
})

it.each([
  ['en', 'near Hoboken\\, New Jersey\\, US'],
  ['de', 'bei Hoboken\\, New Jersey\\, US'],
  ['es', 'cerca de Hoboken\\, New Jersey\\, US'],
  ['fr', 'près de Hoboken\\, New Jersey\\, US'],
  ['ar', 'قرب Hoboken\\, New Jersey\\, US'],
] as const)('names a place that is near a town in %s', (language, location) => {
  const near = { ...ping, address: 'near Hoboken, New Jersey, US' }
  expect(calendarOf(near, url, now, translatorOf(language).t)).toContain(`LOCATION:${location}\r\n`)
  const street = { ...ping, address: 'Nearby Street 1' }
  expect(calendarOf(street, url, now, translatorOf(language).t)).toContain('LOCATION:Nearby Street 1\r\n')
})

it('marks a canceled ping with a later sequence number', () => {
  const text = calendarOf({ ...ping, canceled_at: '2026-11-19T12:00:00.000Z' }, url, now, t)
  expect(text).toContain('SEQUENCE:3\r\nSTATUS:CANCELLED\r\n')
  expect(text).toContain('DTEND:20261121T220405Z\r\n')
})

it('round-trips any texts, adds no lines, and folds lines at 75 octets without cutting a character', () => {
  const words = fc.constantFrom(
    'a',
    ';',
    ',',
    '\\',
    'n',
    '\n',
    '\r',
    '\r\n',
    '\u2028',
    '\t',
    'é',
    '字',
    '📍',
    'END:VEVENT',
    ':',
    '"',
  )
  const text = fc.array(words, { maxLength: 120, size: 'max' }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, text, text, (name, address, message) => {
      const ics = calendarOf({ ...ping, name, address, message }, url, now, t)
      expect(ics.endsWith('\r\n')).toBe(true)
      const lines = ics.slice(0, -2).split('\r\n')
      for (const line of lines) {
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
        expect(line).not.toMatch(/[\n\r\u2028]|\ufffd/)
      }
      const unfolded = ics.slice(0, -2).replaceAll('\r\n ', '').split('\r\n')
      expect(unfolded.map((line) => line.split(':', 1)[0])).toEqual(
        'BEGIN VERSION PRODID BEGIN UID DTSTAMP LAST-MODIFIED SEQUENCE DTSTART DTEND SUMMARY LOCATION GEO DESCRIPTION URL CLASS END END'.split(
          ' ',
        ),
      )
      const textOf = (field: string) =>
        (unfolded.find((line) => line.startsWith(`${field}:`)) ?? '')
          .slice(field.length + 1)
          .replaceAll(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character))
      const inLines = (text: string) => text.replaceAll(/\r\n|[\r\u2028]/g, '\n')
      expect(textOf('SUMMARY')).toBe(inLines(name))
      expect(textOf('LOCATION')).toBe(inLines(address))
      expect(textOf('DESCRIPTION')).toBe(['by ann', ...(message === '' ? [] : [inLines(message)]), url].join('\n'))
    }),
  )
})
