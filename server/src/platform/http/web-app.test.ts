import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { mapSources } from '../../maps/map-sources.ts'
import { createNotFoundHandler } from './error-handler.ts'
import { createServer } from './server.ts'
import { addWebApp, contentSecurityPolicy } from './web-app.ts'

const page = '<script>paint()</script>'

function policyOf(environment: Record<string, string>): string {
  const config = readConfig(environment)
  return contentSecurityPolicy(page, { ...config, mapHosts: mapSources(config.map).hosts })
}

test('with MAP_ONLINE=off the page may only load from its own origin and run its own scripts', () => {
  const policy = policyOf({ MAP_ONLINE: 'off' })
  expect(policy).toContain("default-src 'none'")
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+';/)
  expect(policy).not.toMatch(/https?:/)
  expect(policy).not.toContain('unsafe')
})

test('by default the page may load maps from three hosts and nothing else from other origins', () => {
  const policy = policyOf({})
  const maps = 'https://tiles.openfreemap.org https://gibs.earthdata.nasa.gov https://basemap.nationalmap.gov'
  expect(policy).toContain(`connect-src 'self' ${maps};`)
  expect(policy.replaceAll(maps, '')).not.toMatch(/https?:/)
})

test('the policy names the hosts of a configured map and of Google only where they are needed', () => {
  const policy = policyOf({
    MAP_STYLE_URL: 'https://tiles.example.org/style.json',
    MAP_SATELLITE_URL: 'https://tiles.example.org/{z}/{x}/{y}.jpg',
    MAP_HOSTS: 'https://fonts.example.org',
    GOOGLE_CLIENT_ID: 'client',
  })
  expect(policy).toContain(
    "connect-src 'self' https://tiles.example.org https://fonts.example.org https://accounts.google.com/gsi/",
  )
  expect(policy).toContain("img-src 'self' data: blob: https://tiles.example.org")
  expect(policy).toContain('frame-src https://accounts.google.com/gsi/')
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+' https:\/\/accounts\.google\.com\/gsi\/client;/)
})

describe('the web app', () => {
  async function serve(files: Record<string, string>) {
    const folder = `${await mkdtemp(join(tmpdir(), 'hither-web-'))}/`
    for (const [name, text] of Object.entries(files)) await writeFile(`${folder}${name}`, text)
    const config = readConfig({})
    const app = await createServer(config, pino({ level: 'silent' }))
    const unknown = createNotFoundHandler([])
    await addWebApp(app, {
      config: { ...config, mapHosts: [] },
      unknown,
      getHead: async () => '<title>X</title>',
      folder,
    })
    onTestFinished(async () => {
      await app.close()
      await rm(folder, { recursive: true })
    })
    return app
  }
  const build = { 'index.html': '<title>Hither</title><main>', 'favicon.svg': '<svg/>' }

  test.each([
    ...['/', '/index.html', '/friends', '/friends/', '/friends?tab=a.b', '/nothing/here', '/assets-of-mine', '/apis'],
    ...['/pins/a.b', '/pins/a.', '/pins/a.b/?via=c.d', '/invite/a.b.c', '/chat/%2e', '/pins/a%2eb'],
  ])('is the response to %s', async (url) => {
    const app = await serve(build)
    for (const method of ['GET', 'HEAD'] as const) {
      const { statusCode, headers } = await app.inject({ method, url })
      expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    }
    expect((await app.inject(url)).body).toContain('<main>')
  })

  test.each([
    ...['/favicon.ico', '/apple-touch-icon.png', '/favicon%2eico', '/wp-login.php', '/.env', '/.git/config'],
    ...['/pins/a/b.png', '/friends/links/x.js', '/.well-known/change-password', '/assets/nothing', '/x.html?a=b'],
    ...['/pins.xml', '/index.htm', '/api', '/api/nothing', '/a.b/'],
  ])('is not the response to %s, which does not exist', async (url) => {
    const app = await serve(build)
    const { statusCode, body } = await app.inject(url)
    expect([statusCode, JSON.parse(body)]).toEqual([404, { detail: 'Not found', code: 'route_not_found' }])
    expect((await app.inject({ method: 'HEAD', url })).statusCode).toBe(404)
  })

  test('has its own files, and rules for robots with and without a build', async () => {
    const app = await serve(build)
    expect((await app.inject('/favicon.svg')).body).toBe('<svg/>')
    for (const { statusCode, headers, body } of [
      await app.inject('/robots.txt'),
      await (await serve({})).inject('/robots.txt'),
    ]) {
      expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
      expect(body).toMatch(/^User-agent: \*\n(?:Allow|Disallow): \//)
    }
  })
})
