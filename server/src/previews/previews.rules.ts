import type { PreviewedPing } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { Translate, Translator } from '../platform/languages/translator.ts'
import type { Card } from './preview-picture.ts'

/** The card of everything except public pings. */
export function productCardOf({ t }: Translator): Card {
  return { title: productName, subtitle: t('previews.line'), note: null }
}

const productName = 'Hither'

/** Returns the card of a ping at this moment. It stays the same for a minute. */
export function cardOf(ping: PreviewedPing, now: Date, { t }: Translator): Card {
  const isPending = ping.status === 'pending' && ping.activates_at !== null
  const at = Date.parse(isPending ? String(ping.activates_at) : ping.expires_at)
  const minutes = Math.max(0, Math.ceil((at - now.getTime()) / 60_000))
  return {
    title: titleOf(ping),
    subtitle: t('previews.by', { name: shownName(ping) }),
    note: isPending
      ? t('previews.startsIn', { duration: spanOf(minutes, t) })
      : t('previews.remaining', { duration: spanOf(minutes, t) }),
  }
}

// The name may consist only of characters that are removed here.
function titleOf(ping: PreviewedPing): string {
  return inOneLine(ping.name) || productName
}

function spanOf(minutes: number, t: Translate): string {
  if (minutes < 60) return t('previews.minutes', { minutes })
  if (minutes < 24 * 60) return t('previews.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
  return t('previews.days', { count: Math.round(minutes / (24 * 60)) })
}

const clockParts = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' } as const

/** Times of day have 24 hours, because the region of the reader is not known. */
function timeText(at: string, { language, formattingLocale }: Translator, parts: Intl.DateTimeFormatOptions): string {
  const locale = language === 'en' ? 'en-GB' : formattingLocale
  return new Intl.DateTimeFormat(locale, { ...clockParts, ...parts }).format(new Date(at))
}

interface Tags {
  readonly title: string
  readonly description: string
  /** Absolute, as messengers require. */
  readonly imageUrl: string
  readonly url: string | null
}

export function productTags(publicUrl: string, translator: Translator): Tags {
  const { title, subtitle: description } = productCardOf(translator)
  return { title, description, imageUrl: `${publicUrl}/preview.png`, url: null }
}

/**
 * Returns the tags of a ping. Messengers cache them for days, so the text contains the clock time and not the remaining
 * time.
 */
export function tagsOf(ping: PreviewedPing, publicUrl: string, translator: Translator): Tags {
  const { t } = translator
  const name = shownName(ping)
  const day = { weekday: 'short', day: 'numeric', month: 'short' } as const
  return {
    title: titleOf(ping),
    description:
      ping.status === 'pending' && ping.activates_at !== null
        ? t('previews.at', { name, time: timeText(ping.activates_at, translator, day) })
        : t('previews.until', { name, time: timeText(ping.expires_at, translator, {}) }),
    // The URL changes with the end of the ping; otherwise messengers would show the cached picture.
    imageUrl: `${publicUrl}/api/pings/${ping.id}/preview.png?${Date.parse(ping.expires_at)}`,
    url: `${publicUrl}/pins/${ping.id}`,
  }
}

/** Returns the HTML for the page's head: the title, Open Graph tags (ogp.me) and the tags of X's cards. */
export function headOf(
  tags: Tags,
  { isListed, width, height }: { isListed: boolean; width: number; height: number },
): string {
  const property = (name: string, content: string) => `<meta property="${name}" content="${escaped(content)}">`
  const name = (name: string, content: string) => `<meta name="${name}" content="${escaped(content)}">`
  return [
    `<title>${escaped(tags.title)}</title>`,
    name('description', tags.description),
    // Search engines must not index the location of a person.
    ...(isListed ? [] : [name('robots', 'noindex')]),
    property('og:site_name', productName),
    property('og:type', 'website'),
    property('og:title', tags.title),
    property('og:description', tags.description),
    ...(tags.url === null ? [] : [property('og:url', tags.url)]),
    property('og:image', tags.imageUrl),
    property('og:image:type', 'image/png'),
    property('og:image:width', String(width)),
    property('og:image:height', String(height)),
    name('twitter:card', 'summary_large_image'),
    name('twitter:title', tags.title),
    name('twitter:description', tags.description),
    name('twitter:image', tags.imageUrl),
  ].join('\n    ')
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/**
 * Returns the text in one line, without control characters and characters that reverse the direction of following text.
 */
function inOneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
}
