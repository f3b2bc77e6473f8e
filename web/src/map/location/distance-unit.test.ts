import { afterEach, expect, test, vi } from 'vitest'
import { isInMiles } from './distance-unit.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test.each([
  [['en-GB'], null, true],
  [['de-DE', 'en-US'], null, false],
  [['de', 'en-US'], null, true],
  [['de-DE'], 'miles', true],
  [['en-US'], 'kilometers', false],
  [[], null, false],
] as const)('distances with %j and the choice %s are in miles: %s', (preferred, chosen, expected) => {
  expect(isInMiles(preferred, chosen)).toBe(expected)
})

test('miles that were chosen in German have a German number', async () => {
  vi.resetModules()
  vi.stubGlobal('document', { documentElement: { lang: 'de' } })
  vi.stubGlobal('navigator', { languages: ['de-DE'] })
  await import('../../i18n/english.setup.ts')
  const { withUnit } = await import('./distance.ts')
  expect(withUnit(0.5, 'mile').replace(/\s/g, ' ')).toBe('0,5 mi')
})
