import { createServer } from 'node:http'
import { fileLimits } from '@hither/contract/runtime/files.ts'
import sharp from 'sharp'

/** The baseline for pictures: the image library creates the same renditions of a file, without the server. */
const path = process.env['PICTURE'] ?? ''
const { pingImagePx, pingThumbPx } = fileLimits
const inside = (px: number) => ({ width: px, height: px, fit: 'inside', withoutEnlargement: true }) as const

sharp.cache(false)
sharp.concurrency(1)

async function render(): Promise<void> {
  const source = sharp(path, { sequentialRead: true }).autoOrient().resize(inside(pingImagePx))
  const { data, info } = await source.raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  for (const px of [pingImagePx, pingThumbPx])
    await sharp(data, { raw: { width, height, channels } }).resize(inside(px)).webp({ quality: 80 }).toBuffer()
}

createServer((_request, response) => void render().then(() => response.end('{}'))).listen(
  Number(process.env['PORT']),
  '127.0.0.1',
  () => process.stdout.write('ready\n'),
)
