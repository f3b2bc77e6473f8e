import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** How long a client may continue to send after the response; what it sends is discarded. */
const lingerMs = 2000

/**
 * Disconnects a client that continues to send long after the response. Not at once: closing a connection while data
 * arrives would discard the response. Call it before the head of the response is sent.
 */
export function disconnectLateSenders({ raw: request }: FastifyRequest, reply: FastifyReply): void {
  // An injected request, as of a test, has no such state and no connection.
  if (request.complete !== false || !hasBody(request)) return
  reply.removeHeader('connection')
  reply.raw.once('finish', () => {
    if (request.complete) return
    // A decoder that nobody reads from would stop the stream.
    request.unpipe().resume()
    closeLater(request.socket, request)
  })
}

/** Closes the connection unless `sending`, which may be the connection itself, is closed before. */
export function closeLater(socket: Socket, sending: EventEmitter = socket): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  sending.once('close', () => clearTimeout(timer))
}

function hasBody({ headers }: IncomingMessage): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0
}
