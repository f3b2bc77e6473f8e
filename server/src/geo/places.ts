import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { type FoundPlace } from '@hither/contract/geo.ts'
import { around, distance } from 'geokdbush'
import KDBush from 'kdbush'
import { fold } from './fold.ts'

/** The towns of the world, from a file that comes with the server. Nothing is read before the first question. */
export interface Places {
  /** "near Hoboken, New Jersey, US"; `null` where no town is near. */
  near(latitude: number, longitude: number): Promise<string | null>
  /** Towns whose name starts so, the largest first; what follows a comma, or the name, says where: "paris, texas". */
  search(query: string, limit: number): Promise<FoundPlace[]>
}

const file = new URL('places.txt.br', import.meta.url)
const unpack = promisify(brotliDecompress)

const nearKm = 80
const candidates = 8
/** How far a town's size draws: one ten thousand times as large is said to be near from five times as far. */
const pull = 0.18
const leastPopulation = 500

export function createPlaces(): Places {
  let loading: Promise<Gazetteer> | null = null
  const load = () => {
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
  /** In the order of their folded form. */
  readonly names: readonly string[]
  readonly regionOf: Uint16Array
  /** "New Jersey, US". */
  readonly regions: readonly string[]
  /** Folded, with the name of the country. */
  readonly foldedRegions: readonly (readonly string[])[]
  /** Ten-thousandths of a degree. */
  readonly longitudes: Int32Array
  readonly latitudes: Int32Array
  readonly populations: Int32Array
  readonly index: KDBush
}

/** Unpacked on another thread, read in steps between which the server answers others. The format: scripts/build-places.ts. */
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
  // Singapore is near Singapore: once is enough.
  return `near ${[name, ...address.split(', ').filter((part) => part !== name)].join(', ')}`
}

function searchIn(gazetteer: Gazetteer, query: string, limit: number): FoundPlace[] {
  const [named = '', ...rest] = query.split(',').map(fold)
  const where = rest.filter((part) => part !== '')
  const words = named.split(' ')
  // "paris texas" has no comma: the shorter the name taken, the more of it says where.
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

/** Each word of where starts the country's code or name, or the region's. */
function regionFilter({ foldedRegions, regionOf }: Gazetteer, where: readonly string[]): (id: number) => boolean {
  const fits = foldedRegions.map((texts) => where.every((part) => texts.some((text) => text.startsWith(part))))
  return (id) => fits[regionOf[id] ?? 0] ?? false
}

/** The first place whose folded name is not before `text`. */
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
