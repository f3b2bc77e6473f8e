import { recentEventsLimits } from '../events/recent-events.ts'
import type { ResumePosition, ResumeStore, SubscriptionKey } from '../events/resumption.ts'

// Types only: an import statement would load the module at the start.
type Redis = import('ioredis').Redis

/** A position is of no use without the events after it. */
const retentionSeconds = recentEventsLimits.maxAgeMs / 1000

/** Stores the positions in a hash per client, with a field for each topic. `prefix` begins every key. */
export function createRedisResumeStore(redis: Redis, prefix: string): ResumeStore {
  const hashOf = ({ userId, clientId }: SubscriptionKey) => `${prefix}resume:${userId}:${clientId}`
  return {
    async save(positions) {
      const pipeline = redis.pipeline()
      for (const { signature, position, lastAcknowledged, owesResync, ...key } of positions) {
        const value: ResumePosition = { signature, position, lastAcknowledged, owesResync }
        pipeline.hset(hashOf(key), key.topic, JSON.stringify(value))
        pipeline.expire(hashOf(key), retentionSeconds)
      }
      const results = await pipeline.exec()
      return results?.every(([error]) => !error) ?? false
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
