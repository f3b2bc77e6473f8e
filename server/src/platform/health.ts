import { type FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { refuse } from './answers.ts'
import { type Pool } from './database.ts'
import { type Nodes } from './nodes.ts'

/** `/healthz`: the process answers. `/readyz`: so do its database and the way to the other nodes. `/metrics`: Prometheus text. */
export function addHealth(app: FastifyInstance, pool: Pool, nodes: Nodes): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route pattern',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'unknown', status: reply.statusCode }
    durations.observe(labels, reply.elapsedTime / 1000)
  })

  const hidden = { schema: { hide: true } }
  app.get('/healthz', hidden, async () => ({ status: 'ok' }))
  app.get('/readyz', hidden, async (_request, reply) => {
    try {
      await Promise.all([pool`select 1`, nodes.ping()])
      return { status: 'ok' }
    } catch {
      return refuse(reply, 'not_ready')
    }
  })
  app.get('/metrics', hidden, async (_request, reply) => {
    reply.type(registry.contentType)
    return registry.metrics()
  })
}
