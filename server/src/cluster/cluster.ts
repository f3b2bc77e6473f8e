import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { type Bus, createLocalBus } from '../events/bus.ts'
import { type Changes, createChanges } from '../events/changes.ts'
import { type Outbox, openOutbox } from '../events/outbox.ts'
import { createRecentEvents, type RecentEvents } from '../events/recent-events.ts'
import type { Pool } from '../platform/db/database.ts'
import { createLocalRateLimits, type RateLimits } from '../platform/http/rate-limits.ts'
import { createLocalPresenceStore, type PresenceStore } from '../presence/presence-store.ts'
import { findInstallationId } from './cluster.queries.ts'
import { connectRedis, redisPrefix } from './redis.ts'
import { createRedisBus } from './redis-bus.ts'
import { createRedisPresenceStore } from './redis-presence-store.ts'
import { createRedisRateLimits } from './redis-rate-limits.ts'

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
  readonly recentEvents: RecentEvents
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
  const shared =
    redisUrl === null
      ? {
          bus: createLocalBus(onListenerError),
          peers: null,
          rateLimits: createLocalRateLimits(now),
          presenceStore: createLocalPresenceStore(),
          ping: async () => {},
          close() {},
        }
      : await connectNodes(redisUrl, pool, now, log, onListenerError)
  const { bus, peers, rateLimits, presenceStore, ping } = shared
  const recentEvents = createRecentEvents()
  const outbox = await openOutbox({ pool, bus, peers, log, recent: recentEvents })
  return {
    bus,
    outbox,
    recentEvents,
    changes: createChanges(bus, outbox, now),
    rateLimits,
    presenceStore,
    ping,
    async close() {
      presenceStore.stop()
      await outbox.stop()
      shared.close()
    },
  }
}

/** Connects to what Redis carries between the nodes. */
async function connectNodes(
  redisUrl: string,
  pool: Pool,
  now: () => Date,
  log: FastifyBaseLogger,
  onListenerError: (error: unknown) => void,
) {
  const pair = await connectRedis(redisUrl, log)
  const prefix = `${redisPrefix}${await findInstallationId(pool)}:`
  const { bus, peers, close } = await createRedisBus(pair, prefix, log, onListenerError)
  const presenceStore = await createRedisPresenceStore(pair.commands, { self: randomUUID(), prefix }, log)
  return {
    bus,
    peers,
    rateLimits: createRedisRateLimits(pair.commands, prefix, now),
    presenceStore,
    ping: async () => void (await pair.commands.ping()),
    close() {
      close()
      pair.close()
    },
  }
}
