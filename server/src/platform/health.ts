import { createHash, timingSafeEqual } from 'node:crypto'
import { type FastifyInstance, type FastifyRequest } from 'fastify'
import { refuse } from './answers.ts'
import { type CallTracker } from './call-tracker.ts'
import { createMetrics, type MetricsDeps } from './metrics.ts'

export interface HealthDeps extends MetricsDeps {
  /** Who shows it may read the metrics; `null`: this machine only. */
  readonly metricsToken: string | null
  readonly calls: Pick<CallTracker, 'isDraining'>
}

/** `/healthz`: the process answers. `/readyz`: so do its database and the way to the other nodes. `/metrics`: Prometheus text. */
export function addHealth(app: FastifyInstance, deps: HealthDeps): void {
  const { pool, nodes, metricsToken, calls } = deps
  const metrics = createMetrics(app, deps)
  const hidden = { schema: { hide: true } }
  app.get('/healthz', { ...hidden, config: { isCounted: true } }, async () => ({ status: 'ok' }))
  app.get('/readyz', hidden, async (_request, reply) => {
    if (calls.isDraining) return refuse(reply, 'not_ready')
    try {
      await Promise.all([pool`select 1`, nodes.ping()])
      return { status: 'ok' }
    } catch {
      return refuse(reply, 'not_ready')
    }
  })
  app.get('/metrics', hidden, async (request, reply) => {
    // To anyone else there is no such page.
    if (metricsToken === null ? !isLocal(request) : !showsToken(request, metricsToken))
      return refuse(reply, 'route_not_found')
    reply.type(metrics.contentType).header('cache-control', 'no-store')
    return metrics.text()
  })
}

/**
 * From this machine, and not by way of a proxy on it: those name who asks. A page in a browser here does not get by either,
 * whatever name it gave this machine.
 */
function isLocal({ socket, headers }: FastifyRequest): boolean {
  const isNear = /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '')
  const isPassedOn = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'].some(
    (name) => name in headers,
  )
  return isNear && !isPassedOn && /^(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/.test(headers.host ?? '')
}

function showsToken({ headers }: FastifyRequest, token: string): boolean {
  const shown = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(shown), digest(token))
}
