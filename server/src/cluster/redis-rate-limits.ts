import { createLocalRateLimits, type RateLimits } from '../platform/http/rate-limits.ts'

// Types only: an import statement would load the module at the start.
type Redis = import('ioredis').Redis

/**
 * Works like the local rate limits, in one round trip: the key stores the time at which all calls so far would be due,
 * in milliseconds of Redis's own clock, so that different clocks of the nodes do not matter.
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

/**
 * Counts for all nodes together. While Redis is unavailable, each node counts for itself. `prefix` begins every key.
 */
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
