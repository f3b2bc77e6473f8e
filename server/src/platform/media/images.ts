import { open } from 'node:fs/promises'
import { createConcurrencyLimiter } from '../async/concurrency-limiter.ts'
import { loadSharp } from './sharp.ts'

// Types only: an import statement would load the module at the start.
type Metadata = import('sharp').Metadata
type OutputInfo = import('sharp').OutputInfo

/** One encoded picture. */
interface Rendition {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

export interface Renditions {
  readonly full: Rendition
  readonly thumb: Rendition
}

/** The longer side of each size in pixels. No picture is enlarged. */
export interface Sizes {
  readonly fullPx: number
  readonly thumbPx: number
}

/** Why a file is not accepted as a picture. */
export class ImageError extends Error {
  override name = 'ImageError'
  readonly reason: 'not_an_image' | 'too_many_pixels' | 'broken'

  constructor(reason: ImageError['reason']) {
    super(reason)
    this.reason = reason
  }
}

export interface Images {
  /**
   * Returns an upright picture without metadata, in sRGB and as WebP; of an animation the first frame. Throws
   * `ImageError`.
   */
  render(path: string, sizes: Sizes): Promise<Renditions>
}

export const renditionType = 'image/webp'

const decodeWithinSeconds = 20
const waitingMax = 64

/**
 * Decodes one picture at a time: the largest takes about 400 MB, and the second core stays free. `pixelsMax` applies to
 * eight bits per color; AVIF may have a quarter of it, sixteen bits the half.
 */
export function createImages({ pixelsMax }: { pixelsMax: number }): Images {
  const limiter = createConcurrencyLimiter({ atOnce: 1, waiting: waitingMax })
  return {
    async render(path, sizes) {
      const format = await sniff(path)
      if (format === null) throw new ImageError('not_an_image')
      return limiter.run(() => render(path, format, sizes, pixelsMax))
    },
  }
}

async function render(path: string, format: Format, sizes: Sizes, pixelsMax: number): Promise<Renditions> {
  const sharp = await loadSharp()
  // The declared size is checked before a pixel is decoded.
  const source = () => sharp(path, { limitInputPixels: pixelsMax, failOn: 'error', pages: 1, sequentialRead: true })
  const declared = await decode(() => source().metadata())
  assertDeclared(declared, format, pixelsMax)
  const small = await decode(() =>
    source()
      .timeout({ seconds: decodeWithinSeconds })
      .resize(within(sizes.fullPx))
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
  )
  const pixels = await upright(small, declared.orientation)
  return { full: await encode(pixels, sizes.fullPx), thumb: await encode(pixels, sizes.thumbPx) }
}

/** Rotates after resizing: before it, the library would need the whole large picture in memory. */
async function upright(pixels: Pixels, orientation = 1): Promise<Pixels> {
  const turn = orientations[orientation]
  if (turn === undefined) return pixels
  return (await fromPixels(pixels))
    .flop(turn.isMirrored)
    .rotate(turn.degrees)
    .raw()
    .toBuffer({ resolveWithObject: true })
}

function assertDeclared(declared: Metadata, format: Format, pixelsMax: number): void {
  if (declared.format !== format) throw new ImageError('broken')
  if (declared.format === 'heif' && declared.compression !== 'av1') throw new ImageError('not_an_image')
  const pixels = declared.width * (declared.pageHeight ?? declared.height)
  // The memory for decoding: AVIF needs about 25 bytes per pixel, other formats at most 8, and twice that with 16 bits
  // per color.
  const weight = (format === 'heif' ? 4 : 1) * (declared.depth === 'ushort' ? 2 : 1)
  if (pixels * weight > pixelsMax) throw new ImageError('too_many_pixels')
}

interface Pixels {
  readonly data: Buffer
  readonly info: OutputInfo
}

async function encode(pixels: Pixels, longerSidePx: number): Promise<Rendition> {
  const source = await fromPixels(pixels)
  const { data, info } = await source
    .resize(within(longerSidePx))
    .webp({ quality: 80 })
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height }
}

async function fromPixels({ data, info: { width, height, channels } }: Pixels) {
  const sharp = await loadSharp()
  return sharp(data, { raw: { width, height, channels } })
}

function within(longerSidePx: number) {
  return { width: longerSidePx, height: longerSidePx, fit: 'inside', withoutEnlargement: true } as const
}

interface Turn {
  readonly isMirrored: boolean
  readonly degrees: number
}

/** The steps that make a picture upright, by its EXIF orientation: first mirrored horizontally, then rotated. */
const orientations: Readonly<Record<number, Turn>> = {
  2: { isMirrored: true, degrees: 0 },
  3: { isMirrored: false, degrees: 180 },
  4: { isMirrored: true, degrees: 180 },
  5: { isMirrored: true, degrees: 270 },
  6: { isMirrored: false, degrees: 90 },
  7: { isMirrored: true, degrees: 90 },
  8: { isMirrored: false, degrees: 270 },
}

// The library distinguishes its errors only by their messages.
async function decode<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new ImageError(/exceeds pixel limit/i.test((error as Error).message) ? 'too_many_pixels' : 'broken')
  }
}

type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'heif'

/** Detects the format by the first bytes. AVIF and HEIC share a container, whose brands differ. */
async function sniff(path: string): Promise<Format | null> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0)
    return formatOf(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

function formatOf(head: Buffer): Format | null {
  const text = head.toString('latin1')
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(text)) return 'gif'
  if (/^RIFF[\s\S]{4}WEBP/.test(text)) return 'webp'
  if (text.slice(4, 8) === 'ftyp' && /avif|avis/.test(text.slice(8, head.readUInt32BE(0)))) return 'heif'
  return null
}
