import { openMapTiles, streetAttribution } from './map-sources.ts'

/**
 * Who a map's file says is to be named, as text with links and nothing else: the file may come from anywhere, and maps show
 * this as HTML. One that names nobody is made of OpenStreetMap's data all but certainly, and each is in OpenMapTiles' schema.
 */
export function namingOf(html: string): string {
  const safe = html
    .slice(0, 2000)
    .split(/(<a\b[^>]*>[^<]*<\/a\s*>)/i)
    .map((part, i) => (i % 2 === 1 ? linkOf(part) : plain(part)))
    .join('')
    .trim()
  if (safe === '') return streetAttribution
  return /openmaptiles/i.test(safe) ? safe : `${openMapTiles} ${safe}`
}

function linkOf(anchor: string): string {
  const text = plain(anchor)
  const url = /\bhref\s*=\s*["']?(https?:\/\/[^\s"'<>]+)/i.exec(anchor)?.[1]
  return url === undefined ? text : `<a href="${url}">${text}</a>`
}

function plain(text: string): string {
  return text
    .replace(/<[^>]*>/g, '')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
