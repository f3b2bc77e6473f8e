import { writeFile } from 'node:fs/promises'
import type { Locator } from '@playwright/test'
import encodeQR from 'qr'
import decodeQR from 'qr/decode.js'
import sharp from 'sharp'

/** Returns the text of the QR code in a screenshot of this element. */
export async function qrTextOf(element: Locator): Promise<string> {
  const { data, info } = await sharp(await element.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return decodeQR({ data, width: info.width, height: info.height })
}

const video = { width: 640, height: 480, frames: 5 } as const

/** Writes a video in the format Y4M that shows the QR code of this text, for Chromium's fake camera. */
export async function writeQrVideo(path: string, text: string): Promise<void> {
  const { width, height, frames } = video
  const svg = encodeQR(text, 'svg', { ecc: 'medium', border: 4, scale: 1 })
  const luma = await sharp(Buffer.from(svg), { density: 600 })
    .resize({ width, height, fit: 'contain', background: '#fff', kernel: 'nearest' })
    .flatten({ background: '#fff' })
    .toColourspace('b-w')
    .raw()
    .toBuffer()
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((width * height) / 2, 128)])
  const header = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip C420mpeg2\n`)
  await writeFile(path, Buffer.concat([header, ...Array<Buffer>(frames).fill(frame)]))
}
