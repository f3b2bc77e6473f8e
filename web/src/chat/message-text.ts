import { LinkifyIt } from 'linkify-it'

export type TextPart = { kind: 'text'; text: string } | { kind: 'link'; text: string; href: string }

/** In characters. Longer addresses stay text. */
const linkLengthMax = 2048
// Only http and https become links. `www.` and e-mail addresses are further options of the same library.
const linkify = new LinkifyIt({ fuzzyLink: false, fuzzyEmail: false, maxLength: linkLengthMax })
  .add('ftp:', null)
  .add('mailto:', null)
  .add('//', null)
const emojiOnlyMax = 6
const segmenter =
  typeof Intl.Segmenter === 'undefined' ? null : new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Splits a message into text and links to http and https addresses. Takes time linear in the length of `content`. */
export function partsOf(content: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { index, lastIndex, raw, url } of linkify.match(content) ?? []) {
    const href = safeHref(url)
    if (href === null || raw.length > linkLengthMax) continue
    if (index > end) parts.push({ kind: 'text', text: content.slice(end, index) })
    parts.push({ kind: 'link', text: raw, href })
    end = lastIndex
  }
  if (end < content.length) parts.push({ kind: 'text', text: content.slice(end) })
  return parts
}

/** A few emoji and nothing else. */
export function isEmojiOnly(content: string): boolean {
  const text = content.replace(/\s/gu, '')
  if (text === '' || text.length > 80) return false
  const graphemes = segmenter === null ? [...text] : [...segmenter.segment(text)].map(({ segment }) => segment)
  return graphemes.length <= emojiOnlyMax && graphemes.every(isEmoji)
}

function isEmoji(grapheme: string): boolean {
  // Digits and the like have an emoji form of their own and are text without it.
  return /^\p{Emoji_Presentation}/u.test(grapheme) || /^\p{Emoji}[\u{1F3FB}-\u{1F3FF}]?\u{FE0F}/u.test(grapheme)
}

function safeHref(text: string): string | null {
  try {
    const url = new URL(text)
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null
  } catch {
    return null
  }
}
