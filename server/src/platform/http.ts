import multipart from '@fastify/multipart'
import { type Input, type Operation, type Reply } from '@hither/contract/operation.ts'
import { ErrorBody } from '@hither/contract/refusals.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, type RouteOptions } from 'fastify'
import { type Caller, type Tokens } from '../auth/tokens.ts'
import { bodyBytesMax } from './body-limits.ts'
import { type Content, sendContent } from './content.ts'
import {
  assertBelowCeiling,
  assertWithinLimits,
  type LocalRateLimits,
  type RateLimits,
  splitLimits,
} from './rate-limits.ts'
import { Refusal } from './refusal.ts'
import { endLateSenders, type Upload, type Uploads } from './uploads.ts'

/** Who is asking: by the operation's `auth`, someone, perhaps someone, or nobody. */
type CallerOf<O extends Operation> = O['auth'] extends 'required'
  ? Caller
  : O['auth'] extends 'optional'
    ? Caller | null
    : null

export type Ask<O extends Operation> = Input<O> & {
  readonly caller: CallerOf<O>
  /** The header `User-Agent`, as sent. */
  readonly userAgent: string
  /** Where the caller found this server, as they say: `https://host:port`. */
  readonly reachedAt: string
  readonly arrival: Arrival
} & (O extends { upload: object } ? { readonly upload: Upload } : unknown)

/** How a call came here: who is at the other end of the line, and what was said of who is behind. */
export interface Arrival {
  /** Whom this server takes the caller for. */
  readonly address: string
  /** Who is connected: the caller, or the proxy nearest to this server. */
  readonly peer: string
  readonly forwardedFor: string | null
  readonly forwardedProto: string | null
  /** Whether it has the header `Forwarded`, which is not read. */
  readonly hasForwarded: boolean
}

/** An answer whose status is not the first that the operation lists. */
export class Answer<Body> {
  readonly status: number
  readonly body: Body

  constructor(status: number, body: Body) {
    this.status = status
    this.body = body
  }
}

export type Handler<O extends Operation> = (
  ask: Ask<O>,
) => Promise<O extends { content: string } ? Content : Reply<O> | Answer<Reply<O>>>

/** Registers operations of the contract: their path below `/api`, their validation, who may call, their answers. */
export interface Routes {
  add<O extends Operation>(operation: O, handler: Handler<O>): void
}

export interface RoutesDeps {
  readonly tokens: Tokens
  readonly uploads: Uploads
  readonly rateLimits: RateLimits
  /** Of this node alone, since every call asks them. */
  readonly ceilings: LocalRateLimits
}

/** `registered` collects every operation added, for the answers to unknown routes and wrong methods. */
export function createRoutes(app: FastifyInstance, deps: RoutesDeps, registered: Operation[]): Routes {
  const { tokens, uploads, rateLimits, ceilings } = deps
  const callers = new WeakMap<FastifyRequest, Caller | null>()
  return {
    add(operation, handler) {
      registered.push(operation)
      const statuses = Object.keys(operation.replies).map(Number)
      const usual = statuses[0] ?? 200
      const { ofHead, ofBody } = splitLimits(operation)
      const route: RouteOptions = {
        method: operation.method,
        url: `/api${operation.path}`,
        schema: routeSchema(operation),
        config: { isCounted: true },
        bodyLimit: bodyBytesMax(operation.body),
        // Before the body is read: whoever may not call is told so whatever they sent, and costs no more than a header.
        onRequest: async (request, reply) => {
          if (operation.upload) endLateSenders(request, reply)
          const caller = callerOf(operation, request, tokens)
          callers.set(request, caller)
          const asking = { address: request.ip, userId: caller?.userId, body: null }
          assertBelowCeiling(ceilings, asking)
          await assertWithinLimits(rateLimits, operation, ofHead, asking)
        },
        preValidation: async (request: FastifyRequest) => {
          // Most clients send none with a DELETE, and what there is to say there is optional.
          if (operation.method === 'DELETE') request.body ??= {}
          const userId = callers.get(request)?.userId
          await assertWithinLimits(rateLimits, operation, ofBody, { address: request.ip, userId, body: request.body })
        },
        handler: async (request: FastifyRequest, reply: FastifyReply) => {
          const caller = callers.get(request) ?? null
          const { params, query, body } = request
          const upload = operation.upload && uploads.of(request, operation.upload, caller?.userId ?? request.ip)
          // Fastify has held the parts against the operation's own schemas by now.
          const ask = {
            ...{ params, query, body, caller, upload },
            get userAgent() {
              return request.headers['user-agent'] ?? ''
            },
            get reachedAt() {
              return `${request.protocol}://${request.host}`
            },
            get arrival() {
              return arrivalOf(request)
            },
          }
          const result = await handler(ask as unknown as Ask<typeof operation>)
          if (operation.download) reply.header('content-disposition', `attachment; filename="${operation.download}"`)
          if (operation.content !== undefined)
            return sendContent(request, reply, operation.content, result as unknown as Content)
          const answer = result instanceof Answer ? result : new Answer(usual, result)
          reply.status(answer.status)
          return answer.status === 204 ? reply.send() : answer.body
        },
      }
      if (operation.upload) addUploadRoute(app, route)
      else app.route(route)
    },
  }
}

/** In a scope of its own, so that no other call takes multipart. */
function addUploadRoute(app: FastifyInstance, route: RouteOptions): void {
  app.register(async (scope) => {
    await scope.register(multipart)
    scope.route({
      ...route,
      // The body's schema is for the documentation: the body itself is read by whoever handles the call.
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

function callerOf(operation: Operation, request: FastifyRequest, tokens: Tokens): Caller | null {
  if (operation.auth === 'none') return null
  const header = request.headers.authorization
  if (header === undefined && operation.auth === 'optional') return null
  const token = /^Bearer (\S+)$/i.exec(header ?? '')?.[1]
  const check = token === undefined ? null : tokens.check(token)
  if (check?.state !== 'valid') throw new Refusal('authentication_required')
  return check.caller
}

function routeSchema(operation: Operation) {
  const failures = ['4xx', '5xx'].map((status) => [status, ErrorBody])
  return {
    tags: [operation.tag],
    summary: operation.summary,
    ...describe(operation),
    ...(operation.auth !== 'none' && {
      security: operation.auth === 'required' ? [{ bearer: [] }] : [{}, { bearer: [] }],
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
