import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { loadSharp } from '../platform/media/sharp.ts'
import { type Coverage, readCoverage } from './font-coverage.ts'

// Not an import statement, which would load the module even for types alone.
type OverlayOptions = import('sharp').OverlayOptions

/** The lines of a card from top to bottom. */
export interface Card {
  readonly title: string
  readonly subtitle: string
  /** The large text in the product's color, or null. */
  readonly note: string | null
}

export const pictureSize = { width: 1200, height: 630 } as const

const assets = new URL('../../assets/previews/', import.meta.url)
/** The product's typeface last, which the renderer is given with every text. */
const fontFiles = [
  ...['noto-emoji-bold', 'noto-sans-arabic-bold', 'noto-sans-bold'],
  ...['plus-jakarta-sans-latin-ext', 'plus-jakarta-sans-latin'],
].map((name) => fileURLToPath(new URL(`${name}.ttf`, assets)))
const families = 'Plus Jakarta Sans, Noto Sans, Noto Sans Arabic, Noto Emoji'
const ground = new URL('ground.png', assets)

const leftPx = 76
const widthPx = 650
const colours = { text: '#141824', quiet: '#565D70', primary: '#2456E6' } as const

interface Style {
  readonly weight: 'Medium' | 'Bold' | 'ExtraBold'
  readonly colour: string
  /** Font sizes in the order to try. At the last one the text is scaled down as a picture if it still does not fit. */
  readonly sizesPx: readonly number[]
  readonly maxHeightPx: number
}

const styles = {
  title: { weight: 'ExtraBold', colour: colours.text, sizesPx: [84, 66, 52, 42], maxHeightPx: 236 },
  subtitle: { weight: 'Medium', colour: colours.quiet, sizesPx: [38, 30, 24, 20], maxHeightPx: 48 },
  note: { weight: 'Bold', colour: colours.primary, sizesPx: [46], maxHeightPx: 60 },
  product: { weight: 'ExtraBold', colour: colours.text, sizesPx: [40], maxHeightPx: 52 },
} as const satisfies Record<string, Style>

/**
 * Returns the parts of a text that the fonts of the server can draw; the rest would be boxes. A part is what a reader takes
 * for one character: a letter without its accent would be another one.
 */
export async function drawableOf(text: string): Promise<string> {
  coverages ??= Promise.all(fontFiles.map(readCoverage))
  const fonts = await coverages
  const isDrawn = (part: string) => {
    const visible = visibleIn(part)
    return fonts.some((font) => visible.every((character) => font.has(character.codePointAt(0) ?? 0)))
  }
  const parts = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
  const drawable = parts.filter(isDrawn).join('').replaceAll(/\s+/g, ' ').trim()
  return visibleIn(drawable).length > 0 ? drawable : ''
}

function visibleIn(text: string): string[] {
  return [...text].filter((character) => !/[\p{Default_Ignorable_Code_Point}\s]/u.test(character))
}

let coverages: Promise<Coverage[]> | undefined

/** Returns a PNG. All work is done off the main thread. */
export async function drawCard(card: Card): Promise<Buffer> {
  const [title, subtitle, note, product] = [
    await drawText(await drawableOf(card.title), styles.title),
    await drawText(await drawableOf(card.subtitle), styles.subtitle),
    card.note === null ? null : await drawText(await drawableOf(card.note), styles.note),
    await drawText('Hither', styles.product),
  ]
  const subtitleTop = 72 + title.height + 32
  const lines: OverlayOptions[] = [
    { input: title.data, left: leftPx, top: 72 },
    { input: subtitle.data, left: leftPx, top: subtitleTop },
    { input: product.data, left: leftPx + 62, top: 537 - Math.round(product.height / 2) },
  ]
  if (note) lines.push({ input: note.data, left: leftPx, top: subtitleTop + subtitle.height + 28 })
  const sharp = await loadSharp()
  return sharp(await readFile(ground))
    .composite(lines)
    .png({ compressionLevel: 9, palette: true })
    .toBuffer()
}

interface Drawn {
  readonly data: Buffer
  readonly height: number
}

async function drawText(text: string, style: Style): Promise<Drawn> {
  for (const sizePx of style.sizesPx) {
    const drawn = await setText(text, style, sizePx)
    if (drawn.info.height <= style.maxHeightPx && drawn.info.width <= widthPx) {
      return { data: drawn.data, height: drawn.info.height }
    }
  }
  const sharp = await loadSharp()
  const { data } = await setText(text, style, style.sizesPx.at(-1) ?? 0)
  const { data: fitted, info } = await sharp(data)
    .resize({ width: widthPx, height: style.maxHeightPx, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer({ resolveWithObject: true })
  return { data: fitted, height: info.height }
}

async function setText(text: string, { weight, colour }: Style, sizePx: number) {
  const sharp = await loadSharp()
  const set = (fontfile: string, words: string) =>
    sharp({
      text: {
        text: `<span foreground="${colour}" insert_hyphens="false">${escaped(words)}</span>`,
        font: `${families} ${weight} ${sizePx}`,
        fontfile,
        width: widthPx,
        wrap: 'word-char',
        rgba: true,
        // One point is one pixel.
        dpi: 72,
      },
    })
      .png()
      .toBuffer({ resolveWithObject: true })
  // The renderer knows a font file after its first use, so that the last one can use glyphs of all of them.
  await loaded(set)
  const fontFile = fontFiles.at(-1) ?? ''
  try {
    return await set(fontFile, text)
  } catch (error) {
    // The text has only blanks and invisible characters, which only the renderer can detect.
    if (/no text to render/.test((error as Error).message)) return set(fontFile, '–')
    throw error
  }
}

let loading: Promise<unknown> | undefined

function loaded(set: (fontFile: string, words: string) => Promise<unknown>): Promise<unknown> {
  loading ??= Promise.all(fontFiles.map((file) => set(file, 'Hither')))
  return loading
}

/** Escapes a text for Pango's markup. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
