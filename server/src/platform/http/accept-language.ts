import { type LanguageTag, matchLanguage } from '@hither/contract/runtime/locales.ts'

/** A longer header, or more languages, is not what a browser sends. */
const lengthMax = 500
const languagesMax = 20

const entry = /^([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,4})(?:;q=(0(?:\.\d{1,3})?|1(?:\.0{1,3})?))?$/

/**
 * Returns the language of Hither that the header `Accept-Language` prefers (RFC 9110, section 12.5.4); null if it names none. Entries
 * that do not have the form of the RFC are left out.
 */
export function languageOf(header: string | undefined): LanguageTag | null {
  if (header === undefined || header.length > lengthMax) return null
  const preferred = header
    .split(',', languagesMax)
    .flatMap((part) => {
      const [, tag, weight = '1'] = entry.exec(part.replaceAll(/\s/g, '')) ?? []
      return tag === undefined || Number(weight) === 0 ? [] : [{ tag, weight: Number(weight) }]
    })
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
  return matchLanguage(preferred)
}
