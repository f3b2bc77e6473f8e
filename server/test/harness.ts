import { randomInt, randomUUID } from 'node:crypto'
import { type AuthSession, login, signup } from '@hither/contract/auth.ts'
import { type FeedName } from '@hither/contract/feeds.ts'
import { respondToFriendRequest, sendFriendRequest } from '@hither/contract/friends.ts'
import { type FriendRequestId, type UserId } from '@hither/contract/ids.ts'
import { type Input, type Operation, type Reply } from '@hither/contract/operation.ts'
import { RealtimeClient } from '@supabase/realtime-js'
import { type FastifyBaseLogger } from 'fastify'
import postgres from 'postgres'
import { inject } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/config.ts'
import { type Database, openDatabase } from '../src/platform/database.ts'
import { createLog } from '../src/platform/log.ts'
import { migratedTemplate } from './postgres-server.ts'
import { redisDatabases } from './redis-server.ts'

/** A person with a signed-in session. */
export interface Person {
  readonly id: UserId
  readonly username: string
  readonly email: string
  readonly session: AuthSession
}

export interface Answered<Body> {
  readonly status: number
  readonly body: Body
  readonly headers: Headers
}

/** A clock that stands still until it is moved, and starts at the true time. */
export interface Clock {
  now: () => Date
  advance(ms: number): void
}

export interface TestServer {
  /** The first, or only, node. */
  readonly app: App
  readonly db: Database['pool']
  readonly clock: Clock
  /** Of the first, or only, node. */
  readonly url: string
  /** Calls an operation of the contract over HTTP; `as` nobody is an anonymous call. The status is for the test to hold. */
  call<O extends Operation>(operation: O, input: Input<O>, as?: Person | string): Promise<Answered<Reply<O>>>
  /** Any request, for what the contract's types would not let through. */
  request(
    method: string,
    path: string,
    options?: { body?: unknown; as?: Person | string; headers?: Record<string, string> },
  ): Promise<Answered<unknown>>
  signUp(username: string): Promise<Person>
  signIn(person: Person): Promise<Person>
  befriend(a: Person, b: Person): Promise<void>
  /** Joins the change feeds as the official client does; resolves once subscribed. */
  listen(person: Person, tables: readonly FeedName[]): Promise<Listener>
  close(): Promise<void>
}

export interface Heard {
  readonly table: string
  readonly eventType: 'INSERT' | 'UPDATE' | 'DELETE'
  // Rows are compared with expectations, not with the contract's types.
  readonly new: Record<string, unknown>
  readonly old: Record<string, unknown>
}

export interface Listener {
  /** Everything heard so far, in order. */
  readonly heard: readonly Heard[]
  /** The first change, heard or yet to come, that fits; fails after twenty seconds with what was heard instead. */
  until(fits: (change: Heard) => boolean): Promise<Heard>
  close(): Promise<void>
}

export const password = 'correct horse battery'

/**
 * A whole server on a port of its own, with a new database on the run's PostgreSQL server.
 * In the project of two nodes it is both of them, and each call and each listener goes to the other one than the last did.
 */
export async function startServer(
  environment: Record<string, string> = {},
  log: FastifyBaseLogger = createLog(process.env['TEST_LOG'] ?? 'silent'),
): Promise<TestServer> {
  const { database, drop } = await openTestDatabase('migrated')
  const clock = createClock()
  const settings = readConfig({ LOG_LEVEL: 'silent', RATE_LIMITS: 'off', LOAD_SHEDDING: 'off', ...environment })
  const config: Config = { ...settings, port: 0, redisUrl: redisUrlOfOwn() }
  const startNode = async () => {
    const authSecret = 'a secret for tests, long enough to sign'
    const app = await createApp({ config, pool: database.pool, authSecret, log, now: clock.now })
    return { app, url: await app.http.listen({ port: 0, host: '127.0.0.1' }) }
  }
  const first = await startNode()
  const nodes = config.redisUrl === null ? [first] : [first, await startNode()]
  const { app, url } = first
  let turn = 0
  const nextUrl = () => nodes[turn++ % nodes.length]?.url ?? url
  const listeners = new Set<Listener>()

  /** What was committed before a call was answered has been delivered by the node that is called next. */
  const untilDelivered = () => nodes[turn % nodes.length]?.app.catchUp()

  const request: TestServer['request'] = async (method, path, { body, as, headers } = {}) => {
    const token = typeof as === 'string' ? as : as?.session.access_token
    const response = await fetch(`${nextUrl()}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (nodes.length > 1 && method !== 'GET') await untilDelivered()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return { status: response.status, body: isJson ? JSON.parse(text) : text || null, headers: response.headers }
  }

  const call: TestServer['call'] = async (operation, input, as) => {
    const {
      params = {},
      query,
      body,
    } = input as { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }
    const path = operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    const search = query ? `?${new URLSearchParams(query as Record<string, string>)}` : ''
    const answer = await request(operation.method, `/api${path}${search}`, { body, ...(as !== undefined && { as }) })
    return answer as Answered<Reply<typeof operation>>
  }

  const signIn: TestServer['signIn'] = async (person) => {
    const { body } = await call(login, { body: { email: person.email, password } })
    return { ...person, session: body }
  }

  return {
    app,
    db: database.pool,
    clock,
    url,
    call,
    request,
    signIn,
    async signUp(username) {
      const email = `${username}@example.org`
      const { status, body } = await call(signup, { body: { email, password, username } })
      if (status !== 201 || !('access_token' in body))
        throw new Error(`Sign-up of ${username} answered ${status}: ${JSON.stringify(body)}`)
      return { id: body.user.id, username, email, session: body }
    },
    async befriend(a, b) {
      const { body } = await call(sendFriendRequest, { body: { username: b.username } }, a)
      await call(
        respondToFriendRequest,
        { params: { id: body.id as FriendRequestId }, body: { action: 'accepted' } },
        b,
      )
    },
    async listen(person, tables) {
      const listener = await openListener(nextUrl(), person, tables)
      listeners.add(listener)
      return listener
    },
    async close() {
      await Promise.all([...listeners].map((listener) => listener.close()))
      await Promise.all(nodes.map((node) => node.app.stop()))
      await database.close()
      await drop()
    },
  }
}

/** A new database on the run's PostgreSQL server, empty or with today's schema. `drop` removes it, whoever is connected. */
export async function openTestDatabase(begin: 'empty' | 'migrated' = 'empty') {
  const postgresUrl = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = postgres(`${postgresUrl}/postgres`, { max: 1, onnotice: () => undefined })
  await admin.unsafe(`create database ${name} ${begin === 'migrated' ? `template ${migratedTemplate}` : ''}`)
  return {
    database: await openDatabase({ url: `${postgresUrl}/${name}` }),
    drop: async () => {
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}

/** For a suite without a server. What opens it may return `close` to Vitest, which calls it at the end. */
export async function openTestPool(
  begin: 'empty' | 'migrated' = 'migrated',
): Promise<{ db: Database['pool']; close: () => Promise<void> }> {
  const { database, drop } = await openTestDatabase(begin)
  const close = async () => {
    await database.close()
    await drop()
  }
  return { db: database.pool, close }
}

/** A database of the run's Redis that nobody else has; `null` where there is one node. */
function redisUrlOfOwn(): string | null {
  const redisUrl = inject('redisUrl')
  return redisUrl === undefined ? null : `${redisUrl}/${randomInt(1, redisDatabases)}`
}

function createClock(): Clock {
  let time = Date.now()
  return {
    now: () => new Date(time),
    advance(ms) {
      time += ms
    },
  }
}

async function openListener(url: string, person: Person, tables: readonly FeedName[]): Promise<Listener> {
  const client = new RealtimeClient(`${url.replace('http', 'ws')}/api/realtime/v1`, { params: { apikey: 'test' } })
  await client.setAuth(person.session.access_token)
  const heard: Heard[] = []
  const waiting = new Set<() => void>()
  const channel = client.channel(`feeds-${person.username}`)
  for (const table of tables) {
    channel.on('postgres_changes', { event: '*', schema: 'public', table }, (change) => {
      heard.push(change as unknown as Heard)
      for (const look of waiting) look()
    })
  }
  await new Promise<void>((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === 'SUBSCRIBED') resolve()
      else reject(error ?? new Error(status))
    })
  })
  return {
    heard,
    until: (fits) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look)
          reject(new Error(`${person.username} did not hear it, but: ${JSON.stringify(heard)}`))
        }, 20_000)
        const look = () => {
          const found = heard.find(fits)
          if (!found) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    async close() {
      await client.removeAllChannels()
      await client.disconnect()
    },
  }
}
