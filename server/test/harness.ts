import { randomInt, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AuthSession, login, signup } from '@hither/contract/auth/auth.ts'
import type { FeedName } from '@hither/contract/feeds.ts'
import { respondToFriendRequest, sendFriendRequest } from '@hither/contract/friends.ts'
import type { FriendRequestId, UserId } from '@hither/contract/ids.ts'
import type { CallInput, Operation, Reply } from '@hither/contract/operation.ts'
import { filledPath, splitAddress } from '@hither/contract/runtime/address.ts'
import { updateUser } from '@hither/contract/users.ts'
import { RealtimeClient } from '@supabase/realtime-js'
import type { FastifyBaseLogger } from 'fastify'
import postgres from 'postgres'
import { inject } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { setPasswordCost } from '../src/auth/password-hashing/passwords.ts'
import { type Config, readConfig } from '../src/config.ts'
import { createPlaces, type Places } from '../src/geo/places.ts'
import { createLog } from '../src/ops/log.ts'
import { type Database, openDatabase } from '../src/platform/db/open-database.ts'
import { migratedTemplate } from './postgres-server.ts'
import { redisDatabases } from './redis-server.ts'

/** A user with a signed-in session. */
export interface Person {
  readonly id: UserId
  readonly username: string
  readonly email: string
  readonly session: AuthSession
}

export interface HttpReply<Body> {
  readonly status: number
  readonly body: Body
  readonly headers: Headers
}

/** A clock that starts at the current time and moves only by `advance`, until `follow` is called. */
interface Clock {
  now: () => Date
  advance(ms: number): void
  /** From now on the clock runs, this far ahead of the real time. */
  follow(aheadMs: number): void
}

export interface TestServer {
  /** The app of the first node. */
  readonly app: App
  readonly db: Database['pool']
  readonly clock: Clock
  /** The address of the first node. */
  readonly url: string
  /** Calls an operation of the contract over HTTP, anonymously without `as`. It does not throw on error statuses. */
  call<O extends Operation>(operation: O, input: CallInput<O>, as?: Person | string): Promise<HttpReply<Reply<O>>>
  /** Sends any request, also one that the types of the contract do not allow. */
  request(
    method: string,
    path: string,
    options?: { body?: unknown; as?: Person | string; headers?: Record<string, string> },
  ): Promise<HttpReply<unknown>>
  signUp(username: string): Promise<Person>
  signIn(person: Person): Promise<Person>
  befriend(a: Person, b: Person): Promise<void>
  /** Joins the change feeds with the official client. Resolves when subscribed. */
  listen(person: Person, tables: readonly FeedName[]): Promise<Listener>
  close(): Promise<void>
}

export interface ReceivedChange {
  readonly table: string
  readonly eventType: 'INSERT' | 'UPDATE' | 'DELETE'
  // Tests compare rows with expected values, so they do not have the types of the contract.
  readonly new: Record<string, unknown>
  readonly old: Record<string, unknown>
}

export interface Listener {
  /** All changes received so far, in order. */
  readonly received: readonly ReceivedChange[]
  /** Resolves with the first past or future change that `fits`. Rejects after a minute with a list of the received changes. */
  until(fits: (change: ReceivedChange) => boolean): Promise<ReceivedChange>
  close(): Promise<void>
}

export const password = 'correct horse battery'

/** The least that Argon2id allows. Servers in processes of their own hash passwords at the cost of production. */
export const testPasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }
setPasswordCost(testPasswordCost)

/** Without backups, because a run at night would make one. The folder is not that of a server of this checkout. */
function testSettings() {
  const DATA_DIR = join(tmpdir(), 'hither-test-data')
  return { DATA_DIR, BACKUPS_ENABLED: 'off', LOG_LEVEL: 'silent', RATE_LIMITS: 'off', LOAD_SHEDDING: 'off' }
}

/**
 * Starts a complete server on its own port, with a new database on the run's PostgreSQL server.
 * In the project with two nodes it starts both, and calls and listeners alternate between them.
 */
export async function startServer(
  environment: Record<string, string> = {},
  log: FastifyBaseLogger = createLog(process.env['TEST_LOG'] ?? 'silent'),
  // To name the places of all pings, every test file would read the list of towns, which takes a third of a second.
  places: Places = { ...createPlaces(), near: async () => null },
): Promise<TestServer> {
  const { database, drop } = await openTestDatabase('migrated')
  const clock = createClock()
  const settings = readConfig({ ...testSettings(), ...environment })
  const config: Config = { ...settings, port: 0, redisUrl: redisUrlOfOwn() }
  const startNode = async () => {
    const authSecret = 'a secret for tests, long enough to sign'
    const app = await createApp({ config, pool: database.pool, authSecret, log, now: clock.now, places })
    return { app, url: await app.http.listen({ port: 0, host: '127.0.0.1' }) }
  }
  const first = await startNode()
  const nodes = config.redisUrl === null ? [first] : [first, await startNode()]
  const { app, url } = first
  let callCount = 0
  const nextUrl = () => nodes[callCount++ % nodes.length]?.url ?? url
  const listeners = new Set<Listener>()

  /** Resolves when the node that is called next has delivered all committed changes. */
  const waitForDelivery = () => nodes[callCount % nodes.length]?.app.catchUp()

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
      redirect: 'manual',
    })
    const text = await response.text()
    if (nodes.length > 1 && method !== 'GET') await waitForDelivery()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return { status: response.status, body: isJson ? JSON.parse(text) : text || null, headers: response.headers }
  }

  const call: TestServer['call'] = async (operation, input, as) => {
    const {
      params = {},
      query,
      body,
    } = input as { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }
    const path = filledPath(operation.address, params)
    const search = query ? `?${new URLSearchParams(query as Record<string, string>)}` : ''
    const answer = await request(splitAddress(operation.address).method, `/api${path}${search}`, {
      body,
      ...(as !== undefined && { as }),
    })
    return answer as HttpReply<Reply<typeof operation>>
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

/** Creates a database on the run's PostgreSQL server, empty or with the current schema. `drop` deletes it, also with open connections. */
export async function openTestDatabase(begin: 'empty' | 'migrated' = 'empty') {
  const postgresUrl = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = postgres(`${postgresUrl}/postgres`, { max: 1, onnotice: () => undefined })
  // A copy of the files takes a third of the CPU time of one through the write-ahead log.
  const source = begin === 'migrated' ? `template ${migratedTemplate} strategy file_copy` : ''
  await admin.unsafe(`create database ${name} ${source}`)
  return {
    database: await openDatabase({ url: `${postgresUrl}/${name}` }),
    drop: async () => {
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}

/** Opens a database for a test file without a server. The caller calls `close` at the end, for example by returning it from `beforeAll`. */
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

/**
 * The number of runs of a property test. In the project with two nodes it is a third of `onOneNode`: the rules are tested on one
 * node, and only the delivery between nodes is tested again.
 */
export function runsFor(onOneNode: number): number {
  return inject('redisUrl') === undefined ? onOneNode : Math.ceil(onOneNode / 3)
}

/** The address of a random database of the run's Redis; `null` in the project with one node. */
function redisUrlOfOwn(): string | null {
  const redisUrl = inject('redisUrl')
  return redisUrl === undefined ? null : `${redisUrl}/${randomInt(1, redisDatabases)}`
}

function createClock(): Clock {
  let time = Date.now()
  let startOfReal: number | null = null
  return {
    now: () => new Date(startOfReal === null ? time : time + Date.now() - startOfReal),
    advance(ms) {
      time += ms
    },
    follow(aheadMs) {
      startOfReal = Date.now()
      time = startOfReal + aheadMs
    },
  }
}

async function openListener(url: string, person: Person, tables: readonly FeedName[]): Promise<Listener> {
  const client = new RealtimeClient(`${url.replace('http', 'ws')}/api/realtime/v1`, { params: { apikey: 'test' } })
  await client.setAuth(person.session.access_token)
  const received: ReceivedChange[] = []
  const waiting = new Set<() => void>()
  const channel = client.channel(`feeds-${person.username}`)
  for (const table of tables) {
    channel.on('postgres_changes', { event: '*', schema: 'public', table }, (change) => {
      received.push(change as unknown as ReceivedChange)
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
    received,
    until: (fits) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look)
          reject(new Error(`${person.username} did not receive the change, but: ${JSON.stringify(received)}`))
        }, 60_000)
        const look = () => {
          const found = received.find(fits)
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

let marks = 0

/**
 * Returns the changes that a listener has received so far, except those of users. To mark the current moment, the person
 * changes their own profile: the listener receives that change after everything published before it. The change back is
 * awaited too, because another node may deliver it later, to a listener of the next test.
 */
export async function receivedBy(server: TestServer, person: Person, listener: Listener): Promise<ReceivedChange[]> {
  const username = `${person.username}-${++marks}`
  const isMark = (change: ReceivedChange) => change.table === 'users' && change.new['username'] === username
  await server.call(updateUser, { params: { id: person.id }, body: { username } }, person)
  await listener.until(isMark)
  await server.call(updateUser, { params: { id: person.id }, body: { username: person.username } }, person)
  await listener.until(
    (change) =>
      change.table === 'users' &&
      change.new['username'] === person.username &&
      listener.received.indexOf(change) > listener.received.findIndex(isMark),
  )
  return listener.received.filter((change) => change.table !== 'users')
}
