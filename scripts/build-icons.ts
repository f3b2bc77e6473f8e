import { mkdir, readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { root } from './run.ts'

/**
 * Draws every icon that browsers and phones ask for from the one mark, `web/public/icon.svg`, and the pictures that an
 * installation shows from those of the README. `--check` says whether the committed files are those this would write.
 */
const blue = '#2456E6'
const target = `${root}web/public/`
const check = process.argv.includes('--check')

const mark = /<path[^>]*\sd="([^"]+)"/.exec(await readFile(`${target}icon.svg`, 'utf8'))?.[1]
if (mark === undefined) throw new Error('web/public/icon.svg holds no path')

/** The mark, 48 units wide, in the middle of a square; `share` is how much of the side it takes. */
function drawing(
  size: number,
  share: number,
  colours: { mark: string; ground: string | null; radius: number },
): Buffer {
  const scale = (size * share) / 48
  const shift = (size * (1 - share)) / 2
  const ground =
    colours.ground === null
      ? ''
      : `<rect width="${size}" height="${size}" rx="${size * colours.radius}" fill="${colours.ground}"/>`
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${ground}<path transform="translate(${shift} ${shift}) scale(${scale})" fill="${colours.mark}" fill-rule="evenodd" d="${mark}"/></svg>`,
  )
}

const white = { mark: '#FFFFFF', ground: blue }
const pictures: Record<string, () => Promise<Buffer>> = {
  'icons/icon-192.png': () => png(drawing(192, 0.62, { ...white, radius: 0.22 })),
  'icons/icon-512.png': () => png(drawing(512, 0.62, { ...white, radius: 0.22 })),
  // Whatever a device cuts off, the middle four fifths stay.
  'icons/maskable-512.png': () => png(drawing(512, 0.5, { ...white, radius: 0 })),
  'icons/monochrome-512.png': () => png(drawing(512, 0.8, { mark: '#000000', ground: null, radius: 0 })),
  'icons/badge-96.png': () => png(drawing(96, 0.9, { mark: '#FFFFFF', ground: null, radius: 0 })),
  'icons/apple-touch-180.png': () => png(drawing(180, 0.6, { ...white, radius: 0 })),
  'icons/drop-192.png': () => png(drawing(192, 0.62, { mark: blue, ground: '#EAF0FF', radius: 0.5 })),
  'screenshots/narrow.webp': () => screenshot('home-phone-light.png', 780),
  'screenshots/wide.webp': () => screenshot('home-desktop-dark.png', 1280),
}

async function png(svg: Buffer): Promise<Buffer> {
  return sharp(svg).png({ compressionLevel: 9, palette: true }).toBuffer()
}

async function screenshot(name: string, width: number): Promise<Buffer> {
  return sharp(`${root}docs/screenshots/${name}`)
    .resize({ width, withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer()
}

let stale = 0
for (const [name, draw] of Object.entries(pictures)) {
  const bytes = await draw()
  if (check) {
    const there = await readFile(target + name).catch(() => null)
    if (there?.equals(bytes)) continue
    stale++
    process.stderr.write(`web/public/${name} is not what scripts/build-icons.ts would write.\n`)
  } else {
    await mkdir(new URL('.', `file://${target}${name}`), { recursive: true })
    await writeFile(target + name, bytes)
  }
}
if (stale > 0) process.exitCode = 1
