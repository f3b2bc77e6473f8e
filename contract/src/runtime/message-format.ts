/**
 * A compiled message of a catalog: its text, or a list of texts and placeholders. A placeholder is the name of a value, with its
 * cases if the value chooses one. The name `#` stands for the number that chose the plural case.
 */
export type Message = string | readonly MessagePart[]
export type MessagePart =
  | string
  | readonly [name: string]
  | readonly [name: string, kind: 'plural' | 'select', cases: MessageCases]
type MessageCases = Readonly<Record<string, Message>>

type MessageValues = Readonly<Record<string, string | number>>

export interface MessageFormat {
  readonly pluralRules: Intl.PluralRules
  readonly number: Intl.NumberFormat
}

/**
 * Fills in the values of a message. Strings are inserted as they are, and numbers in the format of the language. Throws an error if
 * a case is missing, which the build of the catalogs rules out.
 */
export function formatMessage(message: Message, values: MessageValues, format: MessageFormat): string {
  if (typeof message === 'string') return message
  return message.map((part) => (typeof part === 'string' ? part : formatPart(part, values, format))).join('')
}

function formatPart(
  [name, kind, cases]: readonly [string, ('plural' | 'select')?, MessageCases?],
  values: MessageValues,
  format: MessageFormat,
): string {
  const value = values[name] ?? ''
  if (cases === undefined) return typeof value === 'number' ? format.number.format(value) : value
  const chosen =
    kind === 'plural'
      ? (cases[`=${value}`] ?? cases[format.pluralRules.select(Number(value))] ?? cases['other'])
      : (cases[value] ?? cases['other'])
  if (chosen === undefined) throw new Error(`The message has no case for ${name}`)
  return formatMessage(chosen, kind === 'plural' ? { ...values, '#': value } : values, format)
}

const rightToLeft =
  /[\u202a-\u202e\u2066-\u2069]|\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}/u

/**
 * Puts texts between a first strong isolate and a pop directional isolate (Unicode UAX 9), so that the punctuation around them stays
 * in place: all of them if `isAlways`, otherwise those with letters that are written from right to left. Characters of a text that
 * change the direction beyond its end are removed.
 */
export function isolated(values: MessageValues, isAlways: boolean): MessageValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) =>
      typeof value === 'string' && (isAlways || rightToLeft.test(value))
        ? [name, `\u2068${closed(value)}\u2069`]
        : [name, value],
    ),
  )
}

/** A sentence that is inserted into another one has closed isolates, which stay. */
function closed(text: string): string {
  const controls = /[\u202a-\u202e\u2066-\u2069]/g
  return controls.test(text.replace(/\u2068([^\u202a-\u202e\u2066-\u2069]*)\u2069/g, '$1'))
    ? text.replace(controls, '')
    : text
}
