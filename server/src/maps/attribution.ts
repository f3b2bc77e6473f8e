import { openMapTiles, streetAttribution } from './map-sources.ts'

/**
 * Converts the attribution of a map file to text with links and nothing else: the file may come from anywhere, and
 * clients show this as HTML. The default is OpenStreetMap with OpenMapTiles, since files without an attribution almost
 * certainly use both.
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
