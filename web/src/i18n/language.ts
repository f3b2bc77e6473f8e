import { isLanguageTag, type LanguageTag, locales, sourceLanguage } from '@hither/contract/runtime/locales.ts'

/** The language in which this page shows everything. The script of `index.html` chooses it before the first paint. */
export const activeLanguage: string = globalThis.document?.documentElement.lang || sourceLanguage

/** The active language as the account and the list of languages know it. A pseudo-language counts as English. */
export const listedLanguage: LanguageTag = isLanguageTag(activeLanguage) ? activeLanguage : sourceLanguage

export const isRightToLeft =
  locales.some(({ tag, dir }) => tag === activeLanguage && dir === 'rtl') || activeLanguage === 'ar-XB'

/** The factor of a horizontal movement in the direction of reading: 1 to the right, -1 to the left. */
export const readingDirection = isRightToLeft ? -1 : 1

/** The style of an icon that points in the direction of reading or against it. */
export const mirrored = isRightToLeft ? { transform: 'scaleX(-1)' } : {}

/** The locale of every formatted date, time, number, unit and list. */
export const formattingLocale = formattingLocaleOf(listedLanguage, globalThis.navigator?.languages ?? [])

/**
 * Returns the first preferred locale in the language of the texts, for example `en-GB` with its 24-hour clock,
 * otherwise the language alone. Digits are always Latin.
 */
export function formattingLocaleOf(language: LanguageTag, preferred: readonly string[]): string {
  // Some browsers list values that are no language tags, for example `en-US@posix`.
  const isTag = new RegExp(`^${language}(-[a-z0-9]{2,8})*$`, 'i')
  return `${preferred.find((tag) => isTag.test(tag)) ?? language}-u-nu-latn`
}
