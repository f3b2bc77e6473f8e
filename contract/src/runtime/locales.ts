/** The languages of Hither. A new one is a line here and a folder of catalogs in `locales`. */
export const locales = [
  { tag: 'ar', name: 'العربية', dir: 'rtl', reviewed: false },
  { tag: 'de', name: 'Deutsch', dir: 'ltr', reviewed: false },
  { tag: 'en', name: 'English', dir: 'ltr', reviewed: true },
  { tag: 'es', name: 'Español', dir: 'ltr', reviewed: false },
  { tag: 'fr', name: 'Français', dir: 'ltr', reviewed: false },
] as const satisfies readonly { tag: string; name: string; dir: 'ltr' | 'rtl'; reviewed: boolean }[]

/** A BCP 47 tag of a language that Hither is translated into. */
export type LanguageTag = (typeof locales)[number]['tag']

/** The language that all texts are written in first, and that stands in for a missing translation. */
export const sourceLanguage = 'en' satisfies LanguageTag

export function isLanguageTag(value: unknown): value is LanguageTag {
  return locales.some(({ tag }) => tag === value)
}

/**
 * Returns the first language that one of the preferred tags belongs to, in their order: `de-AT` gives `de`, `pt-BR` none. A tag with
 * a script belongs to a language only if the language is written in it: `ar-Latn` gives none.
 */
export function matchLanguage(preferred: readonly string[]): LanguageTag | null {
  for (const tag of preferred) {
    const [language = '', second = ''] = tag.toLowerCase().split('-')
    const hasForeignScript = /^[a-z]{4}$/.test(second) && second !== (language === 'ar' ? 'arab' : 'latn')
    if (!hasForeignScript && isLanguageTag(language)) return language
  }
  return null
}
