const link = /<a\b[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')[^>]*>(.*?)<\/a\s*>/gis

/**
 * Returns the attribution of a map service as HTML with text and links only. The attribution comes from another server,
 * and MapLibre inserts it as HTML.
 */
export function plainAttribution(html: string): string {
  let plain = ''
  let end = 0
  for (const match of html.matchAll(link)) {
    plain += textOf(html.slice(end, match.index))
    plain += linkOf(match[1] ?? match[2] ?? '', textOf(match[3] ?? ''))
    end = match.index + match[0].length
  }
  return (plain + textOf(html.slice(end))).trim()
}

function linkOf(address: string, text: string): string {
  const decoded = withoutEntities(address).trim()
  return /^https?:\/\//i.test(decoded)
    ? `<a href="${escaped(decoded)}" target="_blank" rel="noreferrer">${text}</a>`
    : text
}

function textOf(html: string): string {
  return escaped(withoutEntities(html.replace(/<[^>]*>/g, '')))
}

const entities: Readonly<Record<string, string>> = {
  copy: '©',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  '#39': "'",
}

function withoutEntities(text: string): string {
  return text.replace(/&(#39|\w+);/g, (entity, name: string) => entities[name] ?? entity)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
