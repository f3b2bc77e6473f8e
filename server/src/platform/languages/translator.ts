import { readFileSync } from 'node:fs'
import { isLanguageTag, type LanguageTag, locales, sourceLanguage } from '@hither/contract/runtime/locales.ts'
import { formatMessage, isolated, type Message, type MessageFormat } from '@hither/contract/runtime/message-format.ts'
import type { Messages } from '@hither/locales/messages.d.ts'

/** Returns a text in one language. Texts of people in it are isolated, so that their direction does not change the rest. */
export type Translate = <Key extends keyof Messages>(
  key: Key,
  ...values: Messages[Key] extends null ? [] : [Messages[Key]]
) => string

export interface Translator {
  readonly language: LanguageTag
  readonly dir: 'ltr' | 'rtl'
  /** For dates and numbers, with Latin digits. */
  readonly formattingLocale: string
  readonly t: Translate
}

const folder = new URL('../../../../locales/compiled/', import.meta.url)
const known = new Map<LanguageTag, Translator>()

/** The texts that the server itself sends, in one language. Its messages are read when the language is first needed. */
export function translatorOf(language: LanguageTag): Translator {
  const found = known.get(language)
  if (found) return found
  const messages = JSON.parse(readFileSync(new URL(`${language}/server.json`, folder), 'utf8')) as Record<
    string,
    Message
  >
  const formattingLocale = `${language}-u-nu-latn`
  const format: MessageFormat = {
    pluralRules: new Intl.PluralRules(language),
    number: new Intl.NumberFormat(formattingLocale),
  }
  const t: Translate = (key, ...[values]) => {
    const message = messages[key]
    if (message === undefined) throw new Error(`There is no text ${key}`)
    // An English text with Latin names needs no isolates.
    return formatMessage(message, isolated(values ?? {}, language !== sourceLanguage), format)
  }
  const dir = locales.find(({ tag }) => tag === language)?.dir ?? 'ltr'
  const translator = { language, dir, formattingLocale, t }
  known.set(language, translator)
  return translator
}

/** Returns the first of these that is a language of this version; values of a newer version count as absent. */
export function firstLanguage(...tags: readonly (string | null | undefined)[]): LanguageTag {
  return tags.find(isLanguageTag) ?? sourceLanguage
}
