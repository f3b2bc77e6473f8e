import { randomUUID } from 'node:crypto'
import type { FieldError } from '@hither/contract/error-body.ts'
import type { GeneralFaultCode } from '@hither/contract/faults.ts'
import type { Operation } from '@hither/contract/operation.ts'
import { type RefusalCode, refusals } from '@hither/contract/refusals.ts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify'
import { isDamage, isDependencyUnavailable } from '../errors/dependency-errors.ts'
import { fieldError, InvalidInput, Refusal } from '../errors/refusal.ts'
import { fieldErrorsMax } from './validation.ts'

/** Fastify's own errors as refusals of the contract. */
const ownRefusals: Readonly<Record<string, RefusalCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
}

const retryAfterSeconds = 2

/** Makes every response that is not a success: refusals, invalid inputs, unknown routes and unexpected errors. */
export function addErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof Refusal) {
      if (error.retryAfterSeconds !== null) reply.header('retry-after', error.retryAfterSeconds)
      return refuse(reply, error.code)
    }
    if (error instanceof InvalidInput) return refuseInput(reply, error.fieldErrors.slice(0, fieldErrorsMax))
    if (error.validation) {
      const general = error.validation
        .slice(0, fieldErrorsMax)
        .map((item) => fieldErrorOf(item, error.validationContext))
      return refuseInput(reply, withFaults(general, request.routeOptions.config.faults))
    }
    const own = ownRefusals[error.code]
    if (own) return refuse(reply, own)
    if (error instanceof SyntaxError || error.code?.startsWith('FST_ERR_CTP_')) {
      return refuseInput(reply, [fieldError('body')('json_invalid', 'json_invalid')])
    }
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
      return reply.status(error.statusCode).send({ detail: refusals.bad_request.detail, code: 'bad_request' })
    }
    return unexpected(error, request, reply)
  })
}

function unexpected(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const incident = logUnexpected(error, request)
  if (incident !== null)
    return reply.status(500).send({ detail: `Internal server error (${incident})`, code: 'internal_error', incident })
  reply.header('retry-after', retryAfterSeconds)
  return refuse(reply, 'unavailable')
}

/** Returns the id of the log line; `null` if a dependency is unavailable. */
function logUnexpected(error: unknown, request: FastifyRequest): string | null {
  if (isDependencyUnavailable(error)) {
    if (isDamage(error)) request.log.fatal({ err: error }, 'the database reports damaged data or an internal error')
    else request.log.error({ err: error }, 'dependency unavailable')
    return null
  }
  const incident = randomUUID()
  request.log.error({ err: error, incident }, 'unexpected error')
  return incident
}

/** Logs an error as the error handler does, for a route that answers its errors itself. */
export function logFailure(error: FastifyError, request: FastifyRequest): void {
  const isOfRequest = error instanceof Refusal || (error.statusCode !== undefined && error.statusCode < 500)
  if (!isOfRequest) logUnexpected(error, request)
}

export function refuse(reply: FastifyReply, code: RefusalCode) {
  const { status, detail } = refusals[code]
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  return reply.status(status).send({ detail, code })
}

function refuseInput(reply: FastifyReply, detail: readonly FieldError[]) {
  return reply.status(422).send({ detail, code: 'invalid_input' })
}

/** The code of an error by the keyword of the schema that the field does not satisfy. */
const generalCodes: Readonly<Record<string, GeneralFaultCode>> = {
  required: 'field_required',
  type: 'wrong_type',
  enum: 'not_allowed_value',
  const: 'not_allowed_value',
  minLength: 'too_short',
  minItems: 'too_short',
  maxLength: 'too_long',
  maxItems: 'too_long',
  minimum: 'too_small',
  exclusiveMinimum: 'too_small',
  maximum: 'too_large',
  exclusiveMaximum: 'too_large',
  format: 'invalid_format',
  pattern: 'invalid_format',
}

const places: Readonly<Record<string, string>> = {
  querystring: 'query',
  params: 'path',
  headers: 'header',
  body: 'body',
}

function fieldErrorOf(item: FastifySchemaValidationError, context: string | undefined): FieldError {
  const path = item.instancePath
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : unescapePointer(part)))
  const missing = item.keyword === 'required' ? [String(item.params['missingProperty'])] : []
  const { keyword, params } = item
  const limit = params['limit']
  return {
    loc: [places[context ?? 'body'] ?? 'body', ...path, ...missing],
    msg: sentenceOf(item),
    type: keyword,
    code: generalCodes[keyword] ?? 'invalid',
    ...(typeof limit === 'number' && { params: { limit } }),
  }
}

/** Replaces the errors of fields that have one of their own. */
function withFaults(fieldErrors: readonly FieldError[], faults: Operation['faults'] = {}): FieldError[] {
  const byPlace = new Map<string, FieldError>()
  for (const [index, general] of fieldErrors.entries()) {
    const place = general.loc.join('.')
    const fault = Object.hasOwn(faults, place) ? faults[place] : undefined
    if (fault) byPlace.set(place, { loc: general.loc, ...fault, code: fault.type })
    else byPlace.set(`${place} ${index}`, general)
  }
  return [...byPlace.values()]
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

/** Responds to unknown routes below `/api` with 404, and to known ones with another method with 405 and `Allow`. */
export function createNotFoundHandler(operations: readonly { method: string; path: string }[]) {
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
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll('.', '\\.')))
  return new RegExp(`^${parts.join('/')}/?$`)
}
