import fc from 'fast-check'
import { expect, it } from 'vitest'
import { languageOf } from './accept-language.ts'

it.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['pt-BR, fr;q=0.3 , es;q=0.7', 'es'],
  ['ar-Latn, en', 'en'],
  ['ar-Arab-EG', 'ar'],
  ['EN-gb', 'en'],
  ['de;q=0, fr', 'fr'],
])('%s prefers %s', (header, language) => {
  expect(languageOf(header)).toBe(language)
})

it.each([undefined, '', '*', 'de;q=2', 'pt', 'x'.repeat(8192), 'de,'.repeat(500), '\u0000de', 'zh-Hant'])(
  'a hostile or foreign header names no language',
  (header) => {
    expect(languageOf(header)).toBeNull()
  },
)

it('no header makes it fail', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (header) => {
      expect([null, 'ar', 'de', 'en', 'es', 'fr']).toContain(languageOf(header))
    }),
  )
})
