import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { getServiceStatus } from '@hither/contract/moderation.ts'
import { createPing } from '@hither/contract/pings.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { createPlaces } from '../../src/geo/places.ts'
import { makeAdmin } from '../../src/moderation/harness.ts'
import { createLog } from '../../src/ops/log.ts'
import type { Job } from '../../src/platform/async/job.ts'
import { isNewer } from '../../src/updates/update-file.ts'
import { makeCertificate } from '../certificate.ts'
import { type Person, startServer, type TestServer } from '../harness.ts'
import { race } from '../race.ts'

const dayMs = 86_400_000
const release = { version: '99.0.0', notes_url: 'https://example.org/notes' }
const usualCertificates = getCACertificates()
let website: Server
let url: string
let requests: IncomingMessage[] = []
let answer: (response: ServerResponse) => void
let server: TestServer
let ann: Person

beforeAll(async () => {
  const { key, cert } = makeCertificate('localhost')
  setDefaultCACertificates([...usualCertificates, cert])
  website = createServer({ key, cert }, (request, response) => {
    requests.push(request)
    answer(response)
  })
  await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve))
  url = `https://localhost:${(website.address() as AddressInfo).port}/latest.json`
  server = await startServer({ UPDATE_CHECK_URL: url })
  ann = await makeAdmin(server, await server.signUp('ann'))
})

beforeEach(async () => {
  await server.db`delete from update_checks`
  requests = []
  answer = (response) => response.end(JSON.stringify(release))
})

afterAll(async () => {
  await server.close()
  website.closeAllConnections()
  website.close()
  setDefaultCACertificates(usualCertificates)
})

async function check() {
  await server.app.updateJobs.runDue()
  ann = await server.signIn(ann)
  return (await server.call(getServiceStatus, {}, ann)).body.update
}

describe('the update check', () => {
  it('tells administrators about a newer version, and sends nothing that identifies the server', async () => {
    expect((await server.call(getServiceStatus, {}, ann)).body.update).toBeNull()
    const checked_at = server.clock.now().toISOString()
    expect(await check()).toEqual({ ...release, checked_at, failed: false })
    expect(requests.map(({ method, url, headers }) => ({ method, url, headers }))).toEqual([
      { method: 'GET', url: '/latest.json', headers: { host: new URL(url).host, connection: 'close' } },
    ])
  })

  it('reads the address once a day, at another time of each day', async () => {
    const times = new Set<number>()
    await server.app.updateJobs.runDue()
    for (let day = 1; day <= 5; day++) {
      const [row] = await server.db<[{ due_at: Date }]>`select due_at from update_checks`
      const dueMs = new Date(row.due_at).getTime()
      const nowMs = server.clock.now().getTime()
      expect(Math.floor(dueMs / dayMs)).toBe(Math.floor(nowMs / dayMs) + 1)
      times.add(dueMs % dayMs)
      server.clock.advance(dueMs - 1 - nowMs)
      await server.app.updateJobs.runDue()
      expect(requests).toHaveLength(day)
      server.clock.advance(1)
      await server.app.updateJobs.runDue()
      expect(requests).toHaveLength(day + 1)
    }
    expect(times.size).toBe(5)
  })

  it('is made by one of several nodes', async () => {
    const node = await createApp({
      config: { ...readConfig({ UPDATE_CHECK_URL: url, BACKUPS_ENABLED: 'off' }), port: 0 },
      pool: server.db,
      authSecret: 'a secret for tests, long enough to sign',
      log: createLog('silent'),
      now: server.clock.now,
    })
    onTestFinished(async () => void (await node.stop()))
    await race(
      server.db,
      (tx) => tx`lock table update_checks in share row exclusive mode`,
      () => server.app.updateJobs.runDue(),
      () => node.updateJobs.runDue(),
    )
    expect(requests).toHaveLength(1)
  })

  it('says nothing about a version that is not newer', async () => {
    answer = (response) => response.end(JSON.stringify({ ...release, version: '0.0.1' }))
    expect(await check()).toMatchObject({ version: null, notes_url: null, failed: false })
    expect(isNewer('0.10.0', '0.9.9')).toBe(true)
    expect(isNewer('1.0.0', '1.0.0')).toBe(false)
    expect(isNewer('1.9.0', '2.0.0')).toBe(false)
  })

  it('keeps what it knew when it fails', async () => {
    await check()
    server.clock.advance(2 * dayMs)
    answer = (response) => response.writeHead(500).end()
    const checked_at = server.clock.now().toISOString()
    expect(await check()).toEqual({ ...release, checked_at, failed: true })
  })

  it('accepts a file of 16 KB', async () => {
    answer = (response) => response.end(JSON.stringify(release).padEnd(16 * 1024))
    expect(await check()).toMatchObject({ version: '99.0.0', failed: false })
  })

  it.each<[string, (response: ServerResponse) => void]>([
    ['a redirect', (response) => response.writeHead(302, { location: '/other.json' }).end(JSON.stringify(release))],
    ['17 KB', (response) => response.end(JSON.stringify(release).padEnd(17 * 1024))],
    ['an error', (response) => response.writeHead(404).end(JSON.stringify(release))],
    ['no JSON', (response) => response.end('<html>')],
    ['null', (response) => response.end('null')],
    ['no version', (response) => response.end(JSON.stringify({ ...release, version: '<b>1</b>' }))],
    ['a page without https', (response) => response.end(JSON.stringify({ ...release, notes_url: 'javascript:1' }))],
    ['a closed connection', (response) => response.destroy()],
  ])('shows %s as failed', async (_name, give) => {
    answer = give
    expect(await check()).toMatchObject({ version: null, failed: true })
    expect(requests).toHaveLength(1)
  })

  it.each<[string, (response: ServerResponse) => void]>([
    ['no answer', () => undefined],
    ['an answer that does not end', (response) => void response.writeHead(200).write('{')],
  ])(
    'shows %s within five seconds as failed',
    async (_name, give) => {
      answer = give
      expect(await check()).toMatchObject({ version: null, failed: true })
    },
    20_000,
  )
})

it('a server with its default settings connects to no other host, whatever its jobs do', async () => {
  const hosts = new Set<string>()
  const connect = Socket.prototype.connect
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    // `net.connect` passes its arguments in one list, with the options first.
    const [first] = args.flat() as [{ host?: string; path?: string; port?: number } | number | string]
    if (typeof first === 'object') hosts.add(first.host ?? first.path ?? 'localhost')
    else hosts.add(String(args.flat()[1] ?? 'localhost'))
    return (connect as (...all: unknown[]) => Socket).apply(this, args)
  })
  onTestFinished(() => void vi.restoreAllMocks())
  const runAll = async (on: TestServer) => {
    const jobs = Object.values(on.app).filter((part) => typeof part === 'object' && part !== null && 'runDue' in part)
    expect(jobs.length).toBeGreaterThan(10)
    for (const job of jobs as Job[]) await job.runDue()
  }
  const live = await startServer({}, createLog('silent'), createPlaces())
  try {
    const bob = await live.signUp('bob')
    await live.befriend(bob, await live.signUp('eve'))
    const body = { name: 'Coffee', latitude: 45.5, longitude: -122.6 }
    expect((await live.call(createPing, { body }, bob)).status).toBe(201)
    await runAll(live)
    live.clock.advance(dayMs)
    await runAll(live)
    // The database, and the calls of this test.
    expect(hosts.size).toBeGreaterThan(0)
    expect([...hosts].filter((host) => !/^(?:127\.0\.0\.1|localhost|::1|\/.*)$/.test(host))).toEqual([])
    // The address of updates would be seen here.
    hosts.clear()
    const other = await startServer({ UPDATE_CHECK_URL: 'https://updates.invalid/latest.json' })
    await other.app.updateJobs.runDue()
    await other.close()
    expect([...hosts]).toContain('updates.invalid')
  } finally {
    await live.close()
  }
}, 60_000)
