import { createHash, randomBytes } from 'node:crypto'
import { login } from '@hither/contract/auth/auth.ts'
import { finishOidc, startOidc } from '@hither/contract/auth/oidc.ts'
import {
  createPasskey,
  createPasskeyOptions,
  createPasskeySignInOptions,
  signInWithPasskey,
} from '@hither/contract/auth/passkeys.ts'
import { recover } from '@hither/contract/auth/recovery.ts'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createAuthenticator } from '../../test/authenticator.ts'
import { password, startServer, type TestServer } from '../../test/harness.ts'
import { type OpenIdProvider, startOpenIdProvider } from '../../test/openid-provider.ts'
import { countStatements, type StatementCounter } from '../../test/statement-counter.ts'
import { type App, createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { type Database, openDatabase } from '../platform/db/open-database.ts'

const origin = 'https://hither.example.org'
const device = createAuthenticator(origin)
let provider: OpenIdProvider
/** Prepares what the calls need, on the same database. */
let server: TestServer
let counter: StatementCounter
let database: Database
let app: App
let url: string
let clock: () => Date = () => new Date()

beforeAll(async () => {
  provider = await startOpenIdProvider(() => clock())
  provider.claims = { sub: 'sam', email: 'sam@example.org', email_verified: true }
  const environment = { PUBLIC_URL: origin, OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'hither' }
  server = await startServer(environment)
  clock = server.clock.now
  const [row] = await server.db<[{ name: string }]>`select current_database() as name`
  counter = await countStatements(`${inject('postgresUrl')}/${row.name}`)
  database = await openDatabase({ url: counter.url })
  app = await createApp({
    config: { ...readConfig({ ...environment, RATE_LIMITS: 'off', LOAD_SHEDDING: 'off' }), port: 0 },
    pool: database.pool,
    authSecret: 'a secret for tests, long enough to sign',
    log: pino({ level: 'silent' }),
    now: server.clock.now,
  })
  url = await app.http.listen({ port: 0, host: '127.0.0.1' })
})

afterAll(async () => {
  await app.stop()
  await database.close()
  await counter.close()
  await server.close()
  await provider.stop()
})

async function post<Body>(path: string, body: object, token?: string) {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const response = await fetch(`${url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as Body }
}

/**
 * The lowest figures of three calls after two that open a connection and prepare statements. The node also reads the outbox and
 * asks whether the database answers, from time to time.
 */
async function figuresOf(call: () => Promise<() => Promise<{ status: number }>>, expected = 200) {
  const figures: ReturnType<StatementCounter['stop']>[] = []
  for (let round = 0; round < 5; round++) {
    const run = await call()
    counter.start()
    expect((await run()).status).toBe(expected)
    figures.push(counter.stop())
  }
  const measured = figures.slice(2)
  const [lowest] = measured.toSorted((a, b) => a.statements.length - b.statements.length)
  const texts = lowest?.statements ?? []
  return { statements: texts.length, texts, roundTrips: Math.min(...measured.map(({ roundTrips }) => roundTrips)) }
}

async function addPasskey() {
  const ann = await server.signUp(`ann${randomBytes(4).toString('hex')}`)
  const { body: options } = await server.call(createPasskeyOptions, { body: {} }, ann)
  await server.call(createPasskey, { body: { response: device.create(options) } }, ann)
  return ann
}

describe('the budget of statements', () => {
  it('of a sign-in with a passkey is 6 in 4 round trips, and of its options 1', async () => {
    await addPasskey()
    const options = await figuresOf(async () => () => post(splitAddress(createPasskeySignInOptions.address).path, {}))
    expect(options.statements).toBe(1)
    const signIn = await figuresOf(async () => {
      const { body } = await server.call(createPasskeySignInOptions, {})
      const response = device.get(body)
      return () => post(splitAddress(signInWithPasskey.address).path, { response })
    })
    expect(signIn.statements).toBeLessThanOrEqual(6)
    expect(signIn.roundTrips).toBeLessThanOrEqual(4)
  })

  it('of the options of a new passkey is 1 after a recent sign-in', async () => {
    const ann = await addPasskey()
    const token = ann.session.access_token
    const options = await figuresOf(async () => () => post(splitAddress(createPasskeyOptions.address).path, {}, token))
    expect(options.statements).toBe(1)
  })

  it('of a sign-in with the provider is 1 to start and 9 to finish', async () => {
    const begin = async () => {
      const verifier = randomBytes(32).toString('base64url')
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      return { verifier, run: () => post<{ url: string }>(splitAddress(startOidc.address).path, { challenge }) }
    }
    const start = await figuresOf(async () => (await begin()).run)
    expect(start.statements).toBe(1)
    const signIn = async () => {
      const { verifier, run } = await begin()
      const callback = await provider.visit((await run()).body.url)
      const answer = await fetch(`${url}${callback.pathname}${callback.search}`, { redirect: 'manual' })
      const code = /code=([\w-]+)/.exec(answer.headers.get('location') ?? '')?.[1]
      return () => post(splitAddress(finishOidc.address).path, { code, verifier })
    }
    await (await signIn())()
    expect((await figuresOf(signIn)).statements).toBeLessThanOrEqual(9)
  })

  it('of a sign-in with a password has not grown', async () => {
    const ann = await server.signUp('ann')
    const { statements } = await figuresOf(
      async () => () => post(splitAddress(login.address).path, { email: ann.email, password }),
    )
    // The account, its lock, its profile, its suspension, and the session with its token.
    expect(statements).toBe(5)
  })
})

it('an unknown address and a wrong code cost the same statements, and so do an unknown and a wrong passkey', async () => {
  const ann = await addPasskey()
  const recoverAs = (email: string) =>
    figuresOf(async () => () => post(splitAddress(recover.address).path, { email, code: 'K7QM-2XPD-9TRA-H4WE' }), 401)
  expect((await recoverAs('nobody@example.org')).texts).toEqual((await recoverAs(ann.email)).texts)
  const signInWith = (credentialId?: Buffer) =>
    figuresOf(async () => {
      const { body } = await server.call(createPasskeySignInOptions, {})
      const response = device.get(body, { userVerified: false, ...(credentialId && { credentialId }) })
      return () => post(splitAddress(signInWithPasskey.address).path, { response })
    }, 401)
  expect((await signInWith(randomBytes(16))).texts).toEqual((await signInWith()).texts)
})
