import { coordinatesIn } from '../map/coordinates.ts'
import { type Place } from '../map/map-defaults.ts'

/** A place that a text names by its coordinates, and the words that named it. Nothing is asked of any network. */
export interface Found {
  place: Place
  words: string
}

// A `geo:` address may end with a name in brackets, which has spaces in it.
const linkPattern = /https?:\/\/[^\s<>"]+|geo:[^\s<>"(]+(?:\([^)\n]*\))?/gi

/** The first one: in a link of a map, a `geo:` address, or on a line of its own. Null where there is none. */
export function placeIn(text: string): Found | null {
  for (const [link] of text.matchAll(linkPattern)) {
    const place = placeOfLink(link)
    if (place !== null) return { place, words: link }
  }
  for (const line of text.split('\n')) {
    const place = line.length <= 100 ? coordinatesIn(line) : null
    if (place !== null) return { place, words: line }
  }
  return null
}

function placeOfLink(link: string): Place | null {
  if (/^geo:/i.test(link)) return placeOfGeo(link)
  const url = URL.canParse(link) ? new URL(link) : null
  if (url === null) return null
  const host = url.hostname.replace(/^www\./, '')
  if (/^(maps\.)?google(\.[a-z]{2,3}){1,2}$/.test(host)) return placeOfGoogle(url)
  if (host === 'openstreetmap.org' || host === 'osm.org') return placeOfOpenStreetMap(url)
  if (host === 'maps.apple.com') return placeOfParams(url, ['coordinate', 'll', 'q', 'daddr', 'sll'])
  return null
}

/** RFC 5870; and as Android writes it, `geo:0,0?q=45.52,-122.68(Coffee)`. */
function placeOfGeo(link: string): Place | null {
  const [path = '', query = ''] = link.slice('geo:'.length).split('?', 2)
  const asked = new URLSearchParams(query).get('q')
  // With words to look up, the place before them is a mere 0,0.
  if (asked !== null) return pairIn(asked.replace(/\(.*$/, ''))
  return pairIn((path.split(';', 1)[0] ?? '').split(',').slice(0, 2).join(','))
}

/** `!3d…!4d…` is the place itself, `@…` where the map stood. */
function placeOfGoogle(url: URL): Place | null {
  const data = /!3d(-?[\d.]+)!4d(-?[\d.]+)/.exec(url.pathname)
  if (data !== null) return pairIn(`${data[1]},${data[2]}`)
  const named = placeOfParams(url, ['q', 'query', 'll', 'destination', 'daddr', 'center'])
  if (named !== null) return named
  const inPath = /\/(?:@|search\/|place\/|dir\/\/)(-?[\d.]+),\+?(-?[\d.]+)/.exec(decoded(url.pathname))
  return inPath === null ? null : pairIn(`${inPath[1]},${inPath[2]}`)
}

function placeOfOpenStreetMap(url: URL): Place | null {
  const [latitude, longitude] = [url.searchParams.get('mlat'), url.searchParams.get('mlon')]
  if (latitude !== null && longitude !== null) return pairIn(`${latitude},${longitude}`)
  const map = /(?:^#|&)map=[\d.]+\/(-?[\d.]+)\/(-?[\d.]+)/.exec(url.hash)
  return map === null ? null : pairIn(`${map[1]},${map[2]}`)
}

function placeOfParams({ searchParams }: URL, names: readonly string[]): Place | null {
  for (const name of names) {
    const place = pairIn((searchParams.get(name) ?? '').replace(/^loc:/, ''))
    if (place !== null) return place
  }
  return null
}

function pairIn(text: string): Place | null {
  return text.length <= 100 ? coordinatesIn(text) : null
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
