import { expect, test } from 'vitest'
import { areaSizeText } from './area-size.ts'

test.each([
  { radiusM: 1000, locale: 'de-DE', text: '1 km' },
  { radiusM: 5000, locale: 'de-DE', text: '5 km' },
  { radiusM: 1000, locale: 'en-US', text: '0.6 mi' },
  { radiusM: 5000, locale: 'en-GB', text: '3 mi' },
])('the size of an area of $radiusM m is $text for $locale', ({ radiusM, locale, text }) => {
  expect(areaSizeText(radiusM, [locale])).toBe(text)
})
