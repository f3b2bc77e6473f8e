import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Cluster } from '../cluster/cluster.ts'
import type { Bus } from '../events/bus.ts'
import { withTimeout } from '../platform/async/with-timeout.ts'
import type { Db, Pool } from '../platform/db/database.ts'
import { version } from '../version.ts'
import { countConnections } from './metrics.queries.ts'

/** The jobs of one queue that are due and not done. */
export interface QueueFigures {
  readonly count: number
  /** How many seconds the oldest job has been due; 0 if there is none. */
  readonly oldest_s: number
}

/** Reads the figures of a feature's queue. */
type ReadQueue = (db: Db, now: Date) => Promise<QueueFigures>

export interface MetricsDeps {
  readonly pool: Pool
  readonly cluster: Pick<Cluster, 'ping'>
  readonly bus: Bus
  readonly gateway: { stats(): { sockets: number; channels: number } }
  readonly backups: { newest(): Promise<Date | null> }
  /** Counts the restarts of the built-in database; `null` without one. */
  readonly builtIn: { restarts(): number } | null
  /** One reader for each queue, by the name of the queue. */
  readonly queues: Readonly<Record<string, ReadQueue>>
  readonly now: () => Date
}

interface Metrics {
  readonly contentType: string
  /** Returns all metrics in the text format of Prometheus, within seconds even if the database or Redis does not answer. */
  text(): Promise<string>
}

/** Limits each measurement, so that a scrape also works during the outage that it reports. */
const patienceMs = 3000

export function createMetrics(app: FastifyInstance, deps: MetricsDeps): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers })
  gauge('hither_info', 'Always 1; the label is the version', ['version']).set({ version }, 1)
  observeRequests(app, registers)
  observeChanges(deps.bus, registers)
  new Counter({
    name: 'hither_database_restarts_total',
    help: 'Number of restarts of the built-in database after it ended unexpectedly',
    registers,
    collect() {
      this.reset()
      this.inc(deps.builtIn?.restarts() ?? 0)
    },
  })
  const gauges = {
    sockets: gauge('hither_realtime_connections', 'Open connections of the live channel on this node'),
    channels: gauge('hither_live_channels', 'Channels joined on the connections of this node'),
    waiting: gauge('hither_queue_waiting', 'Number of due jobs in the queue', ['queue']),
    oldest: gauge('hither_queue_oldest_seconds', 'Age of the oldest due job in the queue; 0 if there is none', [
      'queue',
    ]),
    databaseUp: gauge('hither_database_up', '1 if the database answers this node, else 0'),
    roundTrip: gauge(
      'hither_database_round_trip_seconds',
      'Duration of a trivial query, including the wait for a connection',
    ),
    connections: gauge('hither_database_connections', 'Connections of all nodes to the database', ['state']),
    redisUp: gauge('hither_redis_up', '1 if Redis answers this node, else 0; always 1 without Redis'),
    backup: gauge('hither_backup_last_success_timestamp_seconds', 'Unix time of the newest backup; 0 if there is none'),
  }

  async function measure(): Promise<void> {
    const { sockets, channels } = deps.gateway.stats()
    gauges.sockets.set(sockets)
    gauges.channels.set(channels)
    gauges.backup.set(((await deps.backups.newest().catch(() => null))?.getTime() ?? 0) / 1000)
    await Promise.all([measureDatabase(), measureRedis()])
  }

  async function measureRedis(): Promise<void> {
    gauges.redisUp.set(await withTimeout(deps.cluster.ping(), patienceMs).then(one, zero))
  }

  async function measureDatabase(): Promise<void> {
    const startedAt = performance.now()
    try {
      await withTimeout(deps.pool`select 1`, patienceMs)
      gauges.roundTrip.set((performance.now() - startedAt) / 1000)
      const now = deps.now()
      const readQueues = Object.entries(deps.queues).map(async ([queue, read]) => ({
        queue,
        ...(await read(deps.pool, now)),
      }))
      const [waiting, connections] = await withTimeout(
        Promise.all([Promise.all(readQueues), countConnections(deps.pool)]),
        patienceMs,
      )
      gauges.connections.reset()
      for (const { state, count } of connections) gauges.connections.set({ state }, count)
      for (const { queue, count, oldest_s } of waiting) {
        gauges.waiting.set({ queue }, count)
        gauges.oldest.set({ queue }, oldest_s)
      }
      gauges.databaseUp.set(1)
    } catch {
      // Old figures would look like current ones.
      for (const known of [gauges.waiting, gauges.oldest, gauges.connections]) known.reset()
      gauges.databaseUp.set(0)
    }
  }

  let measuring: Promise<void> | null = null
  return {
    contentType: registry.contentType,
    async text() {
      measuring ??= measure().finally(() => {
        measuring = null
      })
      await measuring
      return registry.metrics()
    },
  }
}

function observeRequests(app: FastifyInstance, registers: Registry[]): void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route pattern',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
    registers,
  })
  const inFlight = new Gauge({ name: 'http_requests_in_flight', help: 'Requests not yet answered', registers })
  const leave = () => inFlight.dec()
  app.addHook('onRequest', (_request, reply, done) => {
    inFlight.inc()
    // `close` is also emitted if the client disconnects before the response.
    reply.raw.once('close', leave)
    done()
  })
  const known = new Map<string, ReturnType<typeof durations.labels>>()
  app.addHook('onResponse', (request, reply, done) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'unknown', status: reply.statusCode }
    const key = `${labels.method} ${labels.status} ${labels.route}`
    const duration = known.get(key) ?? durations.labels(labels)
    known.set(key, duration)
    duration.observe(reply.elapsedTime / 1000)
    done()
  })
}

function observeChanges(bus: Bus, registers: Registry[]): void {
  const options = { labelNames: ['table'] as const, registers }
  const changes = new Counter({ ...options, name: 'hither_live_changes_total', help: 'Changes received by this node' })
  const audience = new Counter({
    ...options,
    name: 'hither_realtime_recipients_total',
    help: 'Users in the audiences of those changes, connected or not',
  })
  bus.subscribe((message) => {
    if (message.kind === 'unread_counts_changed') {
      changes.inc({ table: 'chats' }, message.members.length)
      audience.inc({ table: 'chats' }, message.members.length)
    }
    if (message.kind !== 'changes') return
    for (const { table, audience: people } of message.changes) {
      changes.inc({ table })
      audience.inc({ table }, people.length)
    }
  })
}

const one = () => 1
const zero = () => 0
