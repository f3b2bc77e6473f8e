import { formattingLocale } from './language.ts'

let list: Intl.ListFormat | null = null

/** Returns names as one text: "Ann, Bob and Cat" in the style of the active language. */
export function listText(names: readonly string[]): string {
  list ??= new Intl.ListFormat(formattingLocale)
  return list.format(names)
}
