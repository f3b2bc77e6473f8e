import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AuthSession, getSignInMethods } from '@hither/contract/auth/auth.ts'
import { finishOidc, startOidc } from '@hither/contract/auth/oidc.ts'
import {
  createPasskey,
  createPasskeyOptions,
  createPasskeySignInOptions,
  signInWithPasskey,
} from '@hither/contract/auth/passkeys.ts'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../../test/authenticator.ts'
import { startServer, type TestServer } from '../../../test/harness.ts'
import { type OpenIdProvider, startOpenIdProvider } from '../../../test/openid-provider.ts'
import { createApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { createLog } from '../../ops/log.ts'

const origin = 'https://hither.example.org'
let provider: OpenIdProvider
let server: TestServer
let clock: () => Date = () => new Date()

beforeAll(async () => {
  provider = await startOpenIdProvider(() => clock())
  provider.claims = { sub: 'sam', email: 'sam@example.org', email_verified: true }
  server = await startServer(environment())
  clock = server.clock.now
})
afterAll(async () => {
  await server.close()
  await provider.stop()
})

function environment() {
  return { PUBLIC_URL: origin, OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'hither', RATE_LIMITS: 'off' }
}

/** Another node on the same database, as after a restart: it shares no memory with the first one. */
async function startNode(more: Record<string, string> = {}, log: FastifyBaseLogger = pino({ level: 'silent' })) {
  const app = await createApp({
    config: { ...readConfig({ ...environment(), ...more }), port: 0 },
    pool: server.db,
    authSecret: 'a secret for tests, long enough to sign',
    log,
    now: server.clock.now,
  })
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' })
  return { url, stop: () => app.stop() }
}

async function post(url: string, path: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

it('the steps of a sign-in with the provider may reach three nodes, of which the first ones have stopped', async () => {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const first = await startNode()
  const { url } = (await (await post(first.url, splitAddress(startOidc.address).path, { challenge })).json()) as {
    url: string
  }
  await first.stop()
  const callback = await provider.visit(url)
  const second = await startNode()
  const answer = await fetch(`${second.url}${callback.pathname}${callback.search}`, { redirect: 'manual' })
  await second.stop()
  const code = /code=([\w-]+)/.exec(answer.headers.get('location') ?? '')?.[1]
  const third = await startNode()
  expect((await post(third.url, splitAddress(finishOidc.address).path, { code, verifier })).status).toBe(201)
  await third.stop()
})

describe.each(['', '/'])('an issuer with a path that the provider publishes with "%s" at its end', (ending) => {
  let realm: OpenIdProvider
  let front: Server
  let issuer: string

  beforeEach(async () => {
    realm = await startOpenIdProvider(() => clock())
    realm.claims = { sub: `realm${ending}`, email: `realm${ending.length}@example.org`, email_verified: true }
    front = createServer((request, response) => {
      request.url = request.url?.replace('/realms/home', '') ?? ''
      void realm.server.service.requestHandler(request, response)
    })
    await new Promise<void>((resolve) => front.listen(0, 'localhost', resolve))
    issuer = `http://localhost:${(front.address() as AddressInfo).port}/realms/home`
    realm.server.issuer.url = issuer + ending
  })

  afterEach(async () => {
    front.close()
    front.closeAllConnections()
    await realm.stop()
  })

  async function signIn(url: string) {
    const verifier = randomBytes(32).toString('base64url')
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const started = (await (await post(url, splitAddress(startOidc.address).path, { challenge })).json()) as {
      url: string
    }
    const { pathname, search } = await realm.visit(started.url)
    const answer = await fetch(`${url}${pathname}${search}`, { redirect: 'manual' })
    const code = /code=([\w-]+)/.exec(answer.headers.get('location') ?? '')?.[1]
    const finished = await post(url, splitAddress(finishOidc.address).path, { code, verifier })
    return { status: finished.status, session: (await finished.json()) as AuthSession }
  }

  it('opens the same account with and without the slash in OIDC_ISSUER, also by links of earlier versions', async () => {
    const nodes = [await startNode({ OIDC_ISSUER: issuer }), await startNode({ OIDC_ISSUER: `${issuer}/` })]
    const first = await signIn(nodes[0]?.url ?? '')
    expect(first.status).toBe(201)
    const userId = first.session.user.id
    // Without the address, only the link leads to the account.
    realm.claims = { sub: `realm${ending}` }
    for (const stored of [issuer, `${issuer}/`]) {
      await server.db`update identities set issuer = ${stored} where user_id = ${userId}`
      for (const { url } of nodes) {
        const { status, session } = await signIn(url)
        expect([status, session.user?.id]).toEqual([200, userId])
        const headers = { authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' }
        const methods = await fetch(`${url}/api${splitAddress(getSignInMethods.address).path}`, { headers })
        expect(await methods.json()).toMatchObject({ oidc: true })
        const unlinked = await fetch(`${url}/api/auth/identities/oidc`, { method: 'DELETE', headers, body: '{}' })
        // The link is found, and is the last way to sign in.
        expect(unlinked.status).toBe(409)
      }
    }
    for (const node of nodes) await node.stop()
  })
})

describe('OIDC_ISSUER', () => {
  const challenge = createHash('sha256').update('a verifier').digest('base64url')

  it('may be written with a host in capitals, or as the address of what the provider publishes', async () => {
    const realm = await startOpenIdProvider(() => clock())
    for (const path of ['', '/', '/.well-known/openid-configuration']) {
      const node = await startNode({ OIDC_ISSUER: `HTTP://LOCALHOST:${realm.port}${path}` })
      expect((await post(node.url, splitAddress(startOidc.address).path, { challenge })).status).toBe(200)
      await node.stop()
    }
    await realm.stop()
  })

  it('of a provider that names itself in another way is refused, and the log says how', async () => {
    const lines: string[] = []
    const realm = await startOpenIdProvider(() => clock())
    realm.server.issuer.url = `${realm.issuer}/Realms/Home`
    const node = await startNode(
      { OIDC_ISSUER: realm.issuer },
      createLog('warn', { write: (line) => void lines.push(line) }),
    )
    expect((await post(node.url, splitAddress(startOidc.address).path, { challenge })).status).toBe(503)
    expect(lines.join('')).toContain(JSON.stringify(`it names another issuer: "${realm.issuer}/Realms/Home"`))
    await node.stop()
    await realm.stop()
  })
})

it('one challenge of a passkey sent 20 times at once to two nodes signs in once', async () => {
  const ann = await server.signUp('ann')
  const device = createAuthenticator(origin)
  const { body: creation } = await server.call(createPasskeyOptions, { body: {} }, ann)
  await server.call(createPasskey, { body: { response: device.create(creation) } }, ann)
  const { body: options } = await server.call(createPasskeySignInOptions, {})
  const response = device.get(options)
  const other = await startNode()
  const urls = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? server.url : other.url))
  const answers = await Promise.all(
    urls.map((url) => post(url, splitAddress(signInWithPasskey.address).path, { response })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(19)
  await other.stop()
})
