import { type UserId } from '@hither/contract/ids.ts'
import { type FastifyBaseLogger } from 'fastify'
import { type Attendance, type AttendanceEvents, type Meta } from './attendance.ts'

// Not an import statement: it would load the module, even for types alone.
type Redis = import('ioredis').Redis

export const attendanceLimits = {
  beatMs: 2000,
  /** A node that has not been heard of for this long is dead. */
  deadMs: 6000,
} as const

/** Both hashes hold it by its reference. Answers how many the person has now, or nothing where it changed nothing. */
const enterScript = `
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
if redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) == 0 then return nil end
return redis.call('HLEN', KEYS[1])`

const leaveScript = `
redis.call('HDEL', KEYS[2], ARGV[1])
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return nil end
return redis.call('HLEN', KEYS[1])`

/** By Redis's own clock. Answers whether the node was not among them, and who has been silent for too long. */
const beatScript = `
local time = redis.call('TIME')
local at = time[1] * 1000 + math.floor(time[2] / 1000)
local isNew = redis.call('ZADD', KEYS[1], at, ARGV[1])
return { isNew, redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', at - ARGV[2]) }`

type Scripts = {
  hitherEnter(person: string, node: string, ref: string, meta: string): Promise<number | null>
  hitherLeave(person: string, node: string, ref: string): Promise<number | null>
  hitherBeat(nodes: string, node: string, deadMs: number): Promise<[number, string[]]>
}

export interface RedisAttendanceOptions {
  /** Names this node; a name is never used again. */
  readonly self: string
  /** Begins every key. */
  readonly prefix: string
}

/**
 * In Redis, where each node says every few seconds that it is there. Those of a node that no longer does are taken out by
 * whichever other node is first to see it, also after all of them were down.
 */
export async function createRedisAttendance(
  redis: Redis,
  { self, prefix }: RedisAttendanceOptions,
  log: FastifyBaseLogger,
): Promise<Attendance> {
  redis.defineCommand('hitherEnter', { numberOfKeys: 2, lua: enterScript })
  redis.defineCommand('hitherLeave', { numberOfKeys: 2, lua: leaveScript })
  redis.defineCommand('hitherBeat', { numberOfKeys: 1, lua: beatScript })
  const scripts = redis as unknown as Scripts
  const nodesKey = `${prefix}nodes`
  const personKey = (userId: UserId) => `${prefix}online:${userId}`
  const nodeKey = (node: string) => `${prefix}node:${node}`
  /** This node's own, by reference. */
  const own = new Map<string, Meta>()
  let events: AttendanceEvents | null = null
  let beatsInARow = 0
  let hasBeaten = false
  /** Whether Redis may hold others than this node's own. */
  let isAstray = false
  let isBeating = false
  const timer = setInterval(async () => {
    if (isBeating) return
    isBeating = true
    try {
      await beat()
    } catch (error) {
      beatsInARow = 0
      log.error({ err: error }, 'presence is known to this node alone for now')
    }
    isBeating = false
  }, attendanceLimits.beatMs)
  timer.unref()

  async function beat(): Promise<void> {
    const [isNew, silent] = await scripts.hitherBeat(nodesKey, self, attendanceLimits.deadMs)
    beatsInARow++
    // Taken for dead, or Redis came back empty.
    if ((isNew === 1 && hasBeaten) || isAstray) await restore()
    hasBeaten = true
    // While Redis was away nobody could be heard of.
    if (beatsInARow * attendanceLimits.beatMs <= attendanceLimits.deadMs) return
    for (const node of silent) await bury(node)
  }

  async function restore(): Promise<void> {
    isAstray = false
    // All at once: one after another they could take longer than a node may be silent.
    const counts = await Promise.all([...own.values()].map(async (meta) => [meta, await put(meta)] as const))
    for (const [meta, count] of counts) if (count !== null) events?.onRestored(meta, count === 1)
    for (const meta of await metasAt(self)) if (!own.has(meta.phx_ref)) await takeOut(meta, self)
  }

  async function bury(node: string): Promise<void> {
    // One of them, and another one should this one die over it.
    const isMine = await redis.set(`${nodeKey(node)}:burial`, self, 'EX', 30, 'NX')
    if (isMine === null) return
    for (const meta of await metasAt(node)) await takeOut(meta, node)
    await redis.zrem(nodesKey, node)
  }

  async function metasAt(node: string): Promise<Meta[]> {
    return (await redis.hvals(nodeKey(node))).map((text) => JSON.parse(text) as Meta)
  }

  async function takeOut(meta: Meta, node: string): Promise<void> {
    const count = await scripts.hitherLeave(personKey(meta.user_id), nodeKey(node), meta.phx_ref)
    if (count !== null) events?.onLost(meta, count === 0)
  }

  function put(meta: Meta): Promise<number | null> {
    return scripts.hitherEnter(personKey(meta.user_id), nodeKey(self), meta.phx_ref, JSON.stringify(meta))
  }

  function goAstray(): null {
    isAstray = true
    return null
  }

  async function onlineAmong(userIds: readonly UserId[]): Promise<ReadonlySet<UserId>> {
    if (userIds.length === 0) return new Set()
    const pipeline = redis.pipeline()
    for (const userId of userIds) pipeline.exists(personKey(userId))
    const results = (await pipeline.exec().catch(() => null)) ?? []
    return new Set(userIds.filter((_, index) => results[index]?.[1] === 1))
  }

  // It may come back with what it knew some time before.
  redis.on('close', goAstray)
  // Whoever enters must be found should this node die at once.
  await beat()
  return {
    async enter(meta) {
      own.set(meta.phx_ref, meta)
      return (await put(meta).catch(goAstray)) === 1
    },
    async leave(meta) {
      own.delete(meta.phx_ref)
      return (await scripts.hitherLeave(personKey(meta.user_id), nodeKey(self), meta.phx_ref).catch(goAstray)) === 0
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
