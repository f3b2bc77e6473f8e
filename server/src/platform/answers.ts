import { randomUUID } from 'node:crypto'
import { type Fault, type RefusalCode, refusals } from '@hither/contract/refusals.ts'
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchemaValidationError,
} from 'fastify'
import { isAway, isDamage } from './away.ts'
import { InvalidInput, Refusal } from './refusal.ts'
import { faultsMax } from './validation.ts'

/** Fastify's own refusals, in the contract's words. */
const ownRefusals: Readonly<Record<string, RefusalCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
}

const retryAfterSeconds = 2

/** Every answer that is not a success is made here: refusals, faults of an input, unknown routes, and the unexpected. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof Refusal) {
      if (error.retryAfterSeconds !== null) reply.header('retry-after', error.retryAfterSeconds)
      return refuse(reply, error.code)
    }
    if (error instanceof InvalidInput) return reply.status(422).send({ detail: error.faults.slice(0, faultsMax) })
    if (error.validation)
      return reply.status(422).send({
        detail: error.validation.slice(0, faultsMax).map((item) => faultOf(item, error.validationContext)),
      })
    const own = ownRefusals[error.code]
    if (own) return refuse(reply, own)
    if (error instanceof SyntaxError || error.code?.startsWith('FST_ERR_CTP_')) {
      return reply
        .status(422)
        .send({ detail: [{ loc: ['body'], msg: 'The body is not valid JSON', type: 'json_invalid' }] })
    }
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
      return reply.status(error.statusCode).send({ detail: refusals.bad_request.detail })
    }
    return unexpected(error, request, reply)
  })
}

function unexpected(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (isAway(error)) {
    if (isDamage(error)) request.log.fatal({ err: error }, 'the database reports damaged data or a fault of its own')
    else request.log.error({ err: error }, 'something the server needs is away')
    reply.header('retry-after', retryAfterSeconds)
    return refuse(reply, 'unavailable')
  }
  const incident = randomUUID()
  request.log.error({ err: error, incident }, 'unexpected error')
  return reply.status(500).send({ detail: `Internal server error (${incident})` })
}

export function refuse(reply: FastifyReply, code: RefusalCode) {
  const { status, detail } = refusals[code]
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  return reply.status(status).send({ detail })
}

const places: Readonly<Record<string, string>> = {
  querystring: 'query',
  params: 'path',
  headers: 'header',
  body: 'body',
}

function faultOf(item: FastifySchemaValidationError, context: string | undefined): Fault {
  const path = item.instancePath
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : unescapePointer(part)))
  const missing = item.keyword === 'required' ? [String(item.params['missingProperty'])] : []
  return { loc: [places[context ?? 'body'] ?? 'body', ...path, ...missing], msg: sentenceOf(item), type: item.keyword }
}

// RFC 6901: a JSON pointer escapes `~` and `/`.
function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

function sentenceOf(item: FastifySchemaValidationError): string {
  const { keyword, params } = item
  switch (keyword) {
    case 'required':
      return 'Field required'
    case 'type':
      return `Must be of type ${String(params['type']).replaceAll(',', ' or ')}`
    case 'enum':
      return `Must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`
    case 'minLength':
      return `Must be at least ${params['limit']} characters`
    case 'maxLength':
      return `Must be at most ${params['limit']} characters`
    case 'format':
      return params['format'] === 'uuid' ? 'Must be a valid id' : `Must be a valid ${params['format']}`
    case 'pattern':
      return 'Has a form that is not allowed'
    default:
      return item.message ? `${item.message[0]?.toUpperCase()}${item.message.slice(1)}` : 'Not valid'
  }
}

/** Unknown routes below `/api` answer 404, known ones asked with another method 405 with `Allow`. */
export function answerUnknown(operations: readonly { method: string; path: string }[]) {
  const known = operations.map(({ method, path }) => ({ method, pattern: patternOf(`/api${path}`) }))
  return (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const methods = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    if (methods.length === 0) return refuse(reply, 'route_not_found')
    reply.header('allow', [...new Set(methods)].join(', '))
    return refuse(reply, 'method_not_allowed')
  }
}

function patternOf(path: string): RegExp {
  const parts = path
    .replace(/\/$/, '')
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part))
  return new RegExp(`^${parts.join('/')}/?$`)
}
