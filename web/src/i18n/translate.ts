import { formatMessage, isolated, type Message, type MessageFormat } from '@hither/contract/runtime/message-format.ts'
import type { Messages } from '@hither/locales/messages.d.ts'
import { formattingLocale, isRightToLeft, listedLanguage } from './language.ts'

type MessageKey = keyof Messages

const messages = new Map<string, Message>()
let format: MessageFormat | null = null

/** Adds compiled messages. They must be there before the code that names them is shown. */
export function addMessages(added: Readonly<Record<string, Message>>) {
  for (const [key, message] of Object.entries(added)) messages.set(key, message)
}

/** Returns a text in the active language. Throws an error if the messages of its key are not loaded. */
export function t<Key extends MessageKey>(
  key: Key,
  ...[values]: Messages[Key] extends null ? [] : [values: Messages[Key]]
): string {
  const message = messages.get(key)
  if (message === undefined) throw new Error(`The text ${key} is not loaded`)
  if (typeof message === 'string') return message
  format ??= { pluralRules: new Intl.PluralRules(listedLanguage), number: new Intl.NumberFormat(formattingLocale) }
  return formatMessage(message, isolated(values ?? {}, isRightToLeft), format)
}

/** Returns the text of a key that is known only when the program runs, or null if there is none or it is not loaded. */
export function textOf(key: string, values: Readonly<Record<string, string | number>> = {}): string | null {
  return messages.has(key) ? (t as (key: string, values: object) => string)(key, values) : null
}
