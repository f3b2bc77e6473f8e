import { realtimePath } from '@hither/contract/feeds.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { InvalidInput, Refusal } from '../../platform/errors/refusal.ts'
import { authenticate } from '../../platform/http/authenticate.ts'
import type { TokenVerifier } from '../../platform/http/caller.ts'
import { assertBelowCeiling, type LocalRateLimits, type RateLimits } from '../../platform/http/rate-limits.ts'
import type { Broadcast } from '../protocol/protocol.ts'
import { tooManyBroadcasts, typingBytesMax } from './broadcasts.ts'

const path = `${realtimePath}/api/broadcast`
const eventPath = `${path}/:topic/events/:event`

/** The routes, which are no operations, with their paths below `/api`. */
export const broadcastRoutes = [
  { method: 'POST', path },
  { method: 'POST', path: eventPath },
] as const

const messagesMax = 20
const limit = { max: 120, seconds: 60 } as const

/** The limit for all messages of one request together. */
const messagesBytesMax = 16 * 1024

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
  readonly tokens: TokenVerifier
  readonly rateLimits: RateLimits
  readonly ceilings: LocalRateLimits
  readonly gateway: {
    /** Resolves to the reason of a refusal, or to `null`. */
    broadcast(userId: UserId, broadcast: Broadcast): Promise<string | null>
  }
}

/**
 * Routes for clients that have not joined the topic. The official client calls them by itself, and counts 202 as sent.
 */
export function addBroadcastRoutes(http: FastifyInstance, deps: BroadcastDeps): void {
  const { rateLimits, ceilings, gateway } = deps
  const callers = new WeakMap<FastifyRequest, UserId>()
  const schema = { tags: ['realtime'], security: [{ bearer: [] }] }

  http.register(async (scope) => {
    scope.addHook('onRequest', async (request) => {
      const { userId } = authenticate(deps, request)
      callers.set(request, userId)
      assertBelowCeiling(ceilings, { address: request.ip, userId })
    })
    scope.post<{ Body: Messages }>(
      `/api${path}`,
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
      `/api${eventPath}`,
      {
        schema: { ...schema, summary: 'Broadcast one event', params: Target },
        config: { isCounted: true },
        bodyLimit: typingBytesMax + 1024,
      },
      async (request, reply) => {
        const { topic, event } = request.params
        await say(request, [jsonOf(topic, event, request.body)])
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
      if (objection === tooManyBroadcasts) throw new Refusal('rate_limited', 1)
      if (objection === 'no member') throw new Refusal('conversation_not_found')
      if (objection !== null)
        throw new InvalidInput({ loc: ['body'], msg: objection, type: 'value_error', code: 'invalid' })
    }
  }
}

/** Returns the topic without the prefix `realtime:` that it has on a socket. */
function jsonOf(topic: string, event: string, payload: unknown): Broadcast {
  return { topic: `realtime:${topic}`, event, isJson: true, body: Buffer.from(JSON.stringify(payload ?? {})) }
}
