import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AuthSession } from '@hither/contract/auth/auth.ts'
import { uploadPingImage } from '@hither/contract/files.ts'
import { createPing } from '@hither/contract/pings.ts'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import sharp from 'sharp'
import { startHither } from './hither.ts'
import { call, signUpFriends } from './people.ts'
import { type Measured, median, start } from './process.ts'
import { printTable } from './table.ts'

/**
 * Measures the upload of a photo of twelve megapixels until it is stored, compared with the image library alone creating the
 * same renditions of a file. With one and with two concurrent uploads; the rounds alternate.
 */
const rounds = 5
const each = 4

interface Cost {
  readonly ms: number
  readonly cpuMs: number
}

const folder = await mkdtemp(join(tmpdir(), 'hither-bench-'))
const picture = await photograph()
const path = join(folder, 'photograph.jpg')
await writeFile(path, picture)
const hither = await startHither({
  DATA_DIR: folder,
  LOG_LEVEL: 'silent',
  RATE_LIMITS: 'off',
  LOAD_SHEDDING: 'off',
  BACKUPS_ENABLED: 'off',
})
const limit = await start(fileURLToPath(new URL('./bare-pictures.ts', import.meta.url)), {
  ready: 'ready',
  environment: { PICTURE: path },
})
try {
  const upload = await uploader(hither.url)
  const render = async () => void (await (await fetch(limit.url)).text())
  const rows: string[][] = []
  for (const atOnce of [1, 2]) {
    const costs = { hither: [] as Cost[], limit: [] as Cost[] }
    for (let round = 0; round <= rounds; round++) {
      const ours = await measure(hither, upload, atOnce)
      const theirs = await measure(limit, render, atOnce)
      // The first round is a warm-up.
      if (round > 0) costs.hither.push(ours) && costs.limit.push(theirs)
    }
    rows.push(row(`ms, ${atOnce} at once`, costs, 'ms', atOnce === 1 ? '≤ 1.15' : ''))
    rows.push(row(`CPU ms, ${atOnce} at once`, costs, 'cpuMs', atOnce === 1 ? '≤ 1.15' : ''))
  }
  const [peak, limitPeak] = [await hither.peakBytes(), await limit.peakBytes()]
  rows.push(['most memory, MB', megabytes(peak), megabytes(limitPeak), (peak / limitPeak).toFixed(2), ''])
  printTable(`I1 a photograph of 12 megapixels, ${megabytes(picture.length)} MB, median of ${rounds} rounds`, [
    ['', 'Hither', 'sharp alone', 'ratio', 'goal'],
    ...rows,
  ])
} finally {
  await limit.stop()
  await hither.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Creates a picture similar to a photo, with shapes, gradients and a little noise. */
async function photograph(): Promise<Buffer> {
  const [width, height] = [4000, 3000]
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const create = { width: 400, height: 300, channels: 3, background: '#888', noise } as const
  const shapes = await sharp({ create }).blur(8).normalise().resize(width, height, { kernel: 'cubic' }).png().toBuffer()
  const grain = { width, height, channels: 3, background: '#888', noise: { ...noise, sigma: 6 } } as const
  return sharp(shapes)
    .composite([{ input: await sharp({ create: grain }).png().toBuffer(), blend: 'soft-light' }])
    .jpeg({ quality: 88 })
    .toBuffer()
}

async function uploader(url: string): Promise<() => Promise<void>> {
  const [ann] = (await signUpFriends(url, 2)) as [AuthSession, AuthSession]
  const body = { name: 'Bench', latitude: 40, longitude: -73, duration_minutes: 240 } as const
  const ping = await call(url, createPing, { body }, ann)
  const target = `${url}/api${splitAddress(uploadPingImage.address).path.replace(':pingId', ping?.id ?? '')}`
  return async () => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'photograph.jpg')
    const headers = { authorization: `Bearer ${ann.access_token}` }
    const response = await fetch(target, { method: splitAddress(uploadPingImage.address).method, headers, body: form })
    if (!response.ok) throw new Error(`The upload was answered with ${response.status}: ${await response.text()}`)
    await response.text()
  }
}

/** Measures the cost of one unit of work with `atOnce` concurrent ones. */
async function measure(server: Measured, work: () => Promise<void>, atOnce: number): Promise<Cost> {
  const cpuBefore = await server.cpuMicroseconds()
  const began = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let n = 0; n < each; n++) await work()
    }),
  )
  const ms = performance.now() - began
  const cpu = (await server.cpuMicroseconds()) - cpuBefore
  return { ms: ms / (each * atOnce), cpuMs: cpu / 1000 / (each * atOnce) }
}

function row(name: string, costs: Record<'hither' | 'limit', Cost[]>, key: keyof Cost, goal: string): string[] {
  const [ours, theirs] = [median(costs.hither.map((cost) => cost[key])), median(costs.limit.map((cost) => cost[key]))]
  return [name, ours.toFixed(0), theirs.toFixed(0), (ours / theirs).toFixed(2), goal]
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1)
}
