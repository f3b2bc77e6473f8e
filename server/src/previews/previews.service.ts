import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { PingId } from '@hither/contract/ids.ts'
import { uuidPattern } from '@hither/contract/runtime/uuid.ts'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import { findPreviewed } from '../pings/pings.service.ts'
import { createConcurrencyLimiter } from '../platform/async/concurrency-limiter.ts'
import type { Pool } from '../platform/db/database.ts'
import type { Content } from '../platform/http/content.ts'
import type { Translator } from '../platform/languages/translator.ts'
import { type Card, drawableOf, drawCard, pictureSize } from './preview-picture.ts'
import { cardOf, headOf, productCardOf, productTags, tagsOf } from './previews.rules.ts'

interface PreviewsDeps {
  pool: Pool
  publicUrl: string
  /** Messengers store a card for everybody, so it has the language of the server. */
  translator: Translator
  log: FastifyBaseLogger
  now: () => Date
}

/** Link previews for messengers and search engines. Every caller is treated as a visitor without an account. */
export interface Previews {
  /** Returns the picture of a public, unexpired ping. Any other id and `null` give the picture of the product. */
  getPicture(pingId: PingId | null): Promise<Content>
  /** Returns the tags for the head of the page at this path. */
  getHead(path: string): Promise<string>
}

/** The remaining time is shown in minutes: an older picture is outdated, and it must not outlive its ping. */
const cacheMs = 60_000
const cacheMax = 200

export function createPreviews({ pool, publicUrl, translator, log, now }: PreviewsDeps): Previews {
  const productCard = productCardOf(translator)
  // Rendered on other threads, one at a time, so that another core stays free.
  const limiter = createConcurrencyLimiter({ atOnce: 1, waiting: 64 })
  const cached = new LRUCache<string, Promise<Content>>({ max: cacheMax, ttl: cacheMs, ttlAutopurge: true })

  function draw(card: Card): Promise<Content> {
    const key = JSON.stringify(card)
    const had = cached.get(key)
    if (had) return had
    const drawing = limiter.run(() => drawCard(card)).then(contentOf)
    cached.set(key, drawing, { ttl: card === productCard ? 0 : cacheMs })
    drawing.catch(() => cached.delete(key))
    return drawing
  }

  const listed = headOf(productTags(publicUrl, translator), { ...pictureSize, isListed: true })
  const unlisted = headOf(productTags(publicUrl, translator), { ...pictureSize, isListed: false })

  return {
    async getPicture(pingId) {
      const ping = pingId === null ? undefined : await findPreviewed(pool, pingId, now())
      const name = await drawableOf(ping?.name ?? '')
      if (!ping || name === '') return draw(productCard)
      const display_name = (await drawableOf(ping.display_name ?? '')) || null
      return draw(cardOf({ ...ping, name, display_name }, now(), translator))
    },
    async getHead(path) {
      if (/^\/add\/?$/.test(path)) return unlisted
      if (!/^\/pins(?:\/|$)/.test(path)) return listed
      const pingId = pingOf(path)
      try {
        const ping = pingId === null ? undefined : await findPreviewed(pool, pingId, now())
        return ping ? headOf(tagsOf(ping, publicUrl, translator), { ...pictureSize, isListed: false }) : unlisted
      } catch (error) {
        // The page itself needs no database and shows a better message than an error.
        log.error({ err: error }, 'link preview failed')
        return unlisted
      }
    },
  }
}

const pagePath = new RegExp(`^/pins/(${uuidPattern})/?$`, 'i')

function pingOf(path: string): PingId | null {
  const id = pagePath.exec(path)?.[1]
  return id === undefined ? null : (id as PingId)
}

function contentOf(png: Buffer): Content {
  return {
    hash: createHash('sha256').update(png).digest('base64url'),
    bytes: png.byteLength,
    open: async () => Readable.from([png], { objectMode: false }),
  }
}
