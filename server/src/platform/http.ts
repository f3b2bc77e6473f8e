import { type Input, type Operation, type Reply } from '@hither/contract/operation.ts'
import { ErrorBody } from '@hither/contract/refusals.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type Caller, type Tokens } from '../auth/tokens.ts'
import { Refusal } from './refusal.ts'

/** Who is asking: by the operation's `auth`, someone, perhaps someone, or nobody. */
type CallerOf<O extends Operation> = O['auth'] extends 'required'
  ? Caller
  : O['auth'] extends 'optional'
    ? Caller | null
    : null

export type Ask<O extends Operation> = Input<O> & { readonly caller: CallerOf<O> }

/** An answer whose status is not the first that the operation lists. */
export class Answer<Body> {
  readonly status: number
  readonly body: Body

  constructor(status: number, body: Body) {
    this.status = status
    this.body = body
  }
}

export type Handler<O extends Operation> = (ask: Ask<O>) => Promise<Reply<O> | Answer<Reply<O>>>

/** Registers operations of the contract: their path below `/api`, their validation, who may call, their answers. */
export interface Routes {
  add<O extends Operation>(operation: O, handler: Handler<O>): void
}

/** `registered` collects every operation added, for the answers to unknown routes and wrong methods. */
export function createRoutes(app: FastifyInstance, tokens: Tokens, registered: Operation[]): Routes {
  return {
    add(operation, handler) {
      registered.push(operation)
      const statuses = Object.keys(operation.replies).map(Number)
      const usual = statuses[0] ?? 200
      app.route({
        method: operation.method,
        url: `/api${operation.path}`,
        schema: routeSchema(operation),
        handler: async (request: FastifyRequest, reply: FastifyReply) => {
          const caller = callerOf(operation, request, tokens)
          const { params, query, body } = request
          // Fastify has held the parts against the operation's own schemas by now.
          const result = await handler({ params, query, body, caller } as unknown as Ask<typeof operation>)
          const answer = result instanceof Answer ? result : new Answer(usual, result)
          reply.status(answer.status)
          return answer.status === 204 ? reply.send() : answer.body
        },
      })
    },
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
    ...(operation.refusals && { description: `May refuse with: ${operation.refusals.join(', ')}.` }),
    ...(operation.auth !== 'none' && {
      security: operation.auth === 'required' ? [{ bearer: [] }] : [{}, { bearer: [] }],
    }),
    ...(operation.params && { params: operation.params }),
    ...(operation.query && { querystring: operation.query }),
    ...(operation.body && { body: operation.body }),
    response: { ...operation.replies, ...Object.fromEntries(failures) },
  }
}
