import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { request as requestHttp } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { realtimePath } from '@hither/contract/feeds.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { readConfig } from '../../src/config.ts'
import { addErrorHandler, createNotFoundHandler } from '../../src/platform/http/error-handler.ts'
import { createServer } from '../../src/platform/http/server.ts'
import { addWebApp } from '../../src/platform/http/web-app.ts'
import { startServer, type TestServer } from '../harness.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ CORS_ORIGINS: 'https://partner.example' })
})

afterAll(() => server.close())

/** Sends the path unchanged. `fetch` would normalize it. */
async function getRaw(origin: string, path: string, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(origin)
  const asked = requestHttp({ hostname, port, path, headers })
  asked.end()
  const [answer] = await once(asked, 'response')
  return { status: answer.statusCode as number, headers: answer.headers, body: await text(answer) }
}

describe('path traversal', () => {
  const secret = 'nobody is to read this'
  let folder: string
  let web: Awaited<ReturnType<typeof createServer>>
  let origin: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hither-web-'))
    await mkdir(join(folder, 'dist', 'assets'), { recursive: true })
    await writeFile(join(folder, 'dist', 'index.html'), '<title>Page</title>')
    await writeFile(join(folder, 'dist', 'assets', 'app-1.js'), 'ours()')
    await writeFile(join(folder, 'dist', '.env'), secret)
    await writeFile(join(folder, 'secret.txt'), secret)
    const config = readConfig({ MAP_ONLINE: 'off' })
    web = await createServer(config, pino({ level: 'silent' }))
    addErrorHandler(web)
    await addWebApp(web, {
      config: { ...config, mapHosts: [] },
      unknown: createNotFoundHandler([]),
      getHead: async () => '<title>Page</title>',
      folder: `${join(folder, 'dist')}/`,
    })
    origin = await web.listen({ port: 0, host: '127.0.0.1' })
  })

  afterAll(async () => {
    await web.close()
    await rm(folder, { recursive: true })
  })

  it('cannot read files outside the public folder', async () => {
    expect(await getRaw(origin, '/assets/app-1.js')).toMatchObject({ status: 200, body: 'ours()' })
  })

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/assets/%252e%252e/%252e%252e/secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/assets/..\\..\\secret.txt',
    '//../secret.txt',
    '/./../secret.txt',
    '/assets/....//....//secret.txt',
    '/%00/../secret.txt',
    '/assets/app-1.js%00/../../../secret.txt',
    '/.env',
    '/assets/../.env',
    '/%2eenv',
    '/.well-known/../../secret.txt',
    '/.well-known/%2e%2e/%2e%2e/secret.txt',
    'http://elsewhere.example/../secret.txt',
  ])('%s returns only the page or an error', async (path) => {
    const { status, body } = await getRaw(origin, path)
    expect(body).not.toContain(secret)
    expect([200, 400, 403, 404]).toContain(status)
    if (status === 200) expect(body).toBe('<title>Page</title>')
  })

  it.each([
    '/api/files/profile-image/..%2f..%2fsecret',
    '/api/files/pin-image/..%2f..%2fa/..%2fb',
    '/api/files/profile-image/%2e%2e',
    '/api/maps/..%2f..%2fsecret/1/0/0',
    '/.well-known/..%2f..%2fpackage.json',
  ])('%s names no file of the server', async (path) => {
    const { status, body } = await getRaw(server.url, path)
    expect([400, 401, 404, 422]).toContain(status)
    expect(Object.keys(JSON.parse(body))).toEqual(['detail', 'code'])
  })
})

describe('every response', () => {
  it.each(['/api/config', '/api/nothing', '/api/friends/', '/healthz', '/', '/%ZZ'])(
    'at %s has the headers that forbid sniffing, framing, cross-origin reads and referrers',
    async (path) => {
      const { headers } = await getRaw(server.url, path)
      // Fastify responds to a malformed URL before any hook runs, with JSON.
      if (path === '/%ZZ') return expect(headers['content-type']).toContain('application/json')
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': expect.stringMatching(/^geolocation=\(self\), camera=\(self\), .*microphone=\(\)/),
      })
      for (const name of ['server', 'x-powered-by', 'set-cookie']) expect(headers[name]).toBeUndefined()
      return undefined
    },
  )

  it('sets Strict-Transport-Security over HTTPS and not over HTTP', async () => {
    const secure = await createServer(readConfig({ PUBLIC_URL: 'https://hither.example' }), pino({ level: 'silent' }))
    const { headers } = await secure.inject('/api/openapi.json')
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8,}/)
    await secure.close()
    expect((await getRaw(server.url, '/healthz')).headers['strict-transport-security']).toBeUndefined()
  })
})

describe('the API description page', () => {
  it('has a Content-Security-Policy that names no other host and no inline script', async () => {
    const { status, headers } = await getRaw(server.url, '/api/docs')
    expect(status).toBe(200)
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain(`default-src 'none'`)
    expect(policy).toContain(`script-src 'self';`)
    expect(policy).not.toMatch(/https:|[a-z]\.[a-z]|script-src[^;]*unsafe/)
  })

  it('loads everything from this server', async () => {
    const { body } = await getRaw(server.url, '/api/docs')
    const loaded = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '')
    expect(loaded.length).toBeGreaterThan(3)
    expect(loaded.filter((address) => /^(?:\w+:)?\/\//.test(address))).toEqual([])
    expect(body).not.toMatch(/<script>/)
  })
})

describe('a cross-origin page', () => {
  const foreign = ['https://evil.example', 'null', 'https://partner.example.evil.example', 'http://partner.example']

  it.each(foreign)('at %s gets no CORS headers for any method, and no credentials', async (origin) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const preflight = { origin, 'access-control-request-method': method }
      const asked = await server.request('OPTIONS', '/api/config', { headers: preflight })
      expect(asked.headers.get('access-control-allow-origin')).toBeNull()
    }
    const { headers } = await server.request('GET', '/api/config', { headers: { origin } })
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('gets CORS headers and Vary if its origin is allowed', async () => {
    const { headers } = await server.request('GET', '/api/config', { headers: { origin: 'https://partner.example' } })
    expect(headers.get('access-control-allow-origin')).toBe('https://partner.example')
    expect(headers.get('vary')).toMatch(/origin/i)
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  it.each(foreign)('at %s cannot open the live channel', async (origin) => {
    expect(await upgrade(origin)).toBe(403)
  })

  it('opens the live channel if its origin is allowed, and so does a client without an origin', async () => {
    expect(await upgrade('https://partner.example')).toBe(101)
    expect(await upgrade(server.url)).toBe(101)
    expect(await upgrade(undefined)).toBe(101)
  })

  async function upgrade(origin: string | undefined): Promise<number> {
    const url = `${server.url.replace('http', 'ws')}/api${realtimePath}/websocket?vsn=2.0.0`
    const socket = new WebSocket(url, origin === undefined ? {} : { headers: { origin } })
    return new Promise((resolve, reject) => {
      socket.once('error', reject)
      socket.once('unexpected-response', (_request, answer) => {
        resolve(answer.statusCode ?? 0)
        answer.destroy()
      })
      socket.once('open', () => {
        resolve(101)
        socket.terminate()
      })
    })
  }
})

it('only the listed modules make outgoing requests', async () => {
  const src = new URL('../../src/', import.meta.url)
  const files = (await readdir(src, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|harness\.ts$/.test(file),
  )
  const asking: string[] = []
  for (const file of files) {
    const code = await readFile(new URL(file, src), 'utf8')
    const asks =
      /(?<!\.)\bfetch\(|createRemoteJWKSet\(|from 'undici'|import (?!type )(?:\*|[a-z]|\{[^}]*\b(?:request|get|connect)\b).*from 'node:(?:https?|http2|net|tls)'/
    if (asks.test(code)) asking.push(file)
  }
  expect(asking.sort()).toEqual([
    // Reads the keys of Google and of the configured provider, through the module below.
    'auth/issuer.ts',
    // Calls the endpoints that these publish, without redirects.
    'auth/provider-http.ts',
    // Calls the configured geocoder. User input is only a query value, and redirects are not followed.
    'geo/upstream.ts',
    // Calls the push endpoints that browsers register. Each connection checks that the address is public.
    'notifications/push/push-sender.ts',
    // Connects to a socket in the data folder.
    'platform/data-folder/folder-lock.ts',
    // Reads the address that the operator has set for updates. Redirects are not followed.
    'updates/update-file.ts',
  ])
})
