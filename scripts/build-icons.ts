import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import sharp from 'sharp'
import { root } from './run.ts'

/**
 * Renders all icons and splash screens from the logo `web/public/icon.svg`, and the screenshots of the install dialog from
 * those of the README. `--check` verifies that the committed files equal the output of this script.
 */
const blue = '#2456E6'
const web = `${root}web/public/`
const android = `${root}mobile/android/app/src/main/res/`
const ios = `${root}mobile/ios/App/App/Assets.xcassets/`
const check = process.argv.includes('--check')

const mark = /<path[^>]*\sd="([^"]+)"/.exec(await readFile(`${web}icon.svg`, 'utf8'))?.[1]
if (mark === undefined) throw new Error('web/public/icon.svg contains no path')

/** The logo, 48 units wide, centered on a background. `share` is its width as a fraction of the shorter side. */
function drawing(
  [width, height]: readonly [number, number],
  share: number,
  colours: { mark: string; ground: string | null; radius: number },
): Buffer {
  const side = Math.min(width, height)
  const scale = (side * share) / 48
  const [left, top] = [(width - side * share) / 2, (height - side * share) / 2]
  const ground =
    colours.ground === null
      ? ''
      : `<rect width="${width}" height="${height}" rx="${side * colours.radius}" fill="${colours.ground}"/>`
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${ground}<path transform="translate(${left} ${top}) scale(${scale})" fill="${colours.mark}" fill-rule="evenodd" d="${mark}"/></svg>`,
  )
}

const white = { mark: '#FFFFFF', ground: blue }
const bare = { ground: null, radius: 0 }
const square = (size: number) => [size, size] as const

const pictures: Record<string, () => Promise<Buffer>> = {
  [`${web}icons/icon-192.png`]: () => png(drawing(square(192), 0.62, { ...white, radius: 0.22 })),
  [`${web}icons/icon-512.png`]: () => png(drawing(square(512), 0.62, { ...white, radius: 0.22 })),
  // The safe zone of a maskable icon is the middle four fifths.
  [`${web}icons/maskable-512.png`]: () => png(drawing(square(512), 0.5, { ...white, radius: 0 })),
  [`${web}icons/monochrome-512.png`]: () => png(drawing(square(512), 0.8, { mark: '#000000', ...bare })),
  [`${web}icons/badge-96.png`]: () => png(drawing(square(96), 0.9, { mark: '#FFFFFF', ...bare })),
  [`${web}icons/apple-touch-180.png`]: () => png(drawing(square(180), 0.6, { ...white, radius: 0 })),
  [`${web}icons/drop-192.png`]: () => png(drawing(square(192), 0.62, { mark: blue, ground: '#EAF0FF', radius: 0.5 })),
  [`${web}screenshots/narrow.webp`]: () => screenshot('home-phone-light.png', 780),
  [`${web}screenshots/wide.webp`]: () => screenshot('home-desktop-dark.png', 1280),
  // Apple rounds the corners itself and does not accept transparency.
  [`${ios}AppIcon.appiconset/AppIcon-512@2x.png`]: () => opaque(drawing(square(1024), 0.6, { ...white, radius: 0 })),
}
for (const copy of ['', '-1', '-2'])
  pictures[`${ios}Splash.imageset/splash-2732x2732${copy}.png`] = () => splash(square(2732), 0.12)
for (const [density, scale] of Object.entries({ mdpi: 1, hdpi: 1.5, xhdpi: 2, xxhdpi: 3, xxxhdpi: 4 })) {
  const folder = `${android}mipmap-${density}/`
  pictures[`${folder}ic_launcher.png`] = () => png(drawing(square(48 * scale), 0.62, { ...white, radius: 0.22 }))
  pictures[`${folder}ic_launcher_round.png`] = () => png(drawing(square(48 * scale), 0.58, { ...white, radius: 0.5 }))
  // An adaptive icon has 108 units, of which the middle 66 are always visible.
  pictures[`${folder}ic_launcher_foreground.png`] = () =>
    png(drawing(square(108 * scale), 0.38, { mark: white.mark, ...bare }))
}
for (const [density, [short, long]] of Object.entries({
  mdpi: [320, 480],
  hdpi: [480, 800],
  xhdpi: [720, 1280],
  xxhdpi: [960, 1600],
  xxxhdpi: [1280, 1920],
} as const)) {
  pictures[`${android}drawable-port-${density}/splash.png`] = () => splash([short, long], 0.3)
  pictures[`${android}drawable-land-${density}/splash.png`] = () => splash([long, short], 0.3)
}
pictures[`${android}drawable/splash.png`] = () => splash([480, 320], 0.3)

async function png(svg: Buffer): Promise<Buffer> {
  return sharp(svg).png({ compressionLevel: 9, palette: true }).toBuffer()
}

function opaque(svg: Buffer): Promise<Buffer> {
  return sharp(svg).flatten({ background: blue }).png({ compressionLevel: 9 }).toBuffer()
}

function splash(size: readonly [number, number], share: number): Promise<Buffer> {
  return png(drawing(size, share, { mark: blue, ground: '#FFFFFF', radius: 0 }))
}

async function screenshot(name: string, width: number): Promise<Buffer> {
  return sharp(`${root}docs/screenshots/${name}`)
    .resize({ width, withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer()
}

let stale = 0
for (const [path, draw] of Object.entries(pictures)) {
  const bytes = await draw()
  if (check) {
    const there = await readFile(path).catch(() => null)
    if (there?.equals(bytes)) continue
    stale++
    process.stderr.write(`${path.slice(root.length)} is not what scripts/build-icons.ts would write.\n`)
  } else {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  }
}
if (stale > 0) process.exitCode = 1
