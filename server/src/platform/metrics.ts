import { type FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Bus } from './bus.ts'
import { type Pool } from './database.ts'
import { inTime } from './in-time.ts'
import { countConnections, listWaiting } from './metrics.queries.ts'
import { type Nodes } from './nodes.ts'
import { version } from './version.ts'

export interface MetricsDeps {
  readonly pool: Pool
  readonly nodes: Pick<Nodes, 'ping'>
  readonly bus: Bus
  readonly gateway: { stats(): { sockets: number; channels: number } }
  readonly backups: { newest(): Promise<Date | null> }
  /** Counts how often the built-in database was started again; `null` without one. */
  readonly builtIn: { restarts(): number } | null
  readonly now: () => Date
}

export interface Metrics {
  readonly contentType: string
  /** Also answers, within seconds, while database or Redis do not. */
  text(): Promise<string>
}

/** A scrape is not to hang on what it is there to tell of. */
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
    help: 'How often the built-in database ended by itself and was started again',
    registers,
    collect() {
      this.reset()
      this.inc(deps.builtIn?.restarts() ?? 0)
    },
  })
  const gauges = {
    sockets: gauge('hither_live_sockets', 'Open sockets of the live channel on this node'),
    channels: gauge('hither_live_channels', 'Channels joined on them'),
    waiting: gauge('hither_queue_waiting', 'What is due and not yet done', ['queue']),
    oldest: gauge('hither_queue_oldest_seconds', 'How long the first of it has been due', ['queue']),
    databaseUp: gauge('hither_database_up', 'Whether the database answers this node'),
    roundTrip: gauge('hither_database_round_trip_seconds', 'From asking the pool to its answer, waiting included'),
    connections: gauge('hither_database_connections', 'Connections of all nodes to the database', ['state']),
    nodesUp: gauge('hither_nodes_up', 'Whether Redis answers this node; 1 on a single one'),
    backup: gauge('hither_backup_newest_timestamp_seconds', 'When the newest backup was made; 0 where there is none'),
  }

  async function measure(): Promise<void> {
    const { sockets, channels } = deps.gateway.stats()
    gauges.sockets.set(sockets)
    gauges.channels.set(channels)
    gauges.backup.set(((await deps.backups.newest().catch(() => null))?.getTime() ?? 0) / 1000)
    await Promise.all([measureDatabase(), measureNodes()])
  }

  async function measureNodes(): Promise<void> {
    gauges.nodesUp.set(await inTime(deps.nodes.ping(), patienceMs).then(one, zero))
  }

  async function measureDatabase(): Promise<void> {
    const startedAt = performance.now()
    try {
      await inTime(deps.pool`select 1`, patienceMs)
      gauges.roundTrip.set((performance.now() - startedAt) / 1000)
      const [waiting, connections] = await inTime(
        Promise.all([listWaiting(deps.pool, deps.now()), countConnections(deps.pool)]),
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
      // Figures of before would look like those of now.
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
    // Also comes where the client hangs up before the answer.
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
  const changes = new Counter({ ...options, name: 'hither_live_changes_total', help: 'Changes this node heard of' })
  const audience = new Counter({
    ...options,
    name: 'hither_live_deliveries_total',
    help: 'People those were for, whether connected or not',
  })
  bus.subscribe((message) => {
    if (message.kind !== 'changes') return
    for (const { table, audience: people } of message.changes) {
      changes.inc({ table })
      audience.inc({ table }, people.length)
    }
  })
}

const one = () => 1
const zero = () => 0
