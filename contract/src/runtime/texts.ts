/**
 * The rules of everything that people write: a name has one line and no hidden characters, and a text may have several lines.
 * Both have something to see.
 */

export const textTexts = {
  nameHidden: 'Please type the name again, without line breaks and hidden characters.',
} as const

/** Hidden characters where they belong: in emoji, and between letters of scripts whose letters join. */
const placed = /* @__PURE__ */ new RegExp(
  [
    '\\p{Emoji}[\\ufe0e\\ufe0f](?:\\u200d(?=\\p{Extended_Pictographic}))?',
    '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\u200d(?=\\p{Extended_Pictographic})',
    // The flags of England, Scotland and Wales.
    '\\u{1f3f4}[\\u{e0020}-\\u{e007e}]+\\u{e007f}',
    '(?!\\p{scx=Latn}|\\p{scx=Grek}|\\p{scx=Cyrl}|\\p{scx=Hani}|\\p{scx=Kana}|\\p{scx=Hang})[\\p{L}\\p{M}][\\u200c\\u200d](?=[\\p{L}\\p{M}])',
    '\\p{sc=Hani}[\\ufe00-\\ufe0d\\u{e0100}-\\u{e01ef}]',
    '\\p{sc=Mong}[\\u180b-\\u180d\\u180f]',
  ].join('|'),
  'gu',
)

const notInName = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u

/** U+2800 is a pattern of braille without dots. */
const visible = /(?![\u2800\p{Default_Ignorable_Code_Point}])[\p{L}\p{N}\p{P}\p{S}]/u

/** Characters that change the direction of the text behind them. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g

/** Whether there is something to see in the text. */
export function isVisible(text: string): boolean {
  return visible.test(text)
}

/** Whether the text is a name: one line with something to see, without hidden characters and those that change the direction. */
export function isName(text: string): boolean {
  return isVisible(text) && !notInName.test(text.replace(placed, ''))
}

/** Whether the text may name a person: a name with a letter, digit or emoji, which cannot pass for a link or an address. */
export function isPersonName(text: string): boolean {
  return isName(text) && /[\p{L}\p{N}\p{Extended_Pictographic}\p{RI}]/u.test(text) && !/[<>/\\@:]/.test(text)
}

/**
 * Returns a text without control characters and those that change the direction; empty if there is nothing to see. Pasted texts
 * have such characters, so that they are no reason to refuse a text.
 */
export function cleanText(text: string): string {
  const clean = text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(directions, '')
    .replace(/(?![\t\n])\p{Cc}|[\ufff9-\ufffb]/gu, '')
  return isVisible(clean) ? clean : ''
}

/** Like `cleanText`, in one line without spaces around it. For names and addresses of places, which map services write. */
export function cleanLine(text: string): string {
  return cleanText(text).trim().replace(/\s+/g, ' ')
}
