import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CallTracker } from '../platform/http/call-tracker.ts'
import { credentialsOf } from '../platform/http/caller.ts'
import { refuse } from '../platform/http/error-handler.ts'
import { createMetrics, type MetricsDeps } from './metrics.ts'

interface HealthDeps extends MetricsDeps {
  /** The token that allows to read the metrics from other machines; `null` means this machine only. */
  readonly metricsToken: string | null
  readonly calls: Pick<CallTracker, 'isDraining'>
}

/**
 * `/healthz`: the process answers. `/readyz`: the database and the other nodes can be reached. `/metrics`: Prometheus
 * text.
 */
export function addHealth(app: FastifyInstance, deps: HealthDeps): void {
  const { pool, cluster, metricsToken, calls } = deps
  const metrics = createMetrics(app, deps)
  const hidden = { schema: { hide: true } }
  app.get('/healthz', { ...hidden, config: { isCounted: true } }, async () => ({ status: 'ok' }))
  app.get('/readyz', hidden, async (_request, reply) => {
    if (calls.isDraining) return refuse(reply, 'not_ready')
    try {
      await Promise.all([pool`select 1`, cluster.ping()])
      return { status: 'ok' }
    } catch {
      return refuse(reply, 'not_ready')
    }
  })
  app.get('/metrics', hidden, async (request, reply) => {
    // All other callers get 404.
    if (metricsToken === null ? !isLocal(request) : !showsToken(request, metricsToken))
      return refuse(reply, 'route_not_found')
    reply.type(metrics.contentType).header('cache-control', 'no-store')
    return metrics.text()
  })
}

/**
 * Whether the request comes from this machine and not through a proxy on it, which would add a header. A page in a
 * local browser is refused too, if it gives this machine another name.
 */
function isLocal({ socket, headers }: FastifyRequest): boolean {
  const isNear = /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '')
  const isPassedOn = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'].some(
    (name) => name in headers,
  )
  return isNear && !isPassedOn && /^(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/.test(headers.host ?? '')
}

function showsToken({ headers }: FastifyRequest, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(credentialsOf(headers, 'Bearer')), digest(token))
}
