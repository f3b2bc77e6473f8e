import { realtimePath } from '@hither/contract/feeds.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { type FastifyInstance, type FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Tokens } from '../auth/tokens.ts'
import { assertBelowCeiling, type LocalRateLimits, type RateLimits } from '../platform/rate-limits.ts'
import { fault, InvalidInput, Refusal } from '../platform/refusal.ts'
import { broadcastBytesMax } from './broadcasts.ts'
import { type Gateway } from './gateway.ts'
import { type Broadcast } from './protocol.ts'

const messagesMax = 20
const limit = { max: 120, seconds: 60 } as const

/** Of all messages of one request together. */
const messagesBytesMax = 64 * 1024

const Messages = Type.Object({
  messages: Type.Array(
    Type.Object({ topic: Type.String(), event: Type.String(), payload: Type.Optional(Type.Unknown()) }),
    { minItems: 1, maxItems: messagesMax },
  ),
})
type Messages = { messages: { topic: string; event: string; payload?: unknown }[] }

const Target = Type.Object({ topic: Type.String(), event: Type.String() })
type Target = { topic: string; event: string }

interface BroadcastDeps {
  readonly tokens: Tokens
  readonly rateLimits: RateLimits
  readonly ceilings: LocalRateLimits
  readonly gateway: Pick<Gateway, 'broadcast'>
}

/** What a client that is not joined says to a topic: the official one calls these by itself, and counts 202 as said. */
export function addBroadcastRoutes(http: FastifyInstance, deps: BroadcastDeps): void {
  const { tokens, rateLimits, ceilings, gateway } = deps
  const path = `/api${realtimePath}/api/broadcast`
  const callers = new WeakMap<FastifyRequest, UserId>()
  const schema = { tags: ['realtime'], security: [{ bearer: [] }] }

  http.register(async (scope) => {
    // In this scope alone: bytes are passed on as they are.
    scope.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer', bodyLimit: broadcastBytesMax },
      (_request, body, done) => done(null, body),
    )
    scope.addHook('onRequest', async (request) => {
      const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
      const check = token === undefined ? null : tokens.check(token)
      if (check?.state !== 'valid') throw new Refusal('authentication_required')
      const { userId } = check.caller
      callers.set(request, userId)
      assertBelowCeiling(ceilings, { address: request.ip, userId })
    })
    scope.post<{ Body: Messages }>(
      path,
      {
        schema: { ...schema, summary: 'Broadcast to topics', body: Messages },
        config: { isCounted: true },
        bodyLimit: messagesBytesMax,
      },
      async (request, reply) => {
        await say(
          request,
          request.body.messages.map(({ topic, event, payload }) => jsonOf(topic, event, payload)),
        )
        return reply.status(202).send()
      },
    )
    scope.post<{ Params: Target }>(
      `${path}/:topic/events/:event`,
      {
        schema: { ...schema, summary: 'Broadcast one event', params: Target },
        config: { isCounted: true },
        bodyLimit: broadcastBytesMax + 1024,
      },
      async (request, reply) => {
        const { topic, event } = request.params
        const { body } = request
        const broadcast = Buffer.isBuffer(body)
          ? { topic: `realtime:${topic}`, event, isJson: false, body }
          : jsonOf(topic, event, body)
        await say(request, [broadcast])
        return reply.status(202).send()
      },
    )
  })

  async function say(request: FastifyRequest, broadcasts: readonly Broadcast[]): Promise<void> {
    const userId = callers.get(request)
    if (userId === undefined) throw new Refusal('authentication_required')
    for (const broadcast of broadcasts) {
      const wait = await rateLimits.take(`broadcast person ${userId}`, limit)
      if (wait !== null) throw new Refusal('rate_limited', wait)
      const objection = await gateway.broadcast(userId, broadcast)
      if (objection === 'no member') throw new Refusal('conversation_not_found')
      if (objection !== null) throw new InvalidInput(fault('body')(objection))
    }
  }
}

/** The topic without the `realtime:` that it has on a socket. */
function jsonOf(topic: string, event: string, payload: unknown): Broadcast {
  return { topic: `realtime:${topic}`, event, isJson: true, body: Buffer.from(JSON.stringify(payload ?? {})) }
}
