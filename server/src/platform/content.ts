import { type Readable } from 'node:stream'
import { type FastifyReply, type FastifyRequest } from 'fastify'

/** An answer that is bytes. `open` is called only where the client does not have them yet. */
export interface Content {
  /** Without quotes. Changes with the bytes. */
  readonly hash: string
  readonly bytes: number
  readonly open: () => Promise<Readable>
}

/**
 * Bytes that one person may see, now: a client may keep them but asks each time, since what it may see, and the picture
 * behind the address, may have changed. Asking costs a 304.
 */
export async function sendContent(request: FastifyRequest, reply: FastifyReply, type: string, content: Content) {
  const etag = `"${content.hash}"`
  reply.header('etag', etag).header('cache-control', 'private, max-age=0, must-revalidate')
  // Two accounts may share a browser, and with it the copy.
  reply.header('vary', 'origin, authorization')
  if (hasAlready(request.headers['if-none-match'], etag)) return reply.status(304).send()
  const stream = await content.open()
  if (!reply.hasHeader('content-disposition')) reply.header('content-disposition', 'inline')
  return reply
    .status(200)
    .type(type)
    .header('content-length', content.bytes)
    .header('x-content-type-options', 'nosniff')
    .send(stream)
}

// RFC 9110, 13.1.2: a list of tags, compared without regard to `W/`, or `*`.
export function hasAlready(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((entry) => ['*', etag].includes(entry.trim().replace(/^W\//, '')))
}
