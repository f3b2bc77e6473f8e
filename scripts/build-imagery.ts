import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { root } from './run.ts'

/**
 * Builds the tiles of the embedded satellite view, which needs no network, from NASA's Blue Marble (public domain),
 * `basemap/blue-marble.jpg`, as included in three-globe 2.45.2. `--check` verifies that the committed tiles equal the output
 * of this script.
 */
const input = new URL('basemap/blue-marble.jpg', import.meta.url)
const folder = `${root}web/public/imagery/`
const tilePx = 512
const deepest = 3
const maxBytes = 2.2 * 1024 * 1024
const worldPx = tilePx * 2 ** deepest
const check = process.argv.includes('--check')

const world = await mercatorOf(input)
let bytes = 0
let stale = 0
if (!check) await rm(folder, { recursive: true, force: true })
for (let z = 0; z <= deepest; z++) {
  const sidePx = tilePx * 2 ** z
  const level = await sharp(world, { raw: { width: worldPx, height: worldPx, channels: 3 } })
    .resize(sidePx, sidePx, { kernel: 'lanczos3' })
    .raw()
    .toBuffer()
  for (let x = 0; x < 2 ** z; x++) for (let y = 0; y < 2 ** z; y++) await writeTile(level, sidePx, z, x, y)
}
if (bytes > maxBytes) throw new Error(`The imagery has grown to ${bytes} bytes.`)
if (stale > 0) process.exitCode = 1
process.stdout.write(`imagery: zoom 0 to ${deepest}, ${bytes} bytes\n`)

async function writeTile(level: Buffer, sidePx: number, z: number, x: number, y: number) {
  const tile = await sharp(level, { raw: { width: sidePx, height: sidePx, channels: 3 } })
    .extract({ left: x * tilePx, top: y * tilePx, width: tilePx, height: tilePx })
    .webp({ quality: 76, effort: 4 })
    .toBuffer()
  bytes += tile.length
  const path = `${folder}${z}/${x}/${y}.webp`
  if (check) {
    const there = await readFile(path).catch(() => null)
    if (there?.equals(tile)) return
    stale++
    process.stderr.write(`${path.slice(root.length)} is not what scripts/build-imagery.ts would write.\n`)
    return
  }
  await mkdir(`${folder}${z}/${x}`, { recursive: true })
  await writeFile(path, tile)
}

/** Reprojects an equirectangular picture (360° by 180°) to Web Mercator. Rows are interpolated between two source rows. */
async function mercatorOf(picture: URL): Promise<Buffer> {
  const { data, info } = await sharp(await readFile(picture))
    .removeAlpha()
    .resize({ width: worldPx, height: worldPx / 2, fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const rowBytes = info.width * 3
  const mercator = Buffer.alloc(worldPx * rowBytes)
  for (let row = 0; row < worldPx; row++) {
    const latitude = Math.atan(Math.sinh(Math.PI * (1 - (2 * (row + 0.5)) / worldPx)))
    const from = Math.max(0, Math.min(info.height - 1.001, (0.5 - latitude / Math.PI) * info.height - 0.5))
    const [above, share] = [Math.floor(from), from % 1]
    for (let i = 0; i < rowBytes; i++) {
      const [a, b] = [data[above * rowBytes + i] ?? 0, data[(above + 1) * rowBytes + i] ?? 0]
      mercator[row * rowBytes + i] = Math.round(a + (b - a) * share)
    }
  }
  return mercator
}
