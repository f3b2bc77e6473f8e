import type { UserId } from '@hither/contract/ids.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Meta, PresenceStore, PresenceStoreEvents } from '../presence/presence-store.ts'

// Types only: an import statement would load the module at the start.
type Redis = import('ioredis').Redis

export const presenceStoreLimits = {
  beatMs: 2000,
  /** A node without a heartbeat for this long is dead. */
  deadMs: 6000,
} as const

/**
 * Returns how many connections the user has now, or nothing if nothing changed. Each script has one key, because the keys of a
 * script must be on the same server of a Redis Cluster.
 */
const enterScript = `
if redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) == 0 then return nil end
return redis.call('HLEN', KEYS[1])`

const leaveScript = `
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return nil end
return redis.call('HLEN', KEYS[1])`

/**
 * Uses Redis's own clock. Returns whether the node was not registered, and which nodes have been silent for too long.
 */
const beatScript = `
local time = redis.call('TIME')
local at = time[1] * 1000 + math.floor(time[2] / 1000)
local isNew = redis.call('ZADD', KEYS[1], at, ARGV[1])
return { isNew, redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', at - ARGV[2]) }`

type Scripts = {
  hitherEnter(person: string, ref: string, meta: string): Promise<number | null>
  hitherLeave(person: string, ref: string): Promise<number | null>
  hitherBeat(nodes: string, node: string, deadMs: number): Promise<[number, string[]]>
}

interface RedisPresenceStoreOptions {
  /** The name of this node; a name is never used again. */
  readonly self: string
  /** The beginning of every key. */
  readonly prefix: string
}

/**
 * Stores presence in Redis, where each node sends a heartbeat every few seconds. The first node that notices a dead one
 * removes its connections, even if all nodes were down in the meantime.
 */
export async function createRedisPresenceStore(
  redis: Redis,
  { self, prefix }: RedisPresenceStoreOptions,
  log: FastifyBaseLogger,
): Promise<PresenceStore> {
  redis.defineCommand('hitherEnter', { numberOfKeys: 1, lua: enterScript })
  redis.defineCommand('hitherLeave', { numberOfKeys: 1, lua: leaveScript })
  redis.defineCommand('hitherBeat', { numberOfKeys: 1, lua: beatScript })
  const scripts = redis as unknown as Scripts
  const nodesKey = `${prefix}nodes`
  const personKey = (userId: UserId) => `${prefix}online:${userId}`
  const nodeKey = (node: string) => `${prefix}node:${node}`
  /** The connections of this node, by reference. */
  const own = new Map<string, Meta>()
  let events: PresenceStoreEvents | null = null
  let beatsInARow = 0
  let hasBeaten = false
  /** Whether the connections of this node in Redis may differ from its own. */
  let isOutOfSync = false
  let isBeating = false
  const timer = setInterval(async () => {
    if (isBeating) return
    isBeating = true
    try {
      await beat()
    } catch (error) {
      beatsInARow = 0
      log.error({ err: error }, 'redis presence unavailable, using local presence')
    }
    isBeating = false
  }, presenceStoreLimits.beatMs)
  timer.unref()

  async function beat(): Promise<void> {
    const [isNew, silent] = await scripts.hitherBeat(nodesKey, self, presenceStoreLimits.deadMs)
    beatsInARow++
    // Another node considered this one dead, or Redis has lost its data.
    if ((isNew === 1 && hasBeaten) || isOutOfSync) await restore()
    hasBeaten = true
    // While Redis was unavailable, no heartbeat could arrive.
    if (beatsInARow * presenceStoreLimits.beatMs <= presenceStoreLimits.deadMs) return
    for (const node of silent) await reapNode(node)
  }

  async function restore(): Promise<void> {
    isOutOfSync = false
    // Runs in parallel: in sequence it could take longer than the time after which a node counts as dead.
    const counts = await Promise.all([...own.values()].map(async (meta) => [meta, await put(meta)] as const))
    for (const [meta, count] of counts) if (count !== null) events?.onRestored(meta, count === 1)
    for (const meta of await metasAt(self)) if (!own.has(meta.phx_ref)) await deleteMembership(meta, self)
  }

  async function reapNode(node: string): Promise<void> {
    // Restores one connection, and another node removes it if this one dies meanwhile.
    const isMine = await redis.set(`${nodeKey(node)}:burial`, self, 'EX', 30, 'NX')
    if (isMine === null) return
    for (const meta of await metasAt(node)) await deleteMembership(meta, node)
    await redis.zrem(nodesKey, node)
  }

  async function metasAt(node: string): Promise<Meta[]> {
    return (await redis.hvals(nodeKey(node))).map((text) => JSON.parse(text) as Meta)
  }

  async function deleteMembership(meta: Meta, node: string): Promise<void> {
    const count = await take(meta, node)
    if (count !== null) events?.onLost(meta, count === 0)
  }

  /** The list of the node comes first: if the node dies in between, the connection is found there and removed. */
  async function put(meta: Meta): Promise<number | null> {
    const text = JSON.stringify(meta)
    await redis.hset(nodeKey(self), meta.phx_ref, text)
    return scripts.hitherEnter(personKey(meta.user_id), meta.phx_ref, text)
  }

  /** The list of the node comes last, for the same reason. */
  async function take(meta: Meta, node: string): Promise<number | null> {
    const count = await scripts.hitherLeave(personKey(meta.user_id), meta.phx_ref)
    await redis.hdel(nodeKey(node), meta.phx_ref)
    return count
  }

  function goAstray(): null {
    isOutOfSync = true
    return null
  }

  async function onlineAmong(userIds: readonly UserId[]): Promise<ReadonlySet<UserId>> {
    if (userIds.length === 0) return new Set()
    const pipeline = redis.pipeline()
    for (const userId of userIds) pipeline.exists(personKey(userId))
    const results = (await pipeline.exec().catch(() => null)) ?? []
    return new Set(userIds.filter((_, index) => results[index]?.[1] === 1))
  }

  // Redis may return with an older state.
  redis.on('close', goAstray)
  // The connection must be registered before the node can die.
  await beat()
  return {
    async enter(meta) {
      own.set(meta.phx_ref, meta)
      return (await put(meta).catch(goAstray)) === 1
    },
    async leave(meta) {
      own.delete(meta.phx_ref)
      return (await take(meta, self).catch(goAstray)) === 0
    },
    async metasOf(userIds) {
      const pipeline = redis.pipeline()
      for (const userId of userIds) pipeline.hvals(personKey(userId))
      const results = await pipeline.exec()
      const metas = new Map<UserId, Meta[]>()
      for (const [index, userId] of userIds.entries()) {
        const [error, texts] = results?.[index] ?? [new Error('no answer')]
        if (error) throw error
        const theirs = (texts as string[]).map((text) => JSON.parse(text) as Meta)
        if (theirs.length > 0)
          metas.set(
            userId,
            theirs.sort((a, b) => a.online_at.localeCompare(b.online_at)),
          )
      }
      return metas
    },
    onlineAmong,
    isOnline: async (userId) => (await onlineAmong([userId])).has(userId),
    listen(listener) {
      events = listener
    },
    stop: () => clearInterval(timer),
  }
}
