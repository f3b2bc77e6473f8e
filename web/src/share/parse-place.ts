import { coordinatesIn } from '../map/location/coordinates.ts'
import type { Place } from '../map/map-defaults.ts'

/** A location in a text, and the part of the text that contains it. No network request is made. */
interface Found {
  place: Place
  words: string
}

// A `geo:` address may end with a name in parentheses, which may contain spaces.
const linkPattern = /https?:\/\/[^\s<>"]+|geo:[^\s<>"(]+(?:\([^)\n]*\))?/gi

/**
 * Returns the first location: in a map link, in a `geo:` address, or as coordinates on a line of their own. Null if
 * there is none.
 */
export function parsePlace(text: string): Found | null {
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

/** See RFC 5870. Android also writes `geo:0,0?q=45.52,-122.68(Coffee)`. */
function placeOfGeo(link: string): Place | null {
  const [path = '', query = ''] = link.slice('geo:'.length).split('?', 2)
  const searchText = new URLSearchParams(query).get('q')
  // With a search text, the coordinates before it are 0,0 and have no meaning.
  if (searchText !== null) return pairIn(searchText.replace(/\(.*$/, ''))
  return pairIn((path.split(';', 1)[0] ?? '').split(',').slice(0, 2).join(','))
}

/** `!3d…!4d…` is the location itself, `@…` the centre of the map. */
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
