import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { FoundPlace } from '@hither/contract/geo.ts'
import { nearPrefix } from '@hither/contract/runtime/geo.ts'
import { around, distance } from 'geokdbush'
import KDBush from 'kdbush'
import { fold } from './fold.ts'

/** The towns of the world, from a file that ships with the server. Loaded on the first call. */
export interface Places {
  /** Returns "near Hoboken, New Jersey, US"; `null` if no town is near. */
  near(latitude: number, longitude: number): Promise<string | null>
  /**
   * Finds towns whose name starts with the query, the largest first. The text after a comma, or after the name, narrows
   * the region: "paris, texas".
   */
  search(query: string, limit: number): Promise<FoundPlace[]>
}

/** The towns take 45 MB of memory, so they are dropped after this time without a look-up. */
const idleMs = 10 * 60_000

const file = new URL('places.txt.br', import.meta.url)
const unpack = promisify(brotliDecompress)

const nearKm = 80
const candidates = 8
/** How much the size of a town counts: one with ten thousand times the population is "near" from five times as far. */
const pull = 0.18
const leastPopulation = 500

export function createPlaces(): Places {
  let loading: Promise<Gazetteer> | null = null
  const unload = setTimeout(() => {
    loading = null
  }, idleMs).unref()
  const load = () => {
    unload.refresh()
    loading ??= readGazetteer().catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }
  return {
    near: async (latitude, longitude) => nearestOf(await load(), latitude, longitude),
    search: async (query, limit) => searchIn(await load(), query, limit),
  }
}

interface Gazetteer {
  /** Folded names in sorted order. */
  readonly names: readonly string[]
  readonly regionOf: Uint16Array
  /** Regions such as "New Jersey, US". */
  readonly regions: readonly string[]
  /** Folded regions, including the name of the country. */
  readonly foldedRegions: readonly (readonly string[])[]
  /** In ten-thousandths of a degree. */
  readonly longitudes: Int32Array
  readonly latitudes: Int32Array
  readonly populations: Int32Array
  readonly index: KDBush
}

/**
 * Reads the file of places. It is decompressed on another thread and parsed in steps, between which the event loop
 * runs. See scripts/build-places.ts for the format.
 */
async function readGazetteer(): Promise<Gazetteer> {
  const lines = (await unpack(await readFile(file))).toString().split('\n')
  await setImmediate()
  const end = lines.indexOf('')
  const regions = lines.slice(1, end).map((line) => ({ country: line.slice(0, 2), name: line.slice(3) }))
  const column = async (i: number) => {
    await setImmediate()
    return Int32Array.from((lines[end + 1 + i] ?? '').split('\t'), Number)
  }
  const names = (lines[end + 1] ?? '').split('\t')
  const regionOf = Uint16Array.from(await column(1))
  const longitudes = await column(2)
  const latitudes = await column(3)
  const populations = await column(4)
  await setImmediate()
  const index = new KDBush(names.length, 64, Float32Array)
  for (let i = 0; i < names.length; i++) index.add((longitudes[i] ?? 0) / 1e4, (latitudes[i] ?? 0) / 1e4)
  index.finish()
  await setImmediate()
  const countries = new Intl.DisplayNames(['en'], { type: 'region' })
  return {
    names,
    regionOf,
    regions: regions.map(({ country, name }) => (name ? `${name}, ${country}` : country)),
    foldedRegions: regions.map(({ country, name }) => [country, name, countries.of(country) ?? ''].map(fold)),
    longitudes,
    latitudes,
    populations,
    index,
  }
}

function nearestOf(gazetteer: Gazetteer, latitude: number, longitude: number): string | null {
  let best: { id: number; weight: number } | null = null
  for (const id of around(gazetteer.index, longitude, latitude, candidates, nearKm)) {
    const place = placeOf(gazetteer, id)
    const km = distance(longitude, latitude, place.longitude, place.latitude)
    const weight = km / Math.max(gazetteer.populations[id] ?? 0, leastPopulation) ** pull
    if (best === null || weight < best.weight) best = { id, weight }
  }
  if (best === null) return null
  const { name, address } = placeOf(gazetteer, best.id)
  // Leaves out a region with the same name as the town, such as Singapore.
  return nearPrefix + [name, ...address.split(', ').filter((part) => part !== name)].join(', ')
}

function searchIn(gazetteer: Gazetteer, query: string, limit: number): FoundPlace[] {
  const [named = '', ...rest] = query.split(',').map(fold)
  const where = rest.filter((part) => part !== '')
  const words = named.split(' ')
  // "paris texas" has no comma: tries the longest name first and takes the remaining words as the region.
  for (let taken = words.length; taken > 0; taken--) {
    const further = words.slice(taken).join(' ')
    const found = largest(gazetteer, words.slice(0, taken).join(' '), further ? [further, ...where] : where, limit)
    if (found.length > 0) return found
  }
  return []
}

function largest(gazetteer: Gazetteer, start: string, where: readonly string[], limit: number): FoundPlace[] {
  if (start === '') return []
  const { populations, names } = gazetteer
  const isThere = regionFilter(gazetteer, where)
  const sizeOf = (id: number | undefined) => (id === undefined ? -1 : (populations[id] ?? 0))
  const best: number[] = []
  const end = firstFrom(names, `${start}\uffff`)
  for (let id = firstFrom(names, start); id < end; id++) {
    if (sizeOf(id) <= sizeOf(best[limit - 1]) || !isThere(id)) continue
    const place = best.findIndex((other) => sizeOf(other) < sizeOf(id))
    best.splice(place < 0 ? best.length : place, 0, id)
    best.length = Math.min(best.length, limit)
  }
  return best.map((id) => placeOf(gazetteer, id))
}

/** Matches places for which each word is a prefix of the country code, the country name or the region. */
function regionFilter({ foldedRegions, regionOf }: Gazetteer, where: readonly string[]): (id: number) => boolean {
  const fits = foldedRegions.map((texts) => where.every((part) => texts.some((text) => text.startsWith(part))))
  return (id) => fits[regionOf[id] ?? 0] ?? false
}

/** Returns the index of the first place whose folded name is not before `text`. */
function firstFrom(names: readonly string[], text: string): number {
  let low = 0
  let high = names.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (fold(names[middle] ?? '') < text) low = middle + 1
    else high = middle
  }
  return low
}

function placeOf({ names, regions, regionOf, longitudes, latitudes }: Gazetteer, id: number): FoundPlace {
  return {
    name: names[id] ?? '',
    address: regions[regionOf[id] ?? 0] ?? '',
    latitude: (latitudes[id] ?? 0) / 1e4,
    longitude: (longitudes[id] ?? 0) / 1e4,
  }
}
