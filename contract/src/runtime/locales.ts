interface Locale {
  readonly tag: string
  readonly name: string
  readonly dir: 'ltr' | 'rtl'
  readonly script: string
  readonly reviewed: boolean
}

/**
 * The languages of Hither. A new one is a line here and a folder of catalogs in `locales`. `script` is the script that the
 * language is written in, as ISO 15924 names it.
 */
export const locales = [
  { tag: 'ar', name: 'العربية', dir: 'rtl', script: 'Arab', reviewed: false },
  { tag: 'de', name: 'Deutsch', dir: 'ltr', script: 'Latn', reviewed: false },
  { tag: 'en', name: 'English', dir: 'ltr', script: 'Latn', reviewed: true },
  { tag: 'es', name: 'Español', dir: 'ltr', script: 'Latn', reviewed: false },
  { tag: 'fr', name: 'Français', dir: 'ltr', script: 'Latn', reviewed: false },
] as const satisfies readonly Locale[]

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
    const found = locales.find((locale) => locale.tag === language)
    const isScript = /^[a-z]{4}$/.test(second)
    if (found && (!isScript || second === found.script.toLowerCase())) return found.tag
  }
  return null
}
