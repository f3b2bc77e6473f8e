import { type ResumePosition, type ResumeStore, type SubscriptionKey } from './events/resumption.ts'

// Not an import statement: it would load the module, even for types alone.
type Redis = import('ioredis').Redis

/** A little longer than a client is waited for. */
const keptSeconds = 130

/** In a hash per client, with a field for each of its topics. `prefix` begins every key. */
export function createRedisResumeStore(redis: Redis, prefix: string): ResumeStore {
  const hashOf = ({ userId, clientId }: SubscriptionKey) => `${prefix}resume:${userId}:${clientId}`
  return {
    async save(positions) {
      const pipeline = redis.pipeline()
      for (const { signature, position, lastAcknowledged, owesResync, ...key } of positions) {
        const value: ResumePosition = { signature, position, lastAcknowledged, owesResync }
        pipeline.hset(hashOf(key), key.topic, JSON.stringify(value))
        pipeline.expire(hashOf(key), keptSeconds)
      }
      await pipeline.exec()
    },
    async find(key) {
      const text = await redis.hget(hashOf(key), key.topic)
      return text === null ? null : (JSON.parse(text) as ResumePosition)
    },
    async remove(key) {
      await redis.hdel(hashOf(key), key.topic)
    },
  }
}
