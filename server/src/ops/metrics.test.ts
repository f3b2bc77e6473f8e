import { readFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { createPing, listPings } from '@hither/contract/pings.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'

let server: TestServer
let ann: Person

beforeAll(async () => {
  server = await startServer()
  ann = await server.signUp('ann')
})
afterAll(() => server.close())

const scrape = async () => String((await server.request('GET', '/metrics')).body)

async function sampleOf(sample: string): Promise<number> {
  const line = (await scrape()).split('\n').find((candidate) => candidate.startsWith(`${sample} `))
  if (!line) throw new Error(`No ${sample}`)
  return Number(line.slice(sample.length + 1))
}

describe('metrics', () => {
  it('count requests by route pattern, without the contents of URLs', async () => {
    await server.call(listPings, { query: {} }, ann)
    await server.request('GET', '/api/pings/01900000-0000-7000-8000-00000000abcd', { as: ann })
    await server.request('GET', '/api/nowhere/secret-in-the-path')
    const text = await scrape()
    expect(text).toMatch(/http_request_duration_seconds_count\{method="GET",route="\/api\/pings\/",status="200"\} 1/)
    expect(text).toContain('route="/api/pings/:id",status="404"')
    expect(text).not.toMatch(/0abcd|secret-in-the-path|\bann\b/)
    expect(await sampleOf('http_requests_in_flight')).toBe(1)
  })

  it('count connections, channels, changes and recipients of the live channel', async () => {
    const bob = await server.signUp('bob')
    await server.befriend(ann, bob)
    const listener = await server.listen(bob, ['location_pins'])
    expect(await sampleOf('hither_realtime_connections')).toBe(1)
    expect(await sampleOf('hither_live_channels')).toBe(1)
    await server.call(createPing, { body: { name: 'Here', latitude: 1, longitude: 2, recipient_ids: [bob.id] } }, ann)
    await listener.until(({ eventType }) => eventType === 'INSERT')
    expect(await sampleOf('hither_live_changes_total{table="location_pins"}')).toBe(1)
    expect(await sampleOf('hither_realtime_recipients_total{table="location_pins"}')).toBe(2)
    await listener.close()
  })

  it('report the length of each queue and the age of its oldest job', async () => {
    const due = new Date(server.clock.now().getTime() - 90_000)
    const later = new Date(server.clock.now().getTime() + 90_000)
    for (const time of [due, later])
      await server.db`
        insert into deliveries (id, template, user_id, created_at, due_at)
        values (gen_random_uuid(), 'reset', ${ann.id}, ${due}, ${time})`
    await server.db`insert into erasures (storage_key) values ('gone.webp')`
    expect(await sampleOf('hither_queue_waiting{queue="mail"}')).toBe(1)
    expect(await sampleOf('hither_queue_oldest_seconds{queue="mail"}')).toBeCloseTo(90, 0)
    expect(await sampleOf('hither_queue_waiting{queue="push"}')).toBe(0)
    expect(await sampleOf('hither_queue_waiting{queue="files"}')).toBe(1)
    expect(await sampleOf('hither_queue_oldest_seconds{queue="files"}')).toBe(0)
  })

  it('count an expired ping as queued until its expiry is announced', async () => {
    const before = await sampleOf('hither_queue_waiting{queue="pings"}')
    await server.call(
      createPing,
      { body: { name: 'Short', latitude: 1, longitude: 2, is_public: true, duration_minutes: 15 } },
      ann,
    )
    server.clock.advance(16 * 60_000)
    expect(await sampleOf('hither_queue_waiting{queue="pings"}')).toBe(before + 1)
    await server.app.pingJobs.runDue()
    expect(await sampleOf('hither_queue_waiting{queue="pings"}')).toBe(0)
  })

  it('report the state of the database, of Redis and of backups, and the version', async () => {
    expect(await sampleOf('hither_database_up')).toBe(1)
    expect(await sampleOf('hither_redis_up')).toBe(1)
    expect(await sampleOf('hither_database_connections{state="active"}')).toBeGreaterThanOrEqual(1)
    expect(await sampleOf('hither_backup_last_success_timestamp_seconds')).toBe(0)
    const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'))
    expect(await sampleOf(`hither_info{version="${version}"}`)).toBe(1)
  })

  it('include every metric that the Grafana dashboard queries, and none that it lacks', async () => {
    const text = await readFile(new URL('../../../deploy/grafana-dashboard.json', import.meta.url), 'utf8')
    const dashboard = JSON.parse(text) as { panels: { title: string; targets?: { expr: string }[] }[] }
    const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    expect(expressions.length).toBeGreaterThan(10)
    const known = new Set([...(await scrape()).matchAll(/^([a-z]\w*)(?:\{| )/gm)].map(([, name]) => name))
    const queried = expressions.flatMap((expression) => [
      ...expression.matchAll(/\b(?:hither|http|nodejs|process)_\w+/g),
    ])
    for (const [name] of queried) expect(known, `${name} of the dashboard`).toContain(name)
    for (const name of [...known].filter((candidate) => candidate?.startsWith('hither_')))
      expect(text, `${name} is on no panel`).toContain(name)
  })
})

it('gives every response a new request id and ignores the id that the client sends', async () => {
  const idOf = async () =>
    (await server.request('GET', '/healthz', { headers: { 'x-request-id': 'mine' } })).headers.get('x-request-id')
  const [first, second] = [await idOf(), await idOf()]
  expect(first).toMatch(/^[0-9a-f-]{36}$/)
  expect(second).not.toBe(first)
})

describe('metrics return 404', () => {
  const refused = { status: 404, body: { detail: 'Not found', code: 'route_not_found' } }

  it.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-host'])(
    'to a request of a proxy that sends %s',
    async (name) => {
      const { status, body } = await server.request('GET', '/metrics', { headers: { [name]: '127.0.0.1' } })
      expect({ status, body }).toEqual(refused)
    },
  )

  it('to a request whose Host header does not name this machine', async () => {
    expect(await statusFor({ host: 'evil.example.org' })).toBe(404)
    expect(await statusFor({ host: 'localhost:3000' })).toBe(200)
    expect(await statusFor({ host: '127.0.0.1.evil.example.org' })).toBe(404)
  })

  it('without METRICS_TOKEN if it is set, and answer any client that sends it', async () => {
    const other = await startServer({ METRICS_TOKEN: 'let-prometheus-in' })
    const status = async (headers: Record<string, string>) =>
      (await other.request('GET', '/metrics', { headers })).status
    expect(await status({})).toBe(404)
    expect(await status({ authorization: 'Bearer let-prometheus-i' })).toBe(404)
    expect(await status({ authorization: 'Bearer let-prometheus-in' })).toBe(200)
    expect(await status({ authorization: 'Bearer let-prometheus-in', 'x-forwarded-for': '192.0.2.1' })).toBe(200)
    await other.close()
  })

  function statusFor(headers: Record<string, string>): Promise<number> {
    const { hostname, port } = new URL(server.url)
    return new Promise((resolve, reject) => {
      const call = httpRequest({ hostname, port, path: '/metrics', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
      call.once('error', reject)
      call.end()
    })
  }
})
