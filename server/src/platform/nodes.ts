import { type FastifyBaseLogger } from 'fastify'
import { type Bus, createLocalBus } from './bus.ts'
import { createLocalRateLimits, type RateLimits } from './rate-limits.ts'
import { connectRedis } from './redis.ts'
import { createRedisBus } from './redis-bus.ts'
import { createRedisRateLimits } from './redis-rate-limits.ts'

/** What this node shares with the others of the service; a node without Redis is alone, and shares it with itself. */
export interface Nodes {
  readonly bus: Bus
  readonly rateLimits: RateLimits
  /** Rejects where the others cannot be reached. */
  ping(): Promise<void>
  close(): void
}

export async function joinNodes(redisUrl: string | null, now: () => Date, log: FastifyBaseLogger): Promise<Nodes> {
  const onListenerError = (error: unknown) => log.error({ err: error }, 'a listener of the bus failed')
  if (redisUrl === null) {
    return {
      bus: createLocalBus(onListenerError),
      rateLimits: createLocalRateLimits(now),
      ping: async () => {},
      close: () => {},
    }
  }
  const pair = await connectRedis(redisUrl, log)
  return {
    bus: await createRedisBus(pair, log, onListenerError),
    rateLimits: createRedisRateLimits(pair.commands, now),
    ping: async () => void (await pair.commands.ping()),
    close: pair.close,
  }
}
