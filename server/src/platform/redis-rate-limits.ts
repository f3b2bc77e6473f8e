import { createLocalRateLimits, type RateLimits } from './rate-limits.ts'

// Not an import statement: it would load the module, even for types alone.
type Redis = import('ioredis').Redis

/**
 * As the local ones do, in one round trip: the key holds the time at which all calls so far would be due, in milliseconds and
 * by Redis's own clock, so that it does not matter how far those of the nodes are apart.
 */
const script = `
local step, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local at = time[1] * 1000 + time[2] / 1000
local due = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), at)
if due > at + window + 1 then due = at end
local wait = due + step - (at + window)
if wait > 0.001 then return tostring(wait) end
redis.call('SET', KEYS[1], string.format('%.6f', due + step), 'PX', math.ceil(due + step - at) + 1)
return ''`

/** Counts for all nodes together. While Redis is unavailable each node counts for itself. `prefix` begins every key. */
export function createRedisRateLimits(redis: Redis, prefix: string, now: () => Date): RateLimits {
  redis.defineCommand('hitherTake', { numberOfKeys: 1, lua: script })
  const take = (redis as unknown as Record<'hitherTake', (...args: (string | number)[]) => Promise<string>>).hitherTake
  const alone = createLocalRateLimits(now)
  return {
    async take(key, limit) {
      const { max, seconds } = limit
      const ask = take.call(redis, `${prefix}limit:${key}`, (seconds * 1000) / max, seconds * 1000)
      const wait = await ask.catch(() => null)
      if (wait === null) return alone.take(key, limit)
      return wait === '' ? null : Math.max(1, Math.ceil(Number(wait) / 1000))
    },
  }
}
