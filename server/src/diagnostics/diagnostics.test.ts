import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forgotPassword } from '@hither/contract/auth.ts'
import { type Check, type CheckId, type Diagnostics, diagnose, sendTestMail } from '@hither/contract/diagnostics.ts'
import { sendFriendRequest } from '@hither/contract/friends.ts'
import { subscribeToPush } from '@hither/contract/notifications.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type FaultLine, openFaultLine } from '../../test/fault-line.ts'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'
import { type Mailbox, openMailbox } from '../../test/mailbox.ts'
import { openPushService, type PushService } from '../../test/push-service.ts'
import { hasRedis, openRedis } from '../../test/redis-server.ts'
import { createApp } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import { type FakeGeocoder, json, photonAnswer, startGeocoder } from '../geo/harness.ts'
import { makeAdmin } from '../moderation/harness.ts'

let folder: string
let mailbox: Mailbox
let mailLine: FaultLine
let geocoder: FakeGeocoder
let pushService: PushService
/** With all there is to set up, each part of it real and in the hands of the test. */
let server: TestServer
let ann: Person
let eve: Person

const secrets = ['secret-of-the-mail', 'secret-of-the-geocoder'] as const

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hither-diagnostics-'))
  mailbox = await openMailbox()
  mailLine = await openFaultLine(Number(new URL(mailbox.url).port))
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

/** The harness's clock stands still, and the database's does not. */
function setClock(aheadMs = 0): void {
  server.clock.advance(Date.now() + aheadMs - server.clock.now().getTime())
}

const asProxied = {
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-host': 'hither.example',
  'x-forwarded-proto': 'https',
}

async function ask(headers: Record<string, string> = asProxied, url = server.url): Promise<Record<CheckId, Check>> {
  const authorization = `Bearer ${ann.session.access_token}`
  const answer = await fetch(`${url}/api${diagnose.path}`, { headers: { authorization, ...headers } })
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
  for (const secret of secrets) expect(text).not.toContain(secret)
  const { checks } = JSON.parse(text) as Diagnostics
  return Object.fromEntries(checks.map((check) => [check.id, check])) as Record<CheckId, Check>
}

/** Another one beside it, on the same data, for as long as the test runs. */
async function startBeside(environment: Record<string, string>, overrides: Partial<Config> = {}): Promise<string> {
  const config = { ...readConfig({ LOAD_SHEDDING: 'off', DATA_DIR: folder, ...environment }), ...overrides }
  const authSecret = 'a secret for tests, long enough to sign'
  const log = pino({ level: 'silent' })
  const app = await createApp({ config, pool: server.db, authSecret, log, now: server.clock.now })
  onTestFinished(async () => void (await app.stop()))
  return app.http.listen({ port: 0, host: '127.0.0.1' })
}

describe('the diagnostics', () => {
  it('are told to admins, and to nobody else is there such a call', async () => {
    for (const operation of [diagnose, sendTestMail]) {
      expect((await server.call(operation, {})).status).toBe(401)
      expect(await server.call(operation, {}, eve)).toMatchObject({ status: 404, body: { detail: 'Not found' } })
    }
    expect(mailbox.received).toEqual([])
  })

  it('find nothing where all is well, and leave nothing behind', async () => {
    const found = await ask()
    expect(found.proxy.text).toContain('you are taken for 203.0.113.7')
    const checks = Object.values(found)
    expect(checks.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'public_address ok',
      'proxy ok',
      'database ok',
      'nodes off',
      'storage ok',
      'mail ok',
      'push ok',
      'geocoder ok',
      expect.stringMatching(/^disk (ok|warning)$/),
      'clock ok',
    ])
    expect(await readdir(join(folder, 'files'))).toEqual([])
    expect(mailbox.received).toEqual([])
  })

  it('say what is not set up, and hold nobody’s choice against them', async () => {
    const {
      mail,
      geocoder: addresses,
      public_address,
      proxy,
      nodes,
    } = await ask({}, await startBeside({ GEOCODER_URL: 'off', RATE_LIMITS: 'off' }))
    expect(mail).toMatchObject({ state: 'off', text: expect.stringContaining('SMTP_URL is not set') })
    expect(addresses.state).toBe('off')
    expect(nodes.state).toBe('off')
    // The port of the test is not the one of the setting.
    expect(public_address).toMatchObject({ state: 'warning', text: expect.stringContaining('http://localhost:3000') })
    expect(proxy).toMatchObject({ state: 'ok', text: expect.stringContaining('You are taken for 127.0.0.1') })
  })

  it('are told so often, and not more often than that', async () => {
    const url = await startBeside({ RATE_LIMITS: 'on', GEOCODER_URL: 'off' })
    const authorization = `Bearer ${eve.session.access_token}`
    const statuses: number[] = []
    for (let time = 0; time < 21; time++) {
      const { status } = await fetch(`${url}/api${diagnose.path}`, { headers: { authorization } })
      statuses.push(status)
    }
    expect(statuses).toEqual([...Array<number>(20).fill(404), 429])
  })
})

describe('the way here', () => {
  it('is not the public one where the call came to another host', async () => {
    const { public_address } = await ask({ ...asProxied, 'x-forwarded-host': 'other.example' })
    expect(public_address).toMatchObject({
      state: 'warning',
      text: expect.stringMatching(/came to other\.example, but PUBLIC_URL is https:\/\/hither\.example/),
    })
  })

  it('is not known to be https where the proxy does not say so', async () => {
    const { 'x-forwarded-proto': _, ...rest } = asProxied
    const { public_address } = await ask(rest)
    expect(public_address).toMatchObject({ state: 'warning', text: expect.stringContaining('X-Forwarded-Proto') })
  })

  it('has a proxy that says for nobody to ask', async () => {
    const { proxy } = await ask({})
    expect(proxy).toMatchObject({ state: 'warning', text: expect.stringContaining('no X-Forwarded-For') })
  })

  it('has a proxy whose word is not taken', async () => {
    const silent = { GEOCODER_URL: 'off', RATE_LIMITS: 'off', PUBLIC_URL: 'https://hither.example' }
    const untrusting = await ask(asProxied, await startBeside(silent))
    expect(untrusting.proxy).toMatchObject({ state: 'failed', text: expect.stringContaining('TRUST_PROXY=loopback') })
    const elsewhere = await ask(asProxied, await startBeside({ ...silent, TRUST_PROXY: '198.51.100.1' }))
    expect(elsewhere.proxy).toMatchObject({ state: 'failed', text: expect.stringContaining('does not name it') })
  })
})

describe('the storage', () => {
  it('fails where a file stands in the place of its folder, and is well once that is gone', async () => {
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

  it('fails where the bucket’s server is away', async () => {
    const url = await startBeside({
      STORAGE_URL: 's3://KEY:secret-of-the-mail@127.0.0.1:1/pictures?ssl=off',
      GEOCODER_URL: 'off',
      RATE_LIMITS: 'off',
    })
    const { storage } = await ask({}, url)
    expect(storage.state).toBe('failed')
    expect(storage.text).toMatch(/nothing listens there, ECONNREFUSED|no answer within 3 seconds/)
  })
})

describe('the mail server', () => {
  it('fails that lets nobody in, says nothing or is away, and nobody waits for it longer than a while', async () => {
    onTestFinished(() => {
      mailLine.set('open')
      mailbox.knowsNames = true
    })
    mailLine.set('silent')
    const { mail, database } = await ask()
    expect(mail).toMatchObject({ state: 'failed', text: expect.stringContaining('no answer within 3 seconds') })
    expect(database.state).toBe('ok')
    mailLine.set('closed')
    expect((await ask()).mail).toMatchObject({ state: 'failed', text: expect.stringContaining('SMTP_URL') })
    mailLine.set('open')
    mailbox.knowsNames = false
    expect((await ask()).mail).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('wrong name or password, EAUTH'),
    })
    mailbox.knowsNames = true
    expect((await ask()).mail).toMatchObject({ state: 'ok', text: expect.stringContaining(String(mailLine.port)) })
  })

  it('is told apart from mail that waits', async () => {
    await server.call(forgotPassword, { body: { email: eve.email } })
    expect((await ask()).mail.state).toBe('ok')
    setClock(7 * 60_000)
    expect((await ask()).mail).toMatchObject({
      state: 'warning',
      text: expect.stringContaining('1 mail waits, the first for 7 minutes'),
    })
    setClock()
    await server.app.deliveryJobs.runDue()
    expect((await ask()).mail.state).toBe('ok')
  })

  it('takes a test mail, to the admin alone', async () => {
    const before = mailbox.received.length
    const { body } = await server.call(sendTestMail, {}, ann)
    expect(body).toMatchObject({ state: 'ok', text: expect.stringContaining('ann@example.org') })
    const sent = mailbox.received.slice(before)
    expect(sent.map(({ to }) => to)).toEqual([['ann@example.org']])
    expect(sent[0]?.headers['subject']).toBe('Mail from Hither arrives')
    expect(sent[0]?.link.href).toBe('https://hither.example/admin?tab=server')
  })

  it('refuses a test mail, and that is told', async () => {
    mailbox.refusal = { code: 550, text: 'ann@example.org is unknown here' }
    onTestFinished(() => {
      mailbox.refusal = null
    })
    const { body } = await server.call(sendTestMail, {}, ann)
    expect(body).toMatchObject({ state: 'failed', text: expect.stringContaining('it answered 550') })
  })
})

describe('the geocoder', () => {
  it('fails where it answers 503, and is left alone once it asked for that', async () => {
    geocoder.answer = json({}, 503)
    expect((await ask()).geocoder).toMatchObject({ state: 'failed', text: expect.stringContaining('status 503') })
    geocoder.answer = json({}, 503, { 'retry-after': '120' })
    expect((await ask()).geocoder.text).toContain('left alone for another 2 minutes')
    const asked = geocoder.asked.length
    expect((await ask()).geocoder).toMatchObject({ state: 'failed', text: expect.stringContaining('status 503') })
    expect(geocoder.asked.length).toBe(asked)
    geocoder.answer = json(photonAnswer())
    setClock(150_000)
    expect((await ask()).geocoder).toMatchObject({ state: 'ok', text: expect.stringMatching(/last failed .* ago/) })
  })
})

it('pushes that wait are told, and devices that cannot be reached', async () => {
  await server.call(subscribeToPush, { body: pushService.subscribe('phone') }, ann)
  await server.call(sendFriendRequest, { body: { username: 'ann' } }, eve)
  expect((await ask()).push).toMatchObject({ state: 'ok', text: expect.stringContaining('1 device takes') })
  pushService.answer = { status: 500 }
  await server.app.pushJobs.runDue()
  expect((await ask()).push).toMatchObject({
    state: 'warning',
    text: expect.stringContaining('1 device is out of reach'),
  })
  setClock(6 * 60_000)
  expect((await ask()).push.text).toContain('1 waits, the first for 6 minutes')
  pushService.answer = { status: 201 }
  await server.app.pushJobs.runDue()
  setClock()
  expect((await ask()).push.state).toBe('ok')
})

it('a clock that is wrong is held against the database’s', async () => {
  setClock(10 * 60_000)
  expect((await ask()).clock).toMatchObject({
    state: 'failed',
    text: expect.stringContaining('10 minutes ahead of that of the database'),
  })
  setClock(-30_000)
  expect((await ask()).clock.text).toContain('30 seconds behind')
})

it('a data folder that is gone fails the disk', async () => {
  const aside = `${folder}-aside`
  await rename(folder, aside)
  onTestFinished(async () => {
    await rm(folder, { recursive: true, force: true })
    await rename(aside, folder)
  })
  expect((await ask()).disk).toMatchObject({ state: 'failed', text: expect.stringContaining('no such folder, ENOENT') })
})

it.skipIf(!hasRedis)('Redis that dies fails the nodes and nothing else', async () => {
  const redis = await openRedis()
  onTestFinished(() => redis.close())
  const url = await startBeside({ GEOCODER_URL: 'off', RATE_LIMITS: 'off' }, { redisUrl: redis.url })
  expect((await ask({}, url)).nodes.state).toBe('ok')
  await redis.kill()
  const { nodes, database } = await ask({}, url)
  expect(nodes).toMatchObject({ state: 'failed', text: expect.stringContaining('Redis gives no answer') })
  expect(database.state).toBe('ok')
})
