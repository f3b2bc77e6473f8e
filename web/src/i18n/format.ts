import { formattingLocale } from './language.ts'

let list: Intl.ListFormat | null = null
let shortList: Intl.ListFormat | null = null

/** Returns names as one text: "Ann, Bob and Cat" in the style of the active language. */
export function listText(names: readonly string[]): string {
  list ??= new Intl.ListFormat(formattingLocale)
  return list.format(names)
}

/** Returns names as one text without "and" in languages that can do without: "Ann, Bob, Cat". */
export function shortListText(names: readonly string[]): string {
  shortList ??= new Intl.ListFormat(formattingLocale, { type: 'unit', style: 'short' })
  return shortList.format(names)
}
