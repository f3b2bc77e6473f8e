/**
 * Folds a text for search: lower case, without accents, special letters spelled out. The file of places is sorted by
 * the result.
 */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı’‘ʻ`-]/g, (letter) => spelt[letter] ?? '')
    .replace(/\s+/g, ' ')
    .trim()
}

const spelt: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  '-': ' ',
  '’': "'",
  '‘': "'",
  ʻ: "'",
  '`': "'",
}
