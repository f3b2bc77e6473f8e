import { LinkifyIt } from 'linkify-it'

type TextPart = { kind: 'text'; text: string } | { kind: 'link'; text: string; href: string }

/** In characters. Longer addresses stay text. */
const linkLengthMax = 2048
// The library finds addresses with http and https, those that begin with `www.`, and email addresses.
const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true, maxLength: linkLengthMax })
  .add('ftp:', null)
  .add('//', null)

/** A run of digits with the separators of phone numbers, of bounded length. */
const phonePattern = /(?<![\p{L}\p{N}+])(?:\+|\()?\d[\d ()./-]{5,20}\d(?![\p{L}\p{N}])/gu
/** As numbers are written in North America. */
const localPhone = /^\(?\d{3}\)?[-. ]?\d{3}[-. ]\d{4}$/
const date = /^\d{1,4}[-./ ]\d{1,2}[-./ ]\d{1,4}$/

/**
 * Splits a text into plain text and links: http and https addresses, `www.`, email addresses and phone numbers. Takes
 * time linear in the length of `content`.
 */
export function partsOf(content: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { index, lastIndex, raw, url, schema } of linkify.match(content) ?? []) {
    const href = safeHref(schema, raw, url)
    if (href === null || raw.length > linkLengthMax) continue
    if (index > end) parts.push(...withPhones(content.slice(end, index)))
    parts.push({ kind: 'link', text: raw, href })
    end = lastIndex
  }
  if (end < content.length) parts.push(...withPhones(content.slice(end)))
  return parts
}

function withPhones(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(phonePattern)) {
    const [raw] = match
    if (!isPhone(raw)) continue
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) })
    parts.push({ kind: 'link', text: raw, href: `tel:${raw.replace(/[^\d+]/g, '')}` })
    end = match.index + raw.length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}

/** An international number, one with a leading zero, or one as in North America. Dates and amounts are none. */
function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length
  if (digits < 7 || digits > 15 || date.test(text)) return false
  return /^(?:\+|\(?0)/.test(text) || localPhone.test(text)
}

/** Returns null for an address that is not linked: of another scheme, or without a scheme and `www.`. */
function safeHref(schema: string, raw: string, url: string): string | null {
  if (schema === 'mailto:') return /^mailto:/i.test(raw) ? null : url
  if (schema === '' && !/^www\./i.test(raw)) return null
  try {
    const { protocol, href } = new URL(schema === '' ? `https://${raw}` : url)
    return protocol === 'http:' || protocol === 'https:' ? href : null
  } catch {
    return null
  }
}
