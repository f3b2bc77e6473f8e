import { type FastifyBaseLogger } from 'fastify'

// Not an import statement: it would load the module, even for types alone.
type Redis = import('ioredis').Redis

/** Every key and channel begins so, followed by the id of the installation; the version changes with what is sent. */
export const redisPrefix = 'hither:2:'

const answerWithinMs = 4000

/**
 * Two connections: one that asks, one that listens. They come back by themselves for as long as it takes; what is asked while
 * there is no connection fails at once, since whoever asks has a way of going on without.
 */
export interface RedisPair {
  readonly commands: Redis
  readonly subscriber: Redis
  close(): void
}

/** Throws where Redis cannot be reached at the start: several nodes that do not hear one another are no service. */
export async function connectRedis(url: string, log: FastifyBaseLogger): Promise<RedisPair> {
  const { Redis } = await import('ioredis')
  const open = (name: string) => {
    const redis = new Redis(url, {
      connectionName: `hither ${name}`,
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      // A connection that hangs is treated as one that ended.
      socketTimeout: answerWithinMs,
      // The bus subscribes again, since it has to know when.
      autoResubscribe: false,
      retryStrategy: (times) => Math.min(times * 100, 2000),
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
