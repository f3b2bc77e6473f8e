import { createServer } from 'node:http'
import { fileLimits } from '@hither/contract/files.ts'
import sharp from 'sharp'

/** The limit that pictures are held against: a file of the asked path made into the same renditions, by the library alone. */
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
