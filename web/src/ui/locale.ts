/** The language of all texts. */
const language = 'en'

/** The locale of every formatted date, time, number and unit. */
export const formattingLocale = formattingLocaleOf(globalThis.navigator?.languages ?? [])

/**
 * Returns the first preferred locale in the language of the texts, for example `en-GB` with its 24-hour clock,
 * otherwise the language alone. Digits are always Latin.
 */
export function formattingLocaleOf(preferred: readonly string[]): string {
  // Some browsers list values that are no language tags, for example `en-US@posix`.
  const isTag = new RegExp(`^${language}(-[a-z0-9]{2,8})*$`, 'i')
  return `${preferred.find((tag) => isTag.test(tag)) ?? language}-u-nu-latn`
}
