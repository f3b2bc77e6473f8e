import { formattingLocale } from '../../i18n/language.ts'

const emojiOnlyMax = 6
const segmenter =
  typeof Intl.Segmenter === 'undefined' ? null : new Intl.Segmenter(formattingLocale, { granularity: 'grapheme' })

/** Returns true for a text of a few emoji and nothing else. */
export function isEmojiOnly(content: string): boolean {
  const text = content.replace(/\s/gu, '')
  if (text === '' || text.length > 80) return false
  const graphemes = segmenter === null ? [...text] : [...segmenter.segment(text)].map(({ segment }) => segment)
  return graphemes.length <= emojiOnlyMax && graphemes.every(isEmoji)
}

function isEmoji(grapheme: string): boolean {
  // Digits and some symbols are emoji only with a variation selector.
  return /^\p{Emoji_Presentation}/u.test(grapheme) || /^\p{Emoji}[\u{1F3FB}-\u{1F3FF}]?\u{FE0F}/u.test(grapheme)
}
