import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type UserId } from '@hither/contract/ids.ts'
import { redisPrefix } from './redis.ts'
import { createLocalTurns, type Turns } from './turns.ts'

// Not an import statement: it would load the module, even for types alone.
type Redis = import('ioredis').Redis

export const redisTurnLimits = {
  /** Longer than a commit and an announcement take, and no longer than a dead node may hold up the others. */
  heldMs: 3000,
  pauseMs: 2,
} as const

const turnKey = (group: string) => `${redisPrefix}turn:${group}`
const pendingKey = (node: string) => `${redisPrefix}pending:${node}`

/** All of them or none. What is about to be announced is noted with its audience, in case the node dies over it. */
const takeScript = `
for i = 2, #KEYS do if redis.call('EXISTS', KEYS[i]) == 1 then return 0 end end
for i = 2, #KEYS do redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[3]) end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1`

const endScript = `
for i = 2, #KEYS do if redis.call('GET', KEYS[i]) == ARGV[1] then redis.call('DEL', KEYS[i]) end end
redis.call('HDEL', KEYS[1], ARGV[1])`

type Scripts = Record<'hitherTakeTurn' | 'hitherEndTurn', (...args: (string | number)[]) => Promise<unknown>>

/** Of several nodes. While Redis is away each keeps order for itself. */
export function createRedisTurns(redis: Redis, node: string): Turns {
  redis.defineCommand('hitherTakeTurn', { lua: takeScript })
  redis.defineCommand('hitherEndTurn', { lua: endScript })
  const scripts = redis as unknown as Scripts
  const local = createLocalTurns()

  async function takeShared(keys: readonly string[], token: string, audience: string): Promise<void> {
    const until = performance.now() + redisTurnLimits.heldMs
    while (performance.now() < until) {
      const taken = await scripts
        .hitherTakeTurn(keys.length, ...keys, token, audience, redisTurnLimits.heldMs)
        .catch(() => 1)
      if (taken === 1) return
      await pause(redisTurnLimits.pauseMs)
    }
  }

  return {
    async take(groups, audience) {
      if (groups.length === 0) return { end() {} }
      const turn = await local.take(groups, audience)
      const keys = [pendingKey(node), ...groups.map(turnKey)]
      const token = randomUUID()
      await takeShared(keys, token, audience.join())
      return {
        end() {
          turn.end()
          scripts.hitherEndTurn(keys.length, ...keys, token).catch(() => undefined)
        },
      }
    },
  }
}

/** Those who would have been told of what a node that has died did last, and may not have been. */
export async function findPending(redis: Redis, node: string): Promise<UserId[]> {
  const audiences = await redis.hvals(pendingKey(node))
  return [...new Set(audiences.flatMap((audience) => (audience ? (audience.split(',') as UserId[]) : [])))]
}

/** To be called once they have been told. */
export async function forgetPending(redis: Redis, node: string): Promise<void> {
  await redis.del(pendingKey(node))
}
