import { afterEach, describe, expect, test, vi } from 'vitest'

const texts = await import('./format-time.ts')
const { formattingLocaleOf } = await import('../i18n/language.ts')
const { followTimeZone, subscribeToZone } = await import('../i18n/time-zone.ts')

const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime()
const noonMs = at(21, 12)
/** `Intl` separates "PM" with a narrow space. */
const plain = (text: string) => text.replace(/\s/g, ' ')

describe('the formatting locale', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })

  test.each([
    [['de-DE', 'en-GB', 'en-US'], 'en-GB-u-nu-latn'],
    [['de-DE', 'ar'], 'en-u-nu-latn'],
    [['en-US@posix', 'en-AU'], 'en-AU-u-nu-latn'],
    [[], 'en-u-nu-latn'],
  ])('of a browser with %j is %s', (languages, locale) => {
    expect(formattingLocaleOf('en', languages)).toBe(locale)
  })

  test('gives English texts in a German browser, and a 24-hour clock in a British one', async () => {
    const textsWith = async (...languages: string[]) => {
      vi.resetModules()
      vi.stubGlobal('navigator', { languages })
      await import('../i18n/english.setup.ts')
      return import('./format-time.ts')
    }
    const german = await textsWith('de-DE')
    expect(german.relativeTime(noonMs - 300_000, noonMs)).toBe('5 minutes ago')
    expect(plain(german.clockTime(at(21, 19, 30)))).toBe('7:30 PM')
    const british = await textsWith('en-GB')
    expect(british.timeRange(at(21, 19, 30), at(21, 20), noonMs)).toBe('19:30–20:00')
  })
})

test.each([
  [at(21, 20), '8:00 PM', '8:00 PM'],
  [at(22, 0), 'Sun, Nov 22, 12:00 AM', 'midnight'],
  [at(21, 0), '12:00 AM', '12:00 AM'],
  [at(22, 8), 'Sun, Nov 22, 8:00 AM', 'Sun, Nov 22, 8:00 AM'],
])('names the time %i with its day only if it is needed', (timeMs, short, end) => {
  expect(plain(texts.shortTime(timeMs, noonMs))).toBe(short)
  expect(plain(texts.endTime(timeMs, noonMs))).toBe(end)
})

test('names an end after midnight without its day in the evening before', () => {
  expect(plain(texts.endTime(at(22, 0, 30), at(21, 22)))).toBe('12:30 AM')
})

test.each([
  [at(21, 19, 30), at(21, 20), '7:30–8:00 PM'],
  [at(21, 23), at(22, 0), '11:00 PM–midnight'],
  [at(21, 23), at(22, 0, 30), '11:00 PM–12:30 AM'],
  [at(22, 19, 30), at(22, 20), 'Sun, Nov 22, 7:30–8:00 PM'],
])('formats the range from %i to %i as %s', (startMs, endMs, text) => {
  expect(plain(texts.timeRange(startMs, endMs, noonMs))).toBe(text)
})

test.each([
  [0, '0m remaining', '0 min', '0 min', '0 minutes'],
  [1, '1m remaining', '1 min', '1 min', '1 minute'],
  [24, '24m remaining', '24 min', '24 min', '24 minutes'],
  [60, '1h 0m remaining', '1 h', '1 h', '1 hour'],
  [65, '1h 5m remaining', '1 h 5 min', '1 h 5', '1 hour 5 minutes'],
  [119, '1h 59m remaining', '1 h 59 min', '1 h 59', '1 hour 59 minutes'],
  [240, '4h 0m remaining', '4 h', '4 h', '4 hours'],
])('formats %i minutes in each wording', (minutes, remaining, duration, short, spoken) => {
  expect(texts.remainingText(minutes)).toBe(remaining)
  expect(texts.durationText(minutes)).toBe(duration)
  expect(texts.shortDurationText(minutes)).toBe(short)
  expect(texts.spokenDuration(minutes)).toBe(spoken)
})

test('names days relative to today only if they are near', () => {
  expect(texts.dayName(at(21, 1), noonMs)).toBe('Today')
  expect(texts.dayName(at(20, 23), noonMs)).toBe('Yesterday')
  expect(texts.dayName(at(16, 12), noonMs)).toBe('Monday, November 16')
  expect(texts.dayName(new Date(2025, 10, 16).getTime(), noonMs)).toBe('November 16, 2025')
  expect(texts.shortRelativeTime(noonMs - 300_000, noonMs)).toBe('5 min. ago')
  expect(texts.shortRelativeTime(noonMs + 300_000, noonMs)).toBe('now')
})

test('times follow the device into another zone, once that was noticed', () => {
  const before = process.env['TZ']
  const noticed = vi.fn()
  const stop = subscribeToZone(noticed)
  process.env['TZ'] = 'UTC'
  followTimeZone()
  noticed.mockClear()
  process.env['TZ'] = 'America/Los_Angeles'
  expect(plain(texts.clockTime('2026-11-26T20:00:00Z'))).toBe('8:00 PM')
  followTimeZone()
  followTimeZone()
  expect(plain(texts.clockTime('2026-11-26T20:00:00Z'))).toBe('12:00 PM')
  expect(noticed).toHaveBeenCalledTimes(1)
  stop()
  if (before === undefined) delete process.env['TZ']
  else process.env['TZ'] = before
  followTimeZone()
})
