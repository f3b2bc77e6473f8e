import { type PreviewedPing } from '@hither/contract/pings.ts'
import { type Card } from './preview-picture.ts'

/** Of everything that is not a public ping. */
export const productCard: Card = { title: 'Hither', subtitle: 'Drop a pin. Friends come hither.', note: null }

/** As it reads at this moment: the same for a minute. */
export function cardOf(ping: PreviewedPing, now: Date): Card {
  const isPending = ping.status === 'pending' && ping.activates_at !== null
  const at = Date.parse(isPending ? String(ping.activates_at) : ping.expires_at)
  const minutes = Math.max(0, Math.ceil((at - now.getTime()) / 60_000))
  return {
    title: titleOf(ping),
    subtitle: `by ${ping.username}`,
    note: isPending ? `Starts in ${spanOf(minutes)}` : `${spanOf(minutes)} remaining`,
  }
}

// A name may be made of nothing but what is left out here.
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
  /** Absolute, as messengers want it. */
  readonly imageUrl: string
  readonly url: string | null
}

export function productTags(publicUrl: string): Tags {
  const { title, subtitle: description } = productCard
  return { title, description, imageUrl: `${publicUrl}/preview.png`, url: null }
}

/** Messengers keep what they were told for days: so the time by the clock, and not what is left of it. */
export function tagsOf(ping: PreviewedPing, publicUrl: string): Tags {
  const time =
    ping.status === 'pending' && ping.activates_at !== null
      ? dayAndClock.format(new Date(ping.activates_at))
      : `until ${clock.format(new Date(ping.expires_at))}`
  return {
    title: titleOf(ping),
    description: `by ${ping.username}, ${time} UTC`,
    // Another address once the end has moved, or a messenger would show the picture that it has.
    imageUrl: `${publicUrl}/api/pings/${ping.id}/preview.png?${Date.parse(ping.expires_at)}`,
    url: `${publicUrl}/pins/${ping.id}`,
  }
}

/** For the page's head: what stands in its tab, and the tags of Open Graph (ogp.me) and of X's cards. */
export function headOf(
  tags: Tags,
  { isListed, width, height }: { isListed: boolean; width: number; height: number },
): string {
  const property = (name: string, content: string) => `<meta property="${name}" content="${escaped(content)}">`
  const name = (name: string, content: string) => `<meta name="${name}" content="${escaped(content)}">`
  return [
    `<title>${escaped(tags.title)}</title>`,
    name('description', tags.description),
    // Where someone is, is nothing for a search engine.
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

/** Without line ends and control characters, and without those that would turn what is written after it around. */
function inOneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
}
