import multipart from '@fastify/multipart'
import { ErrorBody } from '@hither/contract/error-body.ts'
import { bodyBytesMax, type Input, type Operation, type RateLimit, type Reply } from '@hither/contract/operation.ts'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import type { LanguageTag } from '@hither/contract/runtime/locales.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { JsonText } from '../db/json-text.ts'
import { Refusal } from '../errors/refusal.ts'
import { languageOf } from './accept-language.ts'
import { authenticate, tokenOf } from './authenticate.ts'
import { type Caller, credentialsOf, type TokenVerifier } from './caller.ts'
import { type Content, sendContent } from './content.ts'
import { logFailure } from './error-handler.ts'
import {
  assertBelowCeiling,
  assertWithinLimits,
  type LocalRateLimits,
  type RateLimits,
  splitLimits,
} from './rate-limits.ts'
import { SpooledJson, sendSpooled } from './spool.ts'
import type { Upload, Uploads } from './uploads.ts'

/** The caller, by the operation's `auth`: required, optional or none. */
type CallerOf<O extends Operation> = O['auth'] extends 'required'
  ? Caller
  : O['auth'] extends 'optional'
    ? Caller | null
    : null

type Ask<O extends Operation> = Input<O> & {
  readonly caller: CallerOf<O>
  /** The header `User-Agent`, as sent. */
  readonly userAgent: string
  /** The language that the header `Accept-Language` prefers; null if Hither has none of its languages. */
  readonly language: LanguageTag | null
  /** The origin that the request names: `https://host:port`. */
  readonly requestOrigin: string
  readonly arrival: Arrival
  /** What follows the `?` of the address, as sent and unchecked. */
  readonly search: string
  /** The token of the header `Authorization: Guest TOKEN`, unchecked; empty without one. */
  readonly guestToken: string
} & (O extends { upload: object } ? { readonly upload: Upload } : unknown)

/** How a request arrived: the connected peer, and the headers of proxies. */
export interface Arrival {
  /** The address that the server uses as the caller's. */
  readonly address: string
  /** The connected peer: the caller, or the nearest proxy. */
  readonly peer: string
  readonly forwardedFor: string | null
  readonly forwardedProto: string | null
  /** Whether the request has the header `Forwarded`, which is not evaluated. */
  readonly hasForwarded: boolean
}

/** A response with headers, or with a status that is not the first one of the operation. */
export class Answer<Body> {
  readonly status: number
  readonly body: Body
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, body: Body, headers: Readonly<Record<string, string>> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

type Handler<O extends Operation> = (
  ask: Ask<O>,
) => Promise<
  O extends { content: string }
    ? Content
    : Reply<O> | JsonText<Reply<O>> | SpooledJson<Reply<O>> | Answer<Reply<O>> | Redirect
>

/** Sends the browser to another address. */
export class Redirect {
  readonly location: string

  constructor(location: string) {
    this.location = location
  }
}

/** Registers operations of the contract: path below `/api`, validation, authorization and responses. */
export interface Routes {
  add<O extends Operation>(operation: O, handler: Handler<O>, settings?: RouteSettings<O>): void
}

interface RouteSettings<O extends Operation> {
  /** Checks what the schema cannot: throws `InvalidInput`, before a limit of the person is counted. It sees no files. */
  readonly validate?: (input: Input<O>) => void
  /** The answer to every failure, for an address that people open in a browser. */
  readonly whenFailed?: Redirect
}

interface RoutesDeps {
  readonly tokens: TokenVerifier
  readonly uploads: Uploads
  readonly rateLimits: RateLimits
  /** Counted on this node only, since every call is counted. */
  readonly ceilings: LocalRateLimits
}

/** `registered` collects every added operation, for the responses to unknown routes and wrong methods. */
export function createRoutes(app: FastifyInstance, deps: RoutesDeps, registered: Operation[]): Routes {
  const { tokens, uploads, rateLimits, ceilings } = deps
  const callers = new WeakMap<FastifyRequest, Caller | null>()
  return {
    add(operation, handler, { validate, whenFailed } = {}) {
      registered.push(operation)
      const { method, path } = splitAddress(operation.address)
      const statuses = Object.keys(operation.replies).map(Number)
      const usual = statuses[0] ?? 200
      const { ofHead, ofBody, ofPerson } = splitLimits(operation)
      const checkLimits = (limits: readonly RateLimit[]) => async (request: FastifyRequest) => {
        const userId = callers.get(request)?.userId
        await assertWithinLimits(rateLimits, operation, limits, { address: request.ip, userId, body: request.body })
      }
      const checkSession = async (request: FastifyRequest) => {
        if (callers.get(request) && tokens.check(tokenOf(request)).state === 'revoked')
          throw new Refusal('authentication_required')
      }
      const route: RouteOptions = {
        method,
        url: `/api${path}`,
        schema: routeSchema(operation),
        config: { isCounted: true, ...(operation.faults && { faults: operation.faults }) },
        bodyLimit: operation.bodyMaxBytes ?? bodyBytesMax,
        // Before the body is read.
        onRequest: (request, _reply, done) => {
          const caller = callerOf(operation, request, deps)
          callers.set(request, caller)
          const { id } = request.params as { id?: string }
          const asking = { address: request.ip, userId: caller?.userId, body: null, id }
          assertBelowCeiling(ceilings, asking)
          // The parser of forms reads the bytes as they are.
          if (operation.upload && isEncoded(request)) throw new Refusal('unsupported_encoding')
          if (ofHead.length === 0) return done()
          assertWithinLimits(rateLimits, operation, ofHead, asking).then(() => done(), done)
        },
        preValidation: [
          // Again, because the session may have ended while the body was on its way. An expired token stays accepted.
          ...(method === 'GET' ? [] : [checkSession]),
          // Most clients send no body with a DELETE, and its fields are optional.
          ...(method === 'DELETE' || operation.isBodyOptional ? [emptyBody] : []),
          ...(ofBody.length > 0 ? [checkLimits(ofBody)] : []),
        ],
        preHandler: [
          ...(validate ? [validationOf<typeof operation>(validate)] : []),
          ...(ofPerson.length > 0 ? [checkLimits(ofPerson)] : []),
        ],
        ...(whenFailed && {
          errorHandler: (error, request, reply) => {
            logFailure(error, request)
            return reply.redirect(whenFailed.location, 302)
          },
        }),
        handler: async (request: FastifyRequest, reply: FastifyReply) => {
          const caller = callers.get(request) ?? null
          const { params, query, body } = request
          const upload = operation.upload && uploads.of(request, operation.upload, caller?.userId ?? request.ip)
          // Fastify has already validated the parts by the schemas of the operation.
          const ask = {
            ...{ params, query, body, caller, upload },
            get userAgent() {
              return request.headers['user-agent'] ?? ''
            },
            get language() {
              return languageOf(request.headers['accept-language'])
            },
            get requestOrigin() {
              return `${request.protocol}://${request.host}`
            },
            get search() {
              return searchOf(request.url)
            },
            get guestToken() {
              return guestTokenOf(request)
            },
            get arrival() {
              return arrivalOf(request)
            },
          }
          const result = await handler(ask as unknown as Ask<typeof operation>)
          if (operation.download) reply.header('content-disposition', `attachment; filename="${operation.download}"`)
          if (operation.content !== undefined)
            return sendContent(request, reply, operation.content, result as unknown as Content)
          if (result instanceof Redirect) return reply.redirect(result.location, 302)
          if (result instanceof JsonText)
            return reply.status(usual).type('application/json; charset=utf-8').send(result.text)
          if (result instanceof SpooledJson) return sendSpooled(reply, usual, result)
          const answer = result instanceof Answer ? result : new Answer(usual, result)
          reply.status(answer.status).headers(answer.headers)
          return answer.status === 204 ? reply.send() : answer.body
        },
      }
      if (operation.upload) addUploadRoute(app, route)
      else app.route(route)
    },
  }
}

/** A query may contain further question marks. */
function searchOf(url: string): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

function validationOf<O extends Operation>(validate: (input: Input<O>) => void) {
  return async ({ params, query, body }: FastifyRequest): Promise<void> =>
    validate({ params, query, body } as unknown as Input<O>)
}

async function emptyBody(request: FastifyRequest): Promise<void> {
  request.body ??= {}
}

function isEncoded({ headers }: FastifyRequest): boolean {
  return !['', 'identity'].includes(headers['content-encoding'] ?? '')
}

/** A separate scope, so that no other operation accepts multipart. */
function addUploadRoute(app: FastifyInstance, route: RouteOptions): void {
  app.register(async (scope) => {
    await scope.register(multipart)
    scope.route({
      ...route,
      // The schema of the body is for the documentation: the handler reads the body.
      validatorCompiler: (part) => {
        if (part.httpPart === 'body') return () => true
        if (!app.validatorCompiler) throw new Error('No validator')
        return app.validatorCompiler(part)
      },
    })
  })
}

function arrivalOf({ ip, socket, headers }: FastifyRequest): Arrival {
  const headerOf = (name: string) => headers[name]?.toString() ?? null
  return {
    address: ip,
    peer: socket.remoteAddress ?? '',
    forwardedFor: headerOf('x-forwarded-for'),
    forwardedProto: headerOf('x-forwarded-proto'),
    hasForwarded: 'forwarded' in headers,
  }
}

function callerOf(operation: Operation, request: FastifyRequest, deps: RoutesDeps): Caller | null {
  if (operation.auth === 'none' || operation.auth === 'guest') return null
  // A guest without account is a visitor, who may identify their response.
  const isVisitor = request.headers.authorization === undefined || guestTokenOf(request) !== ''
  if (operation.auth === 'optional' && isVisitor) return null
  return authenticate(deps, request)
}

function guestTokenOf({ headers }: FastifyRequest): string {
  return credentialsOf(headers, 'Guest')
}

function routeSchema(operation: Operation) {
  const failures = ['4xx', '5xx'].map((status) => [status, ErrorBody])
  return {
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.deprecated && { deprecated: true }),
    ...describe(operation),
    ...(operation.auth !== 'none' && {
      security: securityOf(operation.auth),
    }),
    ...(operation.params && { params: operation.params }),
    ...(operation.query && { querystring: operation.query }),
    ...(operation.body && { body: operation.body }),
    ...(operation.upload && { consumes: ['multipart/form-data'], body: uploadBody }),
    response: {
      ...operation.replies,
      ...(operation.content && contentReplies(operation.content)),
      ...Object.fromEntries(failures),
    },
  }
}

function securityOf(auth: Exclude<Operation['auth'], 'none'>): Record<string, []>[] {
  if (auth === 'guest') return [{ guest: [] }]
  return auth === 'required' ? [{ bearer: [] }] : [{}, { bearer: [] }, { guest: [] }]
}

function describe({ refusals = [], rateLimits = [] }: Operation) {
  const codes = rateLimits.length > 0 ? [...refusals, 'rate_limited'] : refusals
  return codes.length > 0 ? { description: `May refuse with: ${codes.join(', ')}.` } : {}
}

const uploadBody = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary' } },
}

function contentReplies(type: string) {
  return {
    200: { description: 'The bytes', content: { [type]: { schema: { type: 'string', format: 'binary' } } } },
    304: { type: 'null', description: 'The client has it already' },
  }
}
