import { type UserId } from '@hither/contract/ids.ts'
import { type BusMessage, type Change } from './bus.ts'
import { redisPrefix } from './redis.ts'
import { type LogEntry, type Place, type Seat, type SharedLog } from './shared-log.ts'

// Not an import statement: it would load the module, even for types alone.
type Redis = import('ioredis').Redis

export const redisLogLimits = {
  /** Longer than any client is waited for. */
  changeSeconds: 180,
  /** Longer than it takes to be refreshed, a few times over. */
  logSeconds: 300,
  placeSeconds: 130,
  entriesMax: 1000,
} as const

const logOf = (userId: UserId) => `${redisPrefix}log:${userId}`
const changeOf = (position: string) => `${redisPrefix}change:${position}`
const placesOf = ({ userId, clientId }: Seat) => `${redisPrefix}places:${userId}:${clientId}`

/**
 * The change once; its name to the log of each of the audience who is, or was of late, connected anywhere; and itself to the
 * nodes where they are: in one step, so that all nodes hear in the order of the log. Said again where the answer was lost, it
 * does nothing.
 */
const tellScript = `
local body, name, seconds, most = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
if redis.call('EXISTS', KEYS[1]) == 1 then return end
-- First: where Redis is full it refuses here, and has told nobody yet.
redis.call('SET', KEYS[1], body, 'EX', seconds)
local isKept = false
for i = 1, (#KEYS - 1) / 2 do
  local log, channel = KEYS[2 * i], KEYS[2 * i + 1]
  if redis.call('EXISTS', log) == 1 then
    redis.call('XADD', log, 'MAXLEN', '~', most, '*', 'at', name)
    isKept = true
  end
  redis.call('PUBLISH', channel, body)
end
if not isKept then redis.call('DEL', KEYS[1]) end`

/** Answers the name of the last entry. A log begins with one that stands for all that came before. */
const openScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('XADD', KEYS[1], '*', 'at', ARGV[1], 'cut', '1') end
redis.call('EXPIRE', KEYS[1], ARGV[2])
return redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1][2][2]`

const cutScript = `
for _, log in ipairs(KEYS) do
  if redis.call('EXISTS', log) == 1 then redis.call('XADD', log, '*', 'at', ARGV[1], ARGV[2], '1') end
end`

type Personal = Extract<BusMessage, { kind: 'presence' }>
type Scripts = Record<
  'hitherTell' | 'hitherOpenLog' | 'hitherCutLog',
  (...args: (string | number)[]) => Promise<unknown>
>

/** The shared log in Redis, and the form in which what is for certain people travels. */
export function createRedisLog(redis: Redis) {
  redis.defineCommand('hitherTell', { lua: tellScript })
  redis.defineCommand('hitherOpenLog', { numberOfKeys: 1, lua: openScript })
  redis.defineCommand('hitherCutLog', { lua: cutScript })
  const scripts = redis as unknown as Scripts
  const open = async (userId: UserId, name: string) =>
    (await scripts.hitherOpenLog(logOf(userId), name, redisLogLimits.logSeconds)) as string

  return {
    /** In order. Answers the first that was not told, and why. */
    async tell(changes: readonly Change[], channelOf: (userId: UserId) => string) {
      const told = changes.map((change) => {
        const keys = [
          changeOf(change.committedAt),
          ...[...new Set(change.audience)].flatMap((userId) => [logOf(userId), channelOf(userId)]),
        ]
        const { changeSeconds, entriesMax } = redisLogLimits
        return scripts.hitherTell(keys.length, ...keys, bodyOf(change), change.committedAt, changeSeconds, entriesMax)
      })
      const results = await Promise.allSettled(told)
      const index = results.findIndex(({ status }) => status === 'rejected')
      return index < 0 ? null : { index, error: (results[index] as PromiseRejectedResult).reason as unknown }
    },
    write: (message: Personal): string => `p${JSON.stringify({ ...message, audience: [] })}`,
    /** What came by a person's channel. A change that is known by its name is not read again. */
    read(data: Buffer, known: (name: string) => Change | undefined) {
      if (data[0] === letterOfPresence)
        return { kind: 'presence', message: JSON.parse(data.toString('utf8', 1)) as Personal } as const
      const end = data.indexOf('\n')
      const change = known(data.toString('latin1', 1, end))
      return { kind: 'change', change: change ?? (JSON.parse(data.toString('utf8', end + 1)) as Change) } as const
    },
    open,
    async refresh(userIds: readonly UserId[], name: () => string): Promise<void> {
      for (let start = 0; start < userIds.length; start += 500)
        await Promise.all(userIds.slice(start, start + 500).map((userId) => open(userId, name())))
    },
    /** `cut`: nothing so far may be told again. `lost`: something may be missing here. */
    async mark(how: 'cut' | 'lost', userIds: readonly UserId[], name: string): Promise<void> {
      await scripts.hitherCutLog(userIds.length, ...userIds.map(logOf), name, how)
    },
    async since(userId, position) {
      const entries = (await redis.xrange(logOf(userId), '-', '+')).map(([, [, name = '', mark]]) => ({
        position: name,
        isCut: mark === 'cut',
        isLost: mark === 'lost',
      }))
      const first = entries.findIndex((entry) => position.startsWith(entry.position.slice(0, -1)))
      if (first < 0) return null
      const wanted = entries.slice(first)
      if (wanted.some(({ isLost }, index) => isLost && index > 0)) return null
      const bodies = await redis.mget(wanted.map((entry) => changeOf(entry.position)))
      const log: LogEntry[] = []
      for (const [index, { position: name, isCut }] of wanted.entries()) {
        const body = bodies[index]
        if (index === 0 && (isCut || body == null)) continue
        if (!isCut && body == null) return null
        log.push({ position: name, change: isCut || body == null ? null : changeIn(body) })
      }
      return log
    },
    async keepPlaces(places) {
      const pipeline = redis.pipeline()
      for (const { signature, position, hasTold, isOwed, ...seat } of places) {
        pipeline.hset(
          placesOf(seat),
          seat.topic,
          JSON.stringify({ signature, position, hasTold, isOwed } satisfies Place),
        )
        pipeline.expire(placesOf(seat), redisLogLimits.placeSeconds)
      }
      await pipeline.exec()
    },
    async placeOf(seat) {
      const text = await redis.hget(placesOf(seat), seat.topic)
      return text === null ? null : (JSON.parse(text) as Place)
    },
    async forgetPlace(seat) {
      await redis.hdel(placesOf(seat), seat.topic)
    },
  } satisfies Omit<SharedLog, 'positionOf'> & Record<string, unknown>
}

const letterOfPresence = 'p'.charCodeAt(0)

/** The audience stays here: each hears what is theirs, and nobody who else. */
function bodyOf(change: Change): string {
  return `c${change.committedAt}\n${JSON.stringify({ ...change, audience: [] })}`
}

function changeIn(body: string): Change {
  return JSON.parse(body.slice(body.indexOf('\n') + 1)) as Change
}
