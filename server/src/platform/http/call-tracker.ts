import type { FastifyInstance } from 'fastify'
import { Refusal } from '../errors/refusal.ts'

/** How long calls in progress may take when the server stops, and how often idle connections are closed meanwhile. */
const drainWithinMs = 8000
const pauseMs = 20

/** Still answered while the server stops: health checks. */
const exempt = new Set(['/healthz', '/readyz', '/metrics'])

export interface CallTracker {
  readonly isDraining: boolean
  /** Closes the listening socket and refuses further calls on open connections with 503. Calls in progress continue. */
  startDraining(): void
  /** Resolves when no call is in progress, or with their number after eight seconds. */
  drained(): Promise<number>
}

/** Must be added before all routes. Sockets of the live channel are not calls. */
export function trackCalls(app: FastifyInstance): CallTracker {
  let isDraining = false
  let underWay = 0

  app.addHook('onRequest', (request, reply, done) => {
    underWay++
    reply.raw.once('close', () => {
      underWay--
    })
    if (!isDraining) return done()
    // The client's retry reaches another node, or this one after its restart.
    reply.header('connection', 'close')
    if (exempt.has(request.url)) return done()
    throw new Refusal('server_busy', 1)
  })

  return {
    get isDraining() {
      return isDraining
    },
    startDraining() {
      isDraining = true
      app.server.close()
    },
    async drained() {
      const until = performance.now() + drainWithinMs
      while (underWay > 0 && performance.now() < until) {
        app.server.closeIdleConnections()
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
      return underWay
    },
  }
}
