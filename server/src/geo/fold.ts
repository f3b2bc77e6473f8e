/** As people type it: without case, accents, and with letters that no accent makes spelt out. The order of the places' file. */
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
