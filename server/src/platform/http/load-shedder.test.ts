import { createPing } from '@hither/contract/pings.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../../test/harness.ts'
import { loadLimits, nextShare } from './load-shedder.ts'

const quiet = { lagMs: 0, busy: 0.2 }
const overloaded = { lagMs: loadLimits.lagMs + 1, busy: 1 }

describe('the share of rejected requests', () => {
  it('increases to all within a few samples and decreases more slowly', () => {
    const shares = (load: typeof quiet, from: number, count: number) => {
      const all = [from]
      while (all.length <= count) all.push(nextShare(all.at(-1) ?? 0, load))
      return all.slice(1)
    }
    expect(shares(overloaded, -0.25, 6)).toEqual([0, 0.25, 0.5, 0.75, 1, 1])
    expect(shares(quiet, 1, 14)).toEqual([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0, -0.1, -0.2, -0.25, -0.25])
  })

  it('does not increase if only the event loop lags or only the CPU is busy', () => {
    expect(nextShare(0, { ...overloaded, busy: 0.5 })).toBe(-0.1)
    expect(nextShare(0, { ...quiet, busy: 1 })).toBe(-0.1)
  })
})

describe('an overloaded server', () => {
  let server: TestServer
  let ann: Person
  let bob: Person

  beforeAll(async () => {
    server = await startServer({ LOAD_SHEDDING: 'on' })
    ann = await server.signUp('ann')
    bob = await server.signUp('bob')
    await server.befriend(ann, bob)
  })
  afterAll(() => server.close())

  it('answers 503 with Retry-After at once, serves the live channel and health checks, and recovers', async () => {
    const soon = new Date(server.clock.now().getTime() + 60_000).toISOString()
    const place = { latitude: 40.7, longitude: -74, is_public: false }
    const { status } = await server.call(createPing, { body: { ...place, name: 'Lunch', activates_at: soon } }, ann)
    expect(status).toBe(201)
    const listener = await server.listen(bob, ['location_pins'])
    const ask = () => server.request('GET', '/api/pings/', { as: ann })

    const rest = overload()
    let inARow = 0
    const refused = await until(ask, ({ status }) => {
      inARow = status === 503 ? inARow + 1 : 0
      return inARow === 4
    })
    // Nearly all requests are rejected now and for the next seconds.
    rest()
    expect(refused.body).toEqual({ detail: 'The server is busy. Please try again in a moment.', code: 'server_busy' })
    expect(refused.headers.get('retry-after')).toBe(String(loadLimits.retryAfterSeconds))
    expect(refused.headers.get('x-request-id')).toBeTruthy()
    server.clock.advance(60_000)
    const isActive = ({ new: row }: { new: Record<string, unknown> }) => row['status'] === 'active'
    const refresh = { body: { refresh_token: bob.session.refresh_token } }
    const [health, ready, renewed, change] = await Promise.all([
      server.request('GET', '/healthz'),
      server.request('GET', '/readyz'),
      server.request('POST', '/api/auth/refresh', refresh),
      listener.until(isActive),
      server.listen(ann, ['users']),
      server.app.pingJobs.runDue(),
    ])
    expect([health.status, ready.status, renewed.status]).toEqual([200, 200, 200])
    expect(change.table).toBe('location_pins')
    await until(ask, ({ status }) => status === 200)
  })
})

/** Blocks the event loop repeatedly until it is stopped, as a flood of calls does. */
function overload(): () => void {
  let isStopped = false
  const spin = () => {
    const end = performance.now() + loadLimits.lagMs * 1.2
    while (performance.now() < end);
    if (!isStopped) setImmediate(spin)
  }
  setImmediate(spin)
  return () => {
    isStopped = true
  }
}

async function until<T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (fits(answer)) return answer
  }
}
