import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cornerColors, decompressionBomb, halves, taggedPicture } from '../../../test/pictures.ts'
import { createImages, type Renditions } from './images.ts'

const images = createImages({ pixelsMax: 8192 * 6144 })
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hither-images-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

async function render(bytes: Uint8Array | string, pixelsMax?: number): Promise<Renditions> {
  const path = join(folder, 'upload')
  await writeFile(path, bytes)
  const renderer = pixelsMax === undefined ? images : createImages({ pixelsMax })
  return renderer.render(path, { fullPx: 512, thumbPx: 128 })
}

const broken = { name: 'ImageError', reason: 'broken' }
const notAnImage = { name: 'ImageError', reason: 'not_an_image' }
const tooManyPixels = { name: 'ImageError', reason: 'too_many_pixels' }

describe('a picture', () => {
  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)(
    'in the format %s is converted to WebP in two sizes',
    async (kind) => {
      const { full, thumb } = await render(await halves(800, 400).toFormat(kind).toBuffer())
      expect(full).toMatchObject({ width: 512, height: 256 })
      expect(thumb).toMatchObject({ width: 128, height: 64 })
      for (const { bytes } of [full, thumb]) expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp' })
      expect(await cornerColors(full.bytes)).toEqual({ first: 'red', last: 'blue' })
    },
  )

  it.each(['jpeg', 'png', 'webp'] as const)('with location metadata (%s) is stored without metadata', async (kind) => {
    const original = await taggedPicture(kind, 6)
    // Without metadata in the original, the test would prove nothing.
    expect(await sharp(original).metadata()).toMatchObject({ exif: expect.any(Buffer), orientation: 6 })
    const { full, thumb } = await render(original)
    for (const { bytes } of [full, thumb]) {
      const { exif, xmp, iptc, icc, orientation } = await sharp(bytes).metadata()
      expect({ exif, xmp, iptc, icc, orientation }).toEqual({})
      expect(bytes.toString('latin1')).not.toMatch(/EXIF|XMP |ICCP|Spycam|ann was here/)
    }
  })

  it.each(['jpeg', 'png', 'webp'] as const)('with a rotated orientation (%s) is stored upright', async (kind) => {
    const { full } = await render(await taggedPicture(kind, 6))
    expect(full).toMatchObject({ width: 341, height: 512 })
    const { data, info } = await sharp(full.bytes).raw().toBuffer({ resolveWithObject: true })
    const at = (y: number) => [...data.subarray((y * info.width + 170) * 3, (y * info.width + 170) * 3 + 3)]
    expect(at(100)[0]).toBeGreaterThan(150)
    expect(at(400)[2]).toBeGreaterThan(150)
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('with orientation %i is rotated as the library rotates it', async (orientation) => {
    const corners = Buffer.alloc(40 * 20 * 3)
    corners.fill(255, 0, 40 * 10 * 3)
    for (let row = 0; row < 20; row++) corners.fill(90, row * 120, row * 120 + 30)
    const picture = sharp(corners, { raw: { width: 40, height: 20, channels: 3 } }).withMetadata({ orientation })
    for (const original of [await picture.clone().png().toBuffer(), await picture.clone().avif().toBuffer()]) {
      const wanted = await sharp(original).autoOrient().webp({ quality: 80 }).toBuffer({ resolveWithObject: true })
      const { full } = await render(original)
      expect(full).toMatchObject({ width: wanted.info.width, height: wanted.info.height })
      expect(full.bytes).toEqual(wanted.data)
    }
  })

  it('that is smaller than the target size is not enlarged', async () => {
    const { full, thumb } = await render(await halves(60, 40).png().toBuffer())
    expect(full).toMatchObject({ width: 60, height: 40 })
    expect(thumb).toMatchObject({ width: 60, height: 40 })
  })

  it('keeps its transparency', async () => {
    const clear = {
      create: { width: 50, height: 50, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    } as const
    const { full } = await render(await sharp(clear).png().toBuffer())
    expect(await sharp(full.bytes).metadata()).toMatchObject({ hasAlpha: true })
  })

  it('with an animation is reduced to its first frame', async () => {
    const frames = Buffer.concat([Buffer.alloc(40 * 40 * 3, 200), Buffer.alloc(40 * 40 * 3, 10)])
    const raw = { width: 40, height: 80, channels: 3, pageHeight: 40 } as const
    const { full } = await render(await sharp(frames, { raw }).gif().toBuffer())
    expect(full).toMatchObject({ width: 40, height: 40 })
  })

  it('in 16-bit gray or CMYK is accepted', async () => {
    const grey = await halves(40, 40).toColourspace('grey16').png().toBuffer()
    const print = await halves(40, 40).toColourspace('cmyk').jpeg().toBuffer()
    for (const bytes of [grey, print]) expect((await render(bytes)).full).toMatchObject({ width: 40, height: 40 })
    expect(await cornerColors((await render(print)).full.bytes)).toEqual({ first: 'red', last: 'blue' })
  })
})

describe('an invalid picture', () => {
  it.each([
    ['text', 'Hello, I am a picture.'],
    ['nothing', ''],
    [
      'a drawing (SVG)',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    ],
    ['a document (PDF)', '%PDF-1.7\n1 0 obj'],
    ['a TIFF', Buffer.from('49492a0008000000', 'hex')],
    ['an iPhone picture (HEIC)', Buffer.from('00000018667479706865696300000000686569636d696631', 'hex')],
    ['a film (MP4)', Buffer.from('000000186674797069736f6d0000020069736f6d69736f32', 'hex')],
  ])('is rejected: %s', async (_, bytes) => {
    await expect(render(bytes)).rejects.toMatchObject(notAnImage)
  })

  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)(
    'is rejected: a truncated file in the format %s',
    async (kind) => {
      const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
      const picture = sharp({ create: { width: 300, height: 300, channels: 3, background: 'red', noise } })
      const bytes = await picture.toFormat(kind).toBuffer()
      await expect(render(bytes.subarray(0, Math.floor(bytes.length * 0.6)))).rejects.toMatchObject(broken)
      await expect(render(bytes.subarray(0, 40))).rejects.toMatchObject(broken)
    },
  )

  it('is rejected: a file that begins in one format and continues in another', async () => {
    const png = await halves(40, 40).png().toBuffer()
    await expect(render(Buffer.concat([Buffer.from('ffd8ff', 'hex'), png]))).rejects.toMatchObject(broken)
  })

  it('is rejected: a small file that declares too many pixels', async () => {
    await expect(render(await decompressionBomb())).rejects.toMatchObject(tooManyPixels)
  })

  it.each([
    ['jpeg', 10_000],
    ['png', 10_000],
    ['webp', 10_000],
    ['gif', 10_000],
    // Decoding it takes four times as much.
    ['avif', 40_000],
  ] as const)('is rejected without being decoded if it has too many pixels (%s)', async (kind, pixelsMax) => {
    const bytes = await halves(100, 100).toFormat(kind).toBuffer()
    await expect(render(bytes, pixelsMax - 1)).rejects.toMatchObject(tooManyPixels)
    expect((await render(bytes, pixelsMax)).full.width).toBe(100)
  })

  it('with 16 bits per channel counts twice its number of pixels', async () => {
    const bytes = await halves(100, 100).toColourspace('rgb16').png().toBuffer()
    await expect(render(bytes, 19_999)).rejects.toMatchObject(tooManyPixels)
    expect((await render(bytes, 20_000)).full.width).toBe(100)
  })
})

it('pictures are rendered one at a time, and a render is refused if the queue is full', async () => {
  const path = join(folder, 'many')
  await writeFile(path, await halves(2000, 1500).jpeg().toBuffer())
  const outcomes = await Promise.allSettled(
    Array.from({ length: 70 }, () => images.render(path, { fullPx: 64, thumbPx: 16 })),
  )
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused.map((outcome) => outcome.reason.code)).toEqual(Array(5).fill('server_busy'))
})
