import { readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { listPlaces } from './basemap/places.ts'
import { buildWorld } from './basemap/world.ts'

/**
 * Builds the embedded map, which needs no network, as two files: a small world for the first render, and the names of cities,
 * towns and neighborhoods, which load after it. `--check` verifies that the committed files equal the output of this script.
 */
const [features, places] = [buildWorld(), listPlaces()]
const files = [
  {
    name: 'world.json',
    maxGzipBytes: 900 * 1024,
    content: { type: 'FeatureCollection', features },
    count: features.length,
  },
  { name: 'places.json', maxGzipBytes: 900 * 1024, content: places, count: places.name.length },
]

for (const { name, maxGzipBytes, content, count } of files) {
  const text = JSON.stringify(content)
  const gzipBytes = gzipSync(text, { level: 9 }).length
  if (gzipBytes > maxGzipBytes) throw new Error(`${name} has grown to ${gzipBytes} bytes compressed.`)
  const output = new URL(`../web/src/map/basemap/${name}`, import.meta.url)
  if (!process.argv.includes('--check')) writeFileSync(output, text)
  else if (readFileSync(output, 'utf8') !== text) throw new Error(`${name} differs from what build-basemap writes.`)
  process.stdout.write(`${name}: ${count} features, ${text.length} bytes, ${gzipBytes} compressed\n`)
}
