export const messageSearchLimits = {
  /** In code points, after trimming. */
  queryMin: 2,
  queryMax: 100,
  pageDefault: 20,
  pageMax: 50,
  cursorMax: 200,
} as const

/** Scripts that separate no words, with their marks. Korean has spaces. */
const unspaced =
  '(?=[\\p{L}\\p{M}\\p{N}])[\\p{scx=Hani}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]'

/**
 * The words of a folded text: letters, digits and the marks after them, without the frame of a keycap emoji. The first group is
 * a run of a script without spaces.
 */
export const foldedWords = new RegExp(
  `((?:${unspaced})+)|(?!\\p{M})(?:(?!\\u20e3|${unspaced})[\\p{L}\\p{M}\\p{N}])+`,
  'gu',
)

/** No query has longer words, in code points. */
const wordMax = messageSearchLimits.queryMax

/** The text in the one form in which a search compares it: normal form, case, and without invisible characters. */
export function foldForSearch(text: string): string {
  const visible = text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  // Upper case first, so that `ß` and `SS` are one. A final sigma and the dotted `I` of Turkish are the plain letters.
  const folded = visible.toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll('i\u0307', 'i')
  return folded.normalize('NFKC')
}

/**
 * The words of a message for the index, and those of a query: a message is found if each word of the query is the beginning of
 * one of its words. A run of a script without spaces becomes its pairs of neighbors and its last character, so that every part
 * of it is found.
 */
export function searchedWords(text: string): string[] {
  const words = new Set<string>()
  for (const [word, run] of foldForSearch(text).matchAll(foldedWords)) {
    if (run === undefined) words.add(word.length > wordMax ? [...word].slice(0, wordMax).join('') : word)
    else [...run].forEach((char, index, chars) => void words.add(char + (chars[index + 1] ?? '')))
  }
  return [...words]
}
