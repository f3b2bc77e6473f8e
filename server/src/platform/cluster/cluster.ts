import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from '../db/database.ts'
import { type Bus, createLocalBus } from '../events/bus.ts'
import { type Changes, createChanges } from '../events/changes.ts'
import { createTimestampSource } from '../events/monotonic-timestamps.ts'
import { type Outbox, openOutbox, outboxLimits } from '../events/outbox.ts'
import { createRecentEvents, recentEventsLimits } from '../events/recent-events.ts'
import type { Resumption } from '../events/resumption.ts'
import { createLocalRateLimits, type RateLimits } from '../http/rate-limits.ts'
import { createLocalPresenceStore, type PresenceStore } from '../presence/presence-store.ts'
import { findInstallationId, takeNodeNumber } from './cluster.queries.ts'
import { connectRedis, redisPrefix } from './redis.ts'
import { createRedisBus } from './redis-bus.ts'
import { createRedisPresenceStore } from './redis-presence-store.ts'
import { createRedisRateLimits } from './redis-rate-limits.ts'
import { createRedisResumeStore } from './redis-resume-store.ts'

/**
 * The services that the nodes of an installation share. Without Redis there is a single node, and they run in this
 * process.
 */
export interface Cluster {
  readonly bus: Bus
  readonly outbox: Outbox
  readonly changes: Changes
  readonly rateLimits: RateLimits
  readonly presenceStore: PresenceStore
  /** `null` on a single node. */
  readonly resumption: Resumption | null
  /** Rejects if Redis does not answer. */
  ping(): Promise<void>
  /** Leaves the cluster: nothing is delivered afterwards. */
  close(): Promise<void>
}

/**
 * Rejects if Redis or the database cannot be reached: nodes that do not receive one another's events do not form one
 * service.
 */
export async function joinCluster(
  redisUrl: string | null,
  pool: Pool,
  now: () => Date,
  log: FastifyBaseLogger,
): Promise<Cluster> {
  const onListenerError = (error: unknown) => log.error({ err: error }, 'a listener of the bus failed')
  if (redisUrl === null) {
    const bus = createLocalBus(onListenerError)
    const outbox = await openOutbox({ pool, bus, peers: null, log }, { seconds: outboxLimits.startSeconds })
    return {
      bus,
      outbox,
      changes: createChanges(bus, outbox, createTimestampSource(null), now),
      rateLimits: createLocalRateLimits(now),
      presenceStore: createLocalPresenceStore(),
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
  const presenceStore = await createRedisPresenceStore(pair.commands, { self: randomUUID(), prefix }, log)
  return {
    bus,
    outbox,
    changes: createChanges(bus, outbox, createTimestampSource((await takeNodeNumber(pool)) % 1000), now),
    rateLimits: createRedisRateLimits(pair.commands, prefix, now),
    presenceStore,
    resumption: {
      ...createRedisResumeStore(pair.commands, prefix),
      catchUp: outbox.catchUp,
      position: recent.position,
      since: recent.since,
    },
    ping: async () => void (await pair.commands.ping()),
    async close() {
      presenceStore.stop()
      await outbox.stop()
      close()
      pair.close()
    },
  }
}
