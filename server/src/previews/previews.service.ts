import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type PingId } from '@hither/contract/ids.ts'
import { type FastifyBaseLogger } from 'fastify'
import { findPreviewed } from '../pings/pings.service.ts'
import { type Content } from '../platform/content.ts'
import { type Pool } from '../platform/database.ts'
import { createLine } from '../platform/line.ts'
import { type Card, drawCard, pictureSize } from './preview-picture.ts'
import { cardOf, headOf, productCard, productTags, tagsOf } from './previews.rules.ts'

export interface PreviewsDeps {
  pool: Pool
  publicUrl: string
  log: FastifyBaseLogger
  now: () => Date
}

/** What messengers and search engines get of an address. Asks as a visitor without an account, whoever it is. */
export interface Previews {
  /** Of a public ping that is not over; of any other id, as of `null`, the product's. */
  getPicture(pingId: PingId | null): Promise<Content>
  /** The tags for the head of the page at this path. */
  getHead(path: string): Promise<string>
}

/** What is left of the time is drawn by the minute: an older picture is of no more use, nor may it outlive its ping. */
const keptMs = 60_000
const keptMax = 200

export function createPreviews({ pool, publicUrl, log, now }: PreviewsDeps): Previews {
  // Drawn on other threads, one at a time, so that a second core is left to everyone else.
  const line = createLine({ atOnce: 1, waiting: 64 })
  const kept = new Map<string, Promise<Content>>()

  function draw(card: Card): Promise<Content> {
    const key = JSON.stringify(card)
    const had = kept.get(key)
    if (had) return had
    const drawing = line.run(() => drawCard(card)).then(contentOf)
    kept.set(key, drawing)
    drawing.catch(() => kept.delete(key))
    if (card === productCard) return drawing
    setTimeout(() => kept.delete(key), keptMs).unref()
    for (const oldest of kept.keys()) {
      if (kept.size <= keptMax) break
      kept.delete(oldest)
    }
    return drawing
  }

  const listed = headOf(productTags(publicUrl), { ...pictureSize, isListed: true })
  const unlisted = headOf(productTags(publicUrl), { ...pictureSize, isListed: false })

  return {
    async getPicture(pingId) {
      const ping = pingId === null ? undefined : await findPreviewed(pool, pingId, now())
      return draw(ping ? cardOf(ping, now()) : productCard)
    },
    async getHead(path) {
      if (!/^\/pins(?:\/|$)/.test(path)) return listed
      const pingId = pingOf(path)
      try {
        const ping = pingId === null ? undefined : await findPreviewed(pool, pingId, now())
        return ping ? headOf(tagsOf(ping, publicUrl), { ...pictureSize, isListed: false }) : unlisted
      } catch (error) {
        // The page itself needs no database, and says so better than an error would.
        log.error({ err: error }, 'a link has no preview')
        return unlisted
      }
    },
  }
}

function pingOf(path: string): PingId | null {
  const id = /^\/pins\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/i.exec(path)?.[1]
  return id === undefined ? null : (id as PingId)
}

function contentOf(png: Buffer): Content {
  return {
    hash: createHash('sha256').update(png).digest('base64url'),
    bytes: png.byteLength,
    open: async () => Readable.from([png], { objectMode: false }),
  }
}
