import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { type Socket } from 'node:net'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import { type RefusalCode, refusals } from '@hither/contract/refusals.ts'
import buildSerializer, { type Schema } from 'fast-json-stringify'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { type Config } from '../config.ts'
import { refuse } from './answers.ts'
import { addApiDescription } from './api-description.ts'
import { allowedOrigins } from './origins.ts'
import { type CountRequest } from './rate-limits.ts'
import { validateInputs } from './validation.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route counts its requests itself, for the user, or costs too little to be counted. */
    readonly isCounted?: boolean
  }
}

/**
 * Fastify with what every route stands on: request counting, validation that never coerces a body, security headers, CORS,
 * OpenAPI, quiet logs. `countRequest` is called for each request before anything is read of it, unless its route has
 * `isCounted`; it throws the refusal.
 */
export async function createServer(
  config: Config,
  log: FastifyBaseLogger,
  countRequest: CountRequest = () => undefined,
): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: log,
    // Fastify's own line holds the address with its query, and the caller's network address: neither is ours to keep.
    logController: new LogController({ disableRequestLogging: true }),
    // Not the caller's own: it goes to the log. Unlike a count, it is the only one of all nodes and starts.
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy,
    bodyLimit: 256 * 1024,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    // Ten megabytes over a slow mobile line take this long; a call without a body has to be there sooner.
    requestTimeout: 120_000,
    http: { headersTimeout: 30_000, connectionsCheckingInterval: 5000, maxHeaderSize: 16 * 1024 },
    // Of nothing at all, in either direction: whoever takes an answer and does not read it.
    connectionTimeout: 120_000,
    clientErrorHandler: answerBroken,
    forceCloseConnections: true,
    // Addresses that Fastify gives up on before any route, which would otherwise answer in a form of their own.
    frameworkErrors: (error, _request, reply) =>
      refuse(reply, error.code === 'FST_ERR_BAD_URL' ? 'bad_request' : 'route_not_found'),
  })
  // The API speaks JSON; a text, which any page may send anywhere without asking, is none.
  app.removeContentTypeParser('text/plain')
  app.addHook('onRequest', async (request) => {
    if (!request.routeOptions.config.isCounted) countRequest(request)
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
    reply.header('permissions-policy', permissionsPolicy)
    // Answers of the API are of one moment and one caller, errors included.
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done(null, payload)
  })
  tolerateEmptyBodies(app)
  validateInputs(app)
  serializeBySchema(app)
  await app.register(helmet, {
    global: true,
    contentSecurityPolicy: false,
    hsts: config.publicUrl.startsWith('https:'),
    // Google's button answers from a window of its own, which strict isolation would cut off.
    crossOriginOpenerPolicy: { policy: config.googleClientId === null ? 'same-origin' : 'same-origin-allow-popups' },
  })
  await app.register(cors, {
    origin: [...allowedOrigins(config)],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'apikey'],
    exposedHeaders: ['date', 'etag', 'retry-after', 'x-request-id'],
    maxAge: 86_400,
  })
  await app.register(compress, { threshold: 2048, encodings: ['gzip', 'identity'] })
  addApiDescription(app)
  return app
}

/** The browser features that the web app does not use, for itself and for whatever it might frame. */
const permissionsPolicy = [
  'geolocation=(self)',
  ...['accelerometer', 'autoplay', 'browsing-topics', 'camera', 'display-capture', 'gyroscope', 'magnetometer'],
  ...['microphone', 'midi', 'payment', 'serial', 'usb', 'xr-spatial-tracking'],
]
  .map((feature) => (feature.includes('=') ? feature : `${feature}=()`))
  .join(', ')

/** What never became a request: too slow, too long a head, or no HTTP. In the form of every refusal, and the end of the line. */
function answerBroken(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const { status, detail } = refusals[brokenRequests[error.code ?? ''] ?? 'bad_request']
  const body = JSON.stringify({ detail })
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  )
}

const brokenRequests: Readonly<Record<string, RefusalCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_too_slow',
  HPE_HEADER_OVERFLOW: 'header_too_large',
}

// Some clients name JSON on a call that has no body.
function tolerateEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, body as string, done)
  })
}

/** As Fastify does, but when it is first asked for: of the hundreds there are, a start needs none. */
function serializeBySchema(app: FastifyInstance): void {
  app.setSerializerCompiler(({ schema }) => {
    let serialize: ((data: unknown) => string) | undefined
    return (data) => {
      serialize ??= buildSerializer(schema as Schema)
      return serialize(data)
    }
  })
}
