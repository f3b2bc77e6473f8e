import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { constants } from 'node:zlib'
import compress, { type FastifyCompressOptions } from '@fastify/compress'
import cors from '@fastify/cors'
import { bodyBytesMax, type Operation } from '@hither/contract/operation.ts'
import { type RefusalCode, refusals } from '@hither/contract/refusals.ts'
import { recoveryCodesDeletedHeader } from '@hither/contract/runtime/auth/auth.ts'
import { ownAnswerHeader } from '@hither/contract/runtime/own-answer.ts'
import buildSerializer, { type Schema } from 'fast-json-stringify'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Config } from '../../config.ts'
import { Refusal } from '../errors/refusal.ts'
import { addApiDescription } from './api-description.ts'
import { refuse } from './error-handler.ts'
import { readForwardedFor } from './forwarded-for.ts'
import { closeLater, disconnectLateSenders } from './late-senders.ts'
import { allowedOrigins } from './origins.ts'
import type { CountRequest } from './rate-limits.ts'
import { securityHeadersOf } from './security-headers.ts'
import { validateInputs } from './validation.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route counts its requests itself, by user, or costs too little to be counted. */
    readonly isCounted?: boolean
    /** See `Operation`. */
    readonly faults?: Operation['faults']
  }
}

/** The maximum size of the head of a request. A parameter of a path is part of it and needs no limit of its own. */
const headBytesMax = 16 * 1024

/**
 * Creates Fastify with what every route needs: request counting, validation without coercion, security headers, CORS,
 * OpenAPI and logs without personal data. `countRequest` is called for each request before anything of it is read,
 * unless its route has `isCounted`; it throws the refusal.
 */
export async function createServer(
  config: Config,
  log: FastifyBaseLogger,
  countRequest: CountRequest = () => undefined,
): Promise<FastifyInstance> {
  const headersOfAll = { ...securityHeadersOf(config), [ownAnswerHeader]: '1' }
  const app = fastify({
    loggerInstance: log,
    // Fastify's own log line contains the URL with its query, and the caller's network address: neither is stored.
    logController: new LogController({ disableRequestLogging: true }),
    // The client's own id is ignored, because it would appear in the log. A UUID is unique over all nodes and starts.
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy,
    bodyLimit: bodyBytesMax,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: headBytesMax },
    // Ten megabytes over a slow mobile connection take this long; a request without a body has a shorter limit.
    requestTimeout: 120_000,
    http: { headersTimeout: 30_000, connectionsCheckingInterval: 5000, maxHeaderSize: headBytesMax },
    // The timeout without data in either direction: for instance a client that does not read the response.
    connectionTimeout: 120_000,
    clientErrorHandler: answerBroken,
    forceCloseConnections: true,
    // Fastify rejects a URL with invalid percent-encoding before any hook, and would use a different error format.
    frameworkErrors: (_error, request, reply) => {
      reply.headers({ ...headersOfAll, 'x-request-id': request.id, 'cache-control': 'no-store' })
      refuse(reply, 'bad_request')
    },
  })
  // The API accepts JSON. Any page may send plain text to any origin without a preflight.
  app.removeContentTypeParser('text/plain')
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersOfAll)
    if (config.trustProxy !== false) readForwardedFor(request.raw)
    // Codings are compared without case, but the library compares them as they are.
    const coding = request.headers['content-encoding']
    if (coding !== undefined) request.headers['content-encoding'] = coding.trim().toLowerCase()
    if (!request.routeOptions.config.isCounted) countRequest(request)
    if (request.method === 'OPTIONS' && !isPreflight(request)) reply.callNotFound()
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request
    request.log.debug(
      { method, route: routeOptions.url ?? null, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    )
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('x-request-id', request.id)
    disconnectLateSenders(request, reply)
    // Responses of the API, errors included, are valid for one moment and one caller.
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done(null, payload)
  })
  tolerateEmptyBodies(app)
  validateInputs(app)
  serializeBySchema(app)
  await app.register(cors, {
    origin: [...allowedOrigins(config)],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'apikey'],
    exposedHeaders: ['date', 'etag', 'retry-after', 'x-request-id', ownAnswerHeader, recoveryCodesDeletedHeader],
    maxAge: 86_400,
  })
  await app.register(compress, compression)
  addApiDescription(app)
  return app
}

/**
 * Responses of a typical size are compressed in one step, because a stream for each of them costs more than the
 * compression itself. `syncThreshold` bounds the pause of the event loop to about a millisecond; larger responses are
 * compressed as a stream on other threads. Of the two encodings, Brotli takes less time for a smaller result at the
 * lowest levels.
 */
const compression = {
  // A smaller response fits into one packet anyway.
  threshold: 1400,
  syncThreshold: 128 * 1024,
  encodings: ['br', 'gzip', 'identity'],
  onUnsupportedRequestEncoding: () => new Refusal('unsupported_encoding'),
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
  zlibOptions: { level: constants.Z_BEST_SPEED },
} satisfies FastifyCompressOptions

function isPreflight({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/**
 * Responds to input that never became a request: too slow, too large a head, or not HTTP. Uses the format of every
 * refusal, and closes the connection.
 */
function answerBroken(error: NodeJS.ErrnoException, socket: Socket): void {
  // What arrives after the response is as broken.
  if (socket.writableEnded) return
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const code = brokenRequests[error.code ?? ''] ?? 'bad_request'
  const { status, detail } = refusals[code]
  const body = JSON.stringify({ detail, code })
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      `${ownAnswerHeader}: 1`,
      '',
      body,
    ].join('\r\n'),
  )
  closeLater(socket)
}

const brokenRequests: Readonly<Record<string, RefusalCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_too_slow',
  HPE_HEADER_OVERFLOW: 'header_too_large',
}

// Some clients name JSON as the type of a call without a body.
function tolerateEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, body as string, done)
  })
}

/** Compiles like Fastify, but at first use: a start needs none of the hundreds of schemas. */
function serializeBySchema(app: FastifyInstance): void {
  app.setSerializerCompiler(({ schema }) => {
    let serialize: ((data: unknown) => string) | undefined
    return (data) => {
      serialize ??= buildSerializer(schema as Schema)
      return serialize(data)
    }
  })
}
