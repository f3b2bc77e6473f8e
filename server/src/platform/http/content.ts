import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A response of bytes. `open` is called only if the client does not have them yet. */
export interface Content {
  /** The ETag without quotes. It changes with the bytes. */
  readonly hash: string
  readonly bytes: number
  readonly open: () => Promise<Readable>
}

/**
 * Bytes that one user may see at this moment: a client may cache them but revalidates each time, since the visibility
 * and the picture may have changed. A revalidation costs a 304.
 */
export async function sendContent(request: FastifyRequest, reply: FastifyReply, type: string, content: Content) {
  const etag = `"${content.hash}"`
  reply.header('etag', etag).header('cache-control', 'private, max-age=0, must-revalidate')
  // Two accounts may share a browser, and with it the cache.
  reply.header('vary', 'origin, authorization')
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.status(304).send()
  const stream = await content.open()
  if (!reply.hasHeader('content-disposition')) reply.header('content-disposition', 'inline')
  return reply
    .status(200)
    .type(type)
    .header('content-length', content.bytes)
    .header('x-content-type-options', 'nosniff')
    .send(stream)
}

// RFC 9110, 13.1.2: a list of tags, compared without `W/`, or `*`.
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((entry) => ['*', etag].includes(entry.trim().replace(/^W\//, '')))
}
