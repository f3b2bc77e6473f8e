import { crc32 } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

/** The GPS position in the metadata of test pictures. Stored pictures must not contain it. */
const gpsExif = {
  IFD0: { Copyright: 'ann was here', Make: 'Spycam' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '51/1 30/1 3230/100',
    GPSLongitudeRef: 'W',
    GPSLongitude: '0/1 7/1 3999/100',
  },
}

const red = { r: 220, g: 30, b: 30 }
const blue = { r: 30, g: 30, b: 220 }

/** Creates a picture whose left half is red and whose right half is blue. */
export function halves(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < width * height; at++) {
    const { r, g, b } = at % width < width / 2 ? red : blue
    pixels.set([r, g, b], at * 3)
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

/** Creates a picture of 600 by 400 pixels with a GPS position in its EXIF data. EXIF orientation 6 rotates it by 90 degrees: red above, blue below. */
export function taggedPicture(format: 'jpeg' | 'png' | 'webp', orientation?: number): Promise<Buffer> {
  const picture = halves(600, 400).withExif(gpsExif).withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">51.5</x:xmpmeta>')
  return (orientation === undefined ? picture : picture.withMetadata({ orientation, exif: gpsExif }))
    .toFormat(format)
    .toBuffer()
}

/** Creates a JPEG of noise, which does not compress well. */
export async function noisyJpeg(width: number, height: number, quality: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  return sharp({ create: { width, height, channels: 3, background: red, noise } })
    .jpeg({ quality, chromaSubsampling: '4:4:4' })
    .toBuffer()
}

/** Creates a small PNG file whose header declares 30000 by 30000 pixels. */
export async function decompressionBomb(): Promise<Buffer> {
  const png = Buffer.from(await halves(8, 8).png().toBuffer())
  png.writeUInt32BE(30_000, 16)
  png.writeUInt32BE(30_000, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  return png
}

/** The colors at the center of the upper left quarter and at the center of the lower right quarter. */
export async function cornerColors(picture: Uint8Array): Promise<{ first: string; last: string }> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  const colourAt = (x: number, y: number) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
    return (data[at] ?? 0) > (data[at + 2] ?? 0) ? 'red' : 'blue'
  }
  return { first: colourAt(0.25, 0.25), last: colourAt(0.75, 0.75) }
}
