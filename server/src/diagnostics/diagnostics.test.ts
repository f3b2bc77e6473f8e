import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forgotPassword } from '@hither/contract/auth/auth.ts'
import { startOidc } from '@hither/contract/auth/oidc.ts'
import { type Check, type CheckId, type Diagnostics, diagnose, sendTestMail } from '@hither/contract/diagnostics.ts'
import { sendFriendRequest } from '@hither/contract/friends.ts'
import { subscribeToPush } from '@hither/contract/notifications.ts'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type FaultyProxy, openFaultyProxy } from '../../test/faulty-proxy.ts'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'
import { type Mailbox, openMailbox } from '../../test/mailbox.ts'
import { startOpenIdProvider } from '../../test/openid-provider.ts'
import { openPushService, type PushService } from '../../test/push-service.ts'
import { hasRedis, openRedis } from '../../test/redis-server.ts'
import { createApp } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import { type FakeGeocoder, json, photonAnswer, startGeocoder } from '../geo/harness.ts'
import { makeAdmin } from '../moderation/harness.ts'

let folder: string
let mailbox: Mailbox
let mailLine: FaultyProxy
let geocoder: FakeGeocoder
let pushService: PushService
/** A server with every optional service configured. The test controls each of these services. */
let server: TestServer
let ann: Person
let eve: Person

const secrets = ['secret-of-the-mail', 'secret-of-the-geocoder'] as const

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hither-diagnostics-'))
  mailbox = await openMailbox()
  mailLine = await openFaultyProxy(Number(new URL(mailbox.url).port))
  geocoder = await startGeocoder()
  pushService = await openPushService()
  server = await startServer({
    DATA_DIR: folder,
    PUBLIC_URL: 'https://hither.example',
    TRUST_PROXY: 'loopback',
    SMTP_URL: `smtp://hither:${secrets[0]}@127.0.0.1:${mailLine.port}`,
    CONFIRM_EMAIL: 'off',
    GEOCODER_URL: `${geocoder.url}?key=${secrets[1]}`,
    PUSH_HOSTS: pushService.origin,
  })
  ann = await makeAdmin(server, await server.signUp('ann'))
  eve = await server.signUp('eve')
})

beforeEach(() => setClock())

afterAll(async () => {
  await server.close()
  await Promise.all([mailLine.close(), geocoder.close(), pushService.close()])
  await mailbox.close()
  await rm(folder, { recursive: true })
})

/** The clock runs, because it is compared with that of the database. */
function setClock(aheadMs = 0): void {
  server.clock.follow(aheadMs)
}

const asProxied = {
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-host': 'hither.example',
  'x-forwarded-proto': 'https',
}

async function ask(headers: Record<string, string> = asProxied, url = server.url): Promise<Record<CheckId, Check>> {
  const authorization = `Bearer ${ann.session.access_token}`
  const answer = await fetch(`${url}/api${splitAddress(diagnose.address).path}`, {
    headers: { authorization, ...headers },
  })
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
  for (const secret of secrets) expect(text).not.toContain(secret)
  const { checks } = JSON.parse(text) as Diagnostics
  return Object.fromEntries(checks.map((check) => [check.id, check])) as Record<CheckId, Check>
}

/** A second server on the same data, until the test ends. */
async function startSecondServer(
  environment: Record<string, string>,
  overrides: Partial<Config> = {},
): Promise<string> {
  const config = { ...readConfig({ LOAD_SHEDDING: 'off', DATA_DIR: folder, ...environment }), ...overrides }
  const authSecret = 'a secret for tests, long enough to sign'
  const log = pino({ level: 'silent' })
  const app = await createApp({ config, pool: server.db, authSecret, log, now: server.clock.now })
  onTestFinished(async () => void (await app.stop()))
  return app.http.listen({ port: 0, host: '127.0.0.1' })
}

describe('the diagnostics', () => {
  it('are visible to admins, and return 404 to other users', async () => {
    for (const operation of [diagnose, sendTestMail]) {
      expect((await server.call(operation, {})).status).toBe(401)
      expect(await server.call(operation, {}, eve)).toMatchObject({
        status: 404,
        body: { detail: 'Not found', code: 'route_not_found' },
      })
    }
    expect(mailbox.received).toEqual([])
  })

  it('report no problem on a healthy server, and leave no data behind', async () => {
    const found = await ask()
    expect(found.proxy.text).toContain('Your address appears as 203.0.113.7')
    const checks = Object.values(found)
    expect(checks.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'public_address ok',
      'proxy ok',
      'database ok',
      'nodes off',
      'storage ok',
      'mail ok',
      'sign_in_provider off',
      'passkeys ok',
      'push ok',
      'geocoder ok',
      expect.stringMatching(/^disk (ok|warning)$/),
      'clock ok',
    ])
    expect(await readdir(join(folder, 'files'))).toEqual([])
    expect(mailbox.received).toEqual([])
  })

  it('report what is not configured without a warning', async () => {
    const {
      mail,
      geocoder: addresses,
      public_address,
      proxy,
      nodes,
    } = await ask({}, await startSecondServer({ GEOCODER_URL: 'off', RATE_LIMITS: 'off' }))
    expect(mail).toMatchObject({ state: 'off', text: expect.stringContaining('SMTP_URL is not set') })
    expect(addresses.state).toBe('off')
    expect(nodes.state).toBe('off')
    // The port of the test is not the one of the setting.
    expect(public_address).toMatchObject({ state: 'warning', text: expect.stringContaining('http://localhost:3000') })
    expect(proxy).toMatchObject({ state: 'ok', text: expect.stringContaining('Your address appears as 127.0.0.1') })
  })

  it('are rate limited', async () => {
    const url = await startSecondServer({ RATE_LIMITS: 'on', GEOCODER_URL: 'off' })
    const authorization = `Bearer ${eve.session.access_token}`
    const statuses: number[] = []
    for (let time = 0; time < 21; time++) {
      const { status } = await fetch(`${url}/api${splitAddress(diagnose.address).path}`, { headers: { authorization } })
      statuses.push(status)
    }
    expect(statuses).toEqual([...Array<number>(20).fill(404), 429])
  })
})

describe('the path of a request', () => {
  it('warns if the request came to another host than PUBLIC_URL', async () => {
    const { public_address } = await ask({ ...asProxied, 'x-forwarded-host': 'other.example' })
    expect(public_address).toMatchObject({
      state: 'warning',
      text: expect.stringMatching(/sent to other\.example, but PUBLIC_URL is https:\/\/hither\.example/),
    })
  })

  it('warns if the proxy does not send X-Forwarded-Proto', async () => {
    const { 'x-forwarded-proto': _, ...rest } = asProxied
    const { public_address } = await ask(rest)
    expect(public_address).toMatchObject({ state: 'warning', text: expect.stringContaining('X-Forwarded-Proto') })
  })

  it('warns about a proxy that does not name the caller', async () => {
    const { proxy } = await ask({})
    expect(proxy).toMatchObject({ state: 'warning', text: expect.stringContaining('no X-Forwarded-For') })
  })

  it('warns about a proxy that is not trusted', async () => {
    const silent = { GEOCODER_URL: 'off', RATE_LIMITS: 'off', PUBLIC_URL: 'https://hither.example' }
    const untrusting = await ask(asProxied, await startSecondServer(silent))
    expect(untrusting.proxy).toMatchObject({ state: 'failed', text: expect.stringContaining('TRUST_PROXY=loopback') })
    const elsewhere = await ask(asProxied, await startSecondServer({ ...silent, TRUST_PROXY: '198.51.100.1' }))
    expect(elsewhere.proxy).toMatchObject({ state: 'failed', text: expect.stringContaining('does not name it') })
  })
})

describe('the storage', () => {
  it('fails if a file has the name of its folder, and recovers once it is removed', async () => {
    const [files, aside] = [join(folder, 'files'), join(folder, 'files-aside')]
    await mkdir(files, { recursive: true })
    await rename(files, aside)
    await writeFile(files, 'in the way')
    const { storage } = await ask()
    expect(storage).toMatchObject({ state: 'failed', text: expect.stringMatching(/a file where a folder should be/) })
    await rm(files)
    await rename(aside, files)
    expect((await ask()).storage.state).toBe('ok')
  })

  it('fails if the server of the bucket is unavailable', async () => {
    const url = await startSecondServer({
      STORAGE_URL: 's3://KEY:secret-of-the-mail@127.0.0.1:1/pictures?ssl=off',
      GEOCODER_URL: 'off',
      RATE_LIMITS: 'off',
    })
    const { storage } = await ask({}, url)
    expect(storage.state).toBe('failed')
    expect(storage.text).toMatch(/connection refused, ECONNREFUSED|no answer within 3 seconds/)
  })
})

describe('the ways to sign in', () => {
  it('name the redirect address of a provider, whether or not it responds', async () => {
    const redirect = 'Its redirect address is http://localhost:3000/api/auth/oidc/callback.'
    const settings = { OIDC_CLIENT_ID: 'hither', GEOCODER_URL: 'off', RATE_LIMITS: 'off' }
    const gone = await startSecondServer({ ...settings, OIDC_ISSUER: 'http://localhost:1' })
    expect((await ask({}, gone)).sign_in_provider).toEqual({
      id: 'sign_in_provider',
      state: 'failed',
      text: `localhost:1 can't be used for sign-in: it does not answer. ${redirect}`,
    })
    const provider = await startOpenIdProvider(server.clock.now)
    onTestFinished(() => provider.stop())
    const there = await startSecondServer({ ...settings, OIDC_ISSUER: provider.issuer })
    expect((await ask({}, there)).sign_in_provider).toEqual({
      id: 'sign_in_provider',
      state: 'ok',
      text: `localhost:${provider.port} responds. ${redirect}`,
    })
  })

  it('show that a provider does not accept this server, and the last answer of the provider that was refused', async () => {
    const provider = await startOpenIdProvider(server.clock.now)
    onTestFinished(() => provider.stop())
    const settings = { OIDC_CLIENT_ID: 'hither', OIDC_CLIENT_SECRET: 'x', GEOCODER_URL: 'off', RATE_LIMITS: 'off' }
    const there = await startSecondServer({ ...settings, OIDC_ISSUER: provider.issuer })
    provider.answers.set('/token', (_request, response) => {
      response.writeHead(401, { 'www-authenticate': 'Basic' }).end('{"error":"invalid_client"}')
    })
    const reason = 'it does not accept OIDC_CLIENT_ID and OIDC_CLIENT_SECRET'
    expect((await ask({}, there)).sign_in_provider).toMatchObject({
      state: 'failed',
      text: expect.stringContaining(reason),
    })
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ challenge: 'x'.repeat(43) })
    const started = await fetch(`${there}/api${splitAddress(startOidc.address).path}`, {
      method: 'POST',
      headers,
      body,
    })
    const { url } = (await started.json()) as { url: string }
    const { pathname, search } = await provider.visit(url)
    await fetch(`${there}${pathname}${search}`, { redirect: 'manual' })
    provider.answers.clear()
    expect((await ask({}, there)).sign_in_provider).toMatchObject({
      state: 'warning',
      text: expect.stringMatching(
        new RegExp(`responds.*Its last answer that was refused came 0 seconds ago: ${reason}\\.$`),
      ),
    })
  })

  it('say what passkeys need at an address without https and a domain name', async () => {
    const url = await startSecondServer({ PUBLIC_URL: 'http://10.0.0.5', GEOCODER_URL: 'off', RATE_LIMITS: 'off' })
    expect((await ask({}, url)).passkeys).toEqual({
      id: 'passkeys',
      state: 'off',
      text: 'Passkeys need https and a domain name in PUBLIC_URL.',
    })
  })
})

describe('the mail server', () => {
  it('fails if it rejects the sign-in, does not respond or is unavailable, within a time limit', async () => {
    onTestFinished(() => {
      mailLine.set('open')
      mailbox.acceptsCredentials = true
    })
    mailLine.set('silent')
    const { mail, database } = await ask()
    expect(mail).toMatchObject({ state: 'failed', text: expect.stringContaining('no answer within 3 seconds') })
    expect(database.state).toBe('ok')
    mailLine.set('closed')
    expect((await ask()).mail).toMatchObject({ state: 'failed', text: expect.stringContaining('SMTP_URL') })
    mailLine.set('open')
    mailbox.acceptsCredentials = false
    expect((await ask()).mail).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('wrong name or password, EAUTH'),
    })
    mailbox.acceptsCredentials = true
    expect((await ask()).mail).toMatchObject({ state: 'ok', text: expect.stringContaining(String(mailLine.port)) })
  })

  it('is reported separately from queued mail', async () => {
    await server.call(forgotPassword, { body: { email: eve.email } })
    expect((await ask()).mail.state).toBe('ok')
    setClock(7 * 60_000)
    expect((await ask()).mail).toMatchObject({
      state: 'warning',
      text: expect.stringContaining('1 email is waiting, the oldest for 7 minutes'),
    })
    setClock()
    await server.app.deliveryJobs.runDue()
    expect((await ask()).mail.state).toBe('ok')
  })

  it('accepts a test mail, which goes to the admin only', async () => {
    const before = mailbox.received.length
    const { body } = await server.call(sendTestMail, {}, ann)
    expect(body).toMatchObject({ state: 'ok', text: expect.stringContaining('ann@example.org') })
    const sent = mailbox.received.slice(before)
    expect(sent.map(({ to }) => to)).toEqual([['ann@example.org']])
    expect(sent[0]?.headers['subject']).toBe('Test email from Hither')
    expect(sent[0]?.link.href).toBe('https://hither.example/admin?tab=server')
  })

  it('reports a refused test mail', async () => {
    mailbox.refusal = { code: 550, text: 'ann@example.org is unknown here' }
    onTestFinished(() => {
      mailbox.refusal = null
    })
    const { body } = await server.call(sendTestMail, {}, ann)
    expect(body).toMatchObject({ state: 'failed', text: expect.stringContaining('it responded with 550') })
  })
})

describe('the geocoder', () => {
  it('fails if it returns 503, and is not called again before Retry-After', async () => {
    geocoder.answer = json({}, 503)
    expect((await ask()).geocoder).toMatchObject({ state: 'failed', text: expect.stringContaining('status 503') })
    geocoder.answer = json({}, 503, { 'retry-after': '120' })
    expect((await ask()).geocoder.text).toContain('paused for another 2 minutes')
    const asked = geocoder.asked.length
    expect((await ask()).geocoder).toMatchObject({ state: 'failed', text: expect.stringContaining('status 503') })
    expect(geocoder.asked.length).toBe(asked)
    geocoder.answer = json(photonAnswer())
    setClock(150_000)
    expect((await ask()).geocoder).toMatchObject({ state: 'ok', text: expect.stringMatching(/last failed .* ago/) })
  })
})

it('queued push notifications and unreachable devices are reported', async () => {
  await server.call(subscribeToPush, { body: pushService.subscribe('phone') }, ann)
  await server.call(sendFriendRequest, { body: { username: 'ann' } }, eve)
  expect((await ask()).push).toMatchObject({ state: 'ok', text: expect.stringContaining('1 device receives') })
  pushService.answer = { status: 500 }
  await server.app.pushJobs.runDue()
  expect((await ask()).push).toMatchObject({
    state: 'warning',
    text: expect.stringContaining('1 device is unreachable'),
  })
  setClock(6 * 60_000)
  expect((await ask()).push.text).toContain('1 notification is waiting, the oldest for 6 minutes')
  pushService.answer = { status: 201 }
  await server.app.pushJobs.runDue()
  setClock()
  expect((await ask()).push.state).toBe('ok')
})

it('a wrong clock is reported by comparison with the database', async () => {
  setClock(10 * 60_000)
  expect((await ask()).clock).toMatchObject({
    state: 'failed',
    text: expect.stringContaining("10 minutes ahead of the database's clock"),
  })
  setClock(-30_000)
  expect((await ask()).clock.text).toContain('30 seconds behind')
})

it('a missing data folder fails the disk check', async () => {
  const aside = `${folder}-aside`
  await rename(folder, aside)
  onTestFinished(async () => {
    await rm(folder, { recursive: true, force: true })
    await rename(aside, folder)
  })
  expect((await ask()).disk).toMatchObject({ state: 'failed', text: expect.stringContaining('no such folder, ENOENT') })
})

it.skipIf(!hasRedis)('an unavailable Redis fails its own check only', async () => {
  const redis = await openRedis()
  onTestFinished(() => redis.close())
  const url = await startSecondServer({ GEOCODER_URL: 'off', RATE_LIMITS: 'off' }, { redisUrl: redis.url })
  expect((await ask({}, url)).nodes.state).toBe('ok')
  await redis.kill()
  const { nodes, database } = await ask({}, url)
  expect(nodes).toMatchObject({ state: 'failed', text: expect.stringContaining("Redis doesn't respond") })
  expect(database.state).toBe('ok')
})
