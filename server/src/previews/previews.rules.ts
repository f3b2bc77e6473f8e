import type { PreviewedPing } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { Card } from './preview-picture.ts'

/** The card of everything except public pings. */
export const productCard: Card = { title: 'Hither', subtitle: 'Drop a pin. Friends come hither.', note: null }

/** Returns the card of a ping at this moment. It stays the same for a minute. */
export function cardOf(ping: PreviewedPing, now: Date): Card {
  const isPending = ping.status === 'pending' && ping.activates_at !== null
  const at = Date.parse(isPending ? String(ping.activates_at) : ping.expires_at)
  const minutes = Math.max(0, Math.ceil((at - now.getTime()) / 60_000))
  return {
    title: titleOf(ping),
    subtitle: `by ${shownName(ping)}`,
    note: isPending ? `Starts in ${spanOf(minutes)}` : `${spanOf(minutes)} remaining`,
  }
}

// The name may consist only of characters that are removed here.
function titleOf(ping: PreviewedPing): string {
  return inOneLine(ping.name) || productCard.title
}

function spanOf(minutes: number): string {
  if (minutes < 60) return `${minutes}m`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)}h ${minutes % 60}m`
  const days = Math.round(minutes / (24 * 60))
  return days === 1 ? '1 day' : `${days} days`
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })
const dayAndClock = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

interface Tags {
  readonly title: string
  readonly description: string
  /** Absolute, as messengers require. */
  readonly imageUrl: string
  readonly url: string | null
}

export function productTags(publicUrl: string): Tags {
  const { title, subtitle: description } = productCard
  return { title, description, imageUrl: `${publicUrl}/preview.png`, url: null }
}

/**
 * Returns the tags of a ping. Messengers cache them for days, so the text contains the clock time and not the remaining
 * time.
 */
export function tagsOf(ping: PreviewedPing, publicUrl: string): Tags {
  const time =
    ping.status === 'pending' && ping.activates_at !== null
      ? dayAndClock.format(new Date(ping.activates_at))
      : `until ${clock.format(new Date(ping.expires_at))}`
  return {
    title: titleOf(ping),
    description: `by ${shownName(ping)}, ${time} UTC`,
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
    property('og:site_name', productCard.title),
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
