import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainAttribution } from './attribution.ts'

test('keeps the name of a service and its link', () => {
  const given = '<a href="https://www.openstreetmap.org/copyright" onclick="x()">&copy; OpenStreetMap</a> contributors'
  expect(plainAttribution(given)).toBe(
    '<a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noreferrer">© OpenStreetMap</a> contributors',
  )
})

test.each([
  ['<img src=x onerror=alert(1)>Maps', 'Maps'],
  ['<a href="javascript:alert(1)">Maps</a>', 'Maps'],
  ['<a href="java&#115;cript:alert(1)">Maps</a>', 'Maps'],
  [
    "<a href='https://a.example/\"><script>'>Maps</a>",
    '<a href="https://a.example/&quot;&gt;&lt;script&gt;" target="_blank" rel="noreferrer">Maps</a>',
  ],
  ['&lt;script&gt;', '&lt;script&gt;'],
])('removes all other markup from %j', (given, plain) => {
  expect(plainAttribution(given)).toBe(plain)
})

test('returns no tags except links for any input', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '<a href="https://x.example">',
    '</a>',
    '<script>',
    '&lt;',
    'href=',
    ' on',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 20 }), (pieces) => {
      const rest = plainAttribution(pieces.join('')).replace(
        /<a href="https?:\/\/[^"<>]*" target="_blank" rel="noreferrer">|<\/a>/gi,
        '',
      )
      expect(rest).not.toMatch(/[<>"]/)
    }),
  )
})
