import { randomUUID } from 'node:crypto'
import { type FastifyBaseLogger } from 'fastify'
import { type Attendance, createLocalAttendance } from './attendance.ts'
import { type Bus, createLocalBus } from './bus.ts'
import { type Changes, createChanges } from './changes.ts'
import { type Pool } from './database.ts'
import { findInstallationId, takeNodeNumber } from './events/outbox.queries.ts'
import { type Outbox, openOutbox, outboxLimits } from './events/outbox.ts'
import { createRecentEvents, recentEventsLimits } from './events/recent-events.ts'
import { type Resumption } from './events/resumption.ts'
import { createTimestampSource } from './monotonic-timestamps.ts'
import { createLocalRateLimits, type RateLimits } from './rate-limits.ts'
import { connectRedis, redisPrefix } from './redis.ts'
import { createRedisAttendance } from './redis-attendance.ts'
import { createRedisBus } from './redis-bus.ts'
import { createRedisRateLimits } from './redis-rate-limits.ts'
import { createRedisResumeStore } from './redis-resume-store.ts'

/** What this node shares with the others of the service. A node without Redis is a single one, and shares it with itself. */
export interface Nodes {
  readonly bus: Bus
  readonly outbox: Outbox
  readonly changes: Changes
  readonly rateLimits: RateLimits
  readonly attendance: Attendance
  /** `null` where there is no other node that a client could come from. */
  readonly resumption: Resumption | null
  /** Rejects where Redis does not answer. */
  ping(): Promise<void>
  /** Leaves the others: nothing is delivered afterwards. */
  close(): Promise<void>
}

/** Rejects where Redis or the database cannot be reached: nodes that do not receive one another's events are no service. */
export async function joinNodes(
  redisUrl: string | null,
  pool: Pool,
  now: () => Date,
  log: FastifyBaseLogger,
): Promise<Nodes> {
  const onListenerError = (error: unknown) => log.error({ err: error }, 'a listener of the bus failed')
  if (redisUrl === null) {
    const bus = createLocalBus(onListenerError)
    const outbox = await openOutbox({ pool, bus, peers: null, log }, { seconds: outboxLimits.startSeconds })
    return {
      bus,
      outbox,
      changes: createChanges(bus, outbox, createTimestampSource(null), now),
      rateLimits: createLocalRateLimits(now),
      attendance: createLocalAttendance(),
      resumption: null,
      ping: async () => {},
      close: outbox.stop,
    }
  }
  const pair = await connectRedis(redisUrl, log)
  const prefix = `${redisPrefix}${await findInstallationId(pool)}:`
  const { bus, peers, close } = await createRedisBus(pair, prefix, log, onListenerError)
  const recent = createRecentEvents()
  const outbox = await openOutbox(
    { pool, bus, peers, log, onRow: recent.add, onSkip: recent.skipTo },
    { seconds: recentEventsLimits.maxAgeMs / 1000 },
  )
  const attendance = await createRedisAttendance(pair.commands, { self: randomUUID(), prefix }, log)
  return {
    bus,
    outbox,
    changes: createChanges(bus, outbox, createTimestampSource((await takeNodeNumber(pool)) % 1000), now),
    rateLimits: createRedisRateLimits(pair.commands, prefix, now),
    attendance,
    resumption: {
      ...createRedisResumeStore(pair.commands, prefix),
      catchUp: outbox.catchUp,
      position: recent.position,
      since: recent.since,
    },
    ping: async () => void (await pair.commands.ping()),
    async close() {
      attendance.stop()
      await outbox.stop()
      close()
      pair.close()
    },
  }
}
