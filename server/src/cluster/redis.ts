import type { FastifyBaseLogger } from 'fastify'
import { type Backoff, backoffMs } from '../platform/async/backoff.ts'

// Types only: an import statement would load the module at the start.
type Redis = import('ioredis').Redis

/**
 * Every key and channel begins with it, followed by the id of the installation. The version changes with the format of
 * the data.
 */
export const redisPrefix = 'hither:2:'

const answerWithinMs = 4000
const reconnect: Backoff = { firstMs: 100, maxMs: 2000 }

/**
 * Two connections: one for commands, one for subscriptions. They reconnect without a limit. A command without a
 * connection fails at once, since every caller has a fallback.
 */
export interface RedisPair {
  readonly commands: Redis
  readonly subscriber: Redis
  close(): void
}

/**
 * Throws if Redis cannot be reached at the start, because several nodes without a connection do not form one service.
 */
export async function connectRedis(url: string, log: FastifyBaseLogger): Promise<RedisPair> {
  const { Redis } = await import('ioredis')
  const open = (name: string) => {
    const redis = new Redis(url, {
      connectionName: `hither ${name}`,
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      // A connection that does not respond is treated as a closed one.
      socketTimeout: answerWithinMs,
      // The bus subscribes again itself, because it must know when.
      autoResubscribe: false,
      retryStrategy: (times) => backoffMs(times, reconnect),
    })
    redis.on('error', (error: Error) => log.error({ err: error, name }, 'Redis cannot be reached'))
    return redis
  }
  const [commands, subscriber] = [open('commands'), open('subscriber')]
  const close = () => {
    commands.disconnect()
    subscriber.disconnect()
  }
  try {
    await Promise.all([commands.connect(), subscriber.connect()])
  } catch (error) {
    close()
    throw error
  }
  return { commands, subscriber, close }
}
