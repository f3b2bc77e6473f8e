import { randomUUID } from 'node:crypto'
import type { AuthSession } from '@hither/contract/auth/auth.ts'
import type { Ping } from '@hither/contract/pings.ts'
import { RealtimeClient } from '@supabase/realtime-js'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { migrate } from '../../src/platform/db/migrations.ts'
import { openTestDatabase, password } from '../harness.ts'
import { hasRedis, openRedis, type RedisServer } from '../redis-server.ts'

const minuteMs = 60_000
const skewMs = 30_000

/** A node with its own clock, which the test moves. */
interface Node {
  readonly app: App
  readonly url: string
  call<Body>(method: string, path: string, token?: string, body?: object): Promise<{ status: number; body: Body }>
}

describe.skipIf(!hasRedis)('two nodes whose clocks are half a minute apart', () => {
  let redis: RedisServer
  let database: Awaited<ReturnType<typeof openTestDatabase>>
  let slow: Node
  let fast: Node
  let time = Date.now()
  let ann: AuthSession
  let bob: AuthSession
  let listener: RealtimeClient
  /** The ping changes that bob receives from the slow node. */
  const received: { id: string; what: string }[] = []

  beforeAll(async () => {
    redis = await openRedis()
    database = await openTestDatabase('migrated')
    await migrate(database.database.pool)
    slow = await startNode(0)
    fast = await startNode(skewMs)
    ann = await signUp(fast, 'ann')
    bob = await signUp(slow, 'bob')
    const request = await slow.call<{ id: string }>('POST', '/friends/request', ann.access_token, { username: 'bob' })
    const path = `/friends/${request.body.id}/respond`
    expect((await fast.call('PATCH', path, bob.access_token, { action: 'accepted' })).status).toBe(200)
    listener = new RealtimeClient(`${slow.url.replace('http', 'ws')}/api/realtime/v1`, { params: { apikey: 'anon' } })
    await listener.setAuth(bob.access_token)
    await new Promise<void>((resolve) =>
      listener
        .channel('pings')
        .on('postgres_changes', { event: '*', schema: 'public', table: 'location_pins' }, (change) => {
          const row = change.new as Partial<Ping>
          received.push({ id: row.id ?? '', what: `${change.eventType} ${row.status}` })
        })
        .subscribe((status) => status === 'SUBSCRIBED' && resolve()),
    )
  })

  afterAll(async () => {
    await listener.disconnect()
    for (const { app } of [slow, fast]) await app.stop()
    await database.database.close()
    await database.drop()
    await redis.close()
  })

  async function startNode(aheadMs: number): Promise<Node> {
    const settings = readConfig({ RATE_LIMITS: 'off', LOAD_SHEDDING: 'off', LOG_LEVEL: 'silent' })
    const app = await createApp({
      config: { ...settings, port: 0, redisUrl: redis.url },
      pool: database.database.pool,
      authSecret: 'a secret for tests, long enough to sign',
      log: pino({ level: 'silent' }),
      now: () => new Date(time + aheadMs),
    })
    const url = await app.http.listen({ port: 0, host: '127.0.0.1' })
    return {
      app,
      url,
      async call(method, path, token, body) {
        const response = await fetch(`${url}/api${path}`, {
          method,
          headers: {
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
            ...(body && { 'content-type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
        })
        const text = await response.text()
        return { status: response.status, body: text === '' ? null : JSON.parse(text) }
      },
    }
  }

  async function signUp(node: Node, username: string): Promise<AuthSession> {
    const account = { email: `${username}@example.org`, password, username }
    return (await node.call<AuthSession>('POST', '/auth/signup', undefined, account)).body
  }

  async function drop(node: Node, fields: object = {}): Promise<Ping> {
    const body = { name: 'Coffee', latitude: 1, longitude: 2, client_id: randomUUID(), ...fields }
    const answer = await node.call<Ping>('POST', '/pings/', ann.access_token, body)
    expect(answer.status).toBe(201)
    return answer.body
  }

  const both = () => [slow, fast] as const
  const statusOf = async (node: Node, { id }: Ping) =>
    (await node.call<Ping>('GET', `/pings/${id}`, bob.access_token)).body.status
  const runBoth = () => Promise.all(both().map(({ app }) => app.pingJobs.runDue()))

  /** The received changes of this ping. A ping that is created afterwards marks the end, because changes arrive in order. */
  async function receivedChanges({ id }: Ping): Promise<string[]> {
    const last = await drop(slow)
    await expect.poll(() => received.some((one) => one.id === last.id)).toBe(true)
    return received.filter((one) => one.id === id).map(({ what }) => what)
  }

  it('accept each other’s tokens immediately', async () => {
    for (const [maker, taker] of [
      [slow, fast],
      [fast, slow],
    ] as const) {
      const login = { email: 'ann@example.org', password }
      const { body } = await maker.call<AuthSession>('POST', '/auth/login', undefined, login)
      expect((await taker.call('GET', '/users/me', body.access_token)).status).toBe(200)
      const next = await taker.call<AuthSession>('POST', '/auth/refresh', undefined, {
        refresh_token: body.refresh_token,
      })
      expect(next.status).toBe(200)
      for (const node of both()) expect((await node.call('GET', '/users/me', next.body.access_token)).status).toBe(200)
      await maker.call('POST', '/auth/logout', undefined, { access_token: next.body.access_token })
      await expect.poll(async () => (await taker.call('GET', '/users/me', body.access_token)).status).toBe(401)
    }
  })

  it.each(['slow', 'fast'] as const)(
    'announce a ping created on the %s node at once, and its end once',
    async (which) => {
      const maker = which === 'slow' ? slow : fast
      const ping = await drop(maker, { duration_minutes: 15 })
      for (const node of both()) expect(await statusOf(node, ping)).toBe('active')
      expect(await receivedChanges(ping)).toEqual(['INSERT active'])
      // Neither clock has reached the expiry.
      const end = Date.parse(ping.expires_at)
      time = end - skewMs - 1
      await runBoth()
      expect(await receivedChanges(ping)).toEqual(['INSERT active'])
      for (const node of both()) expect(await statusOf(node, ping)).toBe('active')
      for (const at of [end - skewMs, end - 1, end, end + minuteMs]) {
        time = at
        await runBoth()
        expect(await receivedChanges(ping)).toEqual(['INSERT active', 'UPDATE expired'])
      }
      for (const node of both()) expect(await statusOf(node, ping)).toBe('expired')
    },
  )

  it.each(['slow', 'fast'] as const)(
    'announce the activation of a ping scheduled on the %s node once',
    async (which) => {
      const maker = which === 'slow' ? slow : fast
      const activates_at = new Date(time + 5 * minuteMs).toISOString()
      const ping = await drop(maker, { activates_at, duration_minutes: 15 })
      const begin = Date.parse(activates_at)
      for (const at of [begin - skewMs - 1, begin - skewMs, begin - 1, begin, begin + minuteMs]) {
        time = at
        await runBoth()
        const hasBegun = at >= begin - skewMs
        expect(await receivedChanges(ping)).toEqual(['INSERT pending', ...(hasBegun ? ['UPDATE active'] : [])])
      }
    },
  )
})
