export type TextPart = { kind: 'text'; text: string } | { kind: 'link'; text: string; href: string }

const address = /https?:\/\/[^\s<>"'`]+/gi
const trailing = /[.,;:!?*_~]+$/
const emojiOnlyMax = 6
const segmenter =
  typeof Intl.Segmenter === 'undefined' ? null : new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Only http and https become links; everything else stays the text that it is. */
export function partsOf(content: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of content.matchAll(address)) {
    const text = trimmedAddress(match[0])
    const href = safeHref(text)
    if (href === null) continue
    if (match.index > end) parts.push({ kind: 'text', text: content.slice(end, match.index) })
    parts.push({ kind: 'link', text, href })
    end = match.index + text.length
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

/** Punctuation after an address ends the sentence, and so does a bracket that was opened before it. */
function trimmedAddress(found: string): string {
  let text = found.replace(trailing, '')
  while (/[)\]}]$/.test(text) && isUnbalanced(text)) text = text.slice(0, -1).replace(trailing, '')
  return text
}

function isUnbalanced(text: string): boolean {
  return [...'([{'].some((open, index) => text.split(open).length < text.split(')]}'.charAt(index)).length)
}

function safeHref(text: string): string | null {
  try {
    const url = new URL(text)
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null
  } catch {
    return null
  }
}
